import { Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import { configuration } from '../../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../../platform/web/failures.ts'
import { Section } from '../../../../../platform/web/kit/Section.tsx'
import { useCopy, useIsOffline } from '../../../../../platform/web/offline.ts'
import { formatAsOf } from '../../rules.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'

/** The switch with which someone keeps the directory on this device. */
export const OfflineSection = () => {
  const copy = useCopy()
  const isOffline = useIsOffline()
  const saving = useMutation({
    mutationFn: async (isOn: boolean) => {
      const { startCopy, endCopy } = await import('../copy.ts')
      await (isOn ? startCopy() : endCopy())
    },
  })
  if (configuration.offlineDays === 0 && copy === null) return null
  const isOn = saving.isPending ? saving.variables : copy !== null
  return (
    <Section title="Without a Network">
      <div className={`${layoutClasses.vertical} ${layoutClasses.gap10} ${layoutClasses.readableWidth}`}>
        <Switch
          label="Keep the directory on this device"
          description={`The directory can be searched, and people called, without a network. Only on a device that is yours: anyone who can unlock it can read it. The copy is removed when you sign out, and after ${configuration.offlineDays} days without a connection.`}
          checked={isOn}
          disabled={saving.isPending || (isOffline && copy === null)}
          onChange={({ currentTarget: { checked } }) => saving.mutate(checked)}
        />
        <p className={textClasses.hint} role="status">
          {saving.isPending && isOn ? 'Saving the directory on this device…' : null}
          {!saving.isPending && copy
            ? `On this device: ${copy.contents}, as of ${formatAsOf(copy.confirmedAt, configuration.timeZone)}.`
            : null}
        </p>
        {saving.isError ? (
          <p className={textClasses.bad} role="alert">
            {errorMessage(saving.error)}
          </p>
        ) : null}
      </div>
    </Section>
  )
}
