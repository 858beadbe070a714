import { Switch } from '@mantine/core'

import { showError } from '../../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../../platform/web/failures.ts'
import { Section } from '../../../../../platform/web/kit/Section.tsx'
import { RowSkeleton } from '../../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../../platform/web/list/LoadedList.tsx'
import type { ReminderPreferences } from '../../contract.ts'
import { useReminderPreferences, useSaveReminderPreferences } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'

const CHOICES = [
  { name: 'reminders', label: 'Reminders', description: 'At the lead times of your deadlines, and every week while one is overdue' },
  { name: 'digest', label: 'Weekly summary', description: 'On Monday morning, what is overdue or due in the next 30 days' },
  {
    name: 'checks',
    label: 'Checks',
    description: 'When it is time to check that your sites and your own record are right, at most once a week',
  },
] as const satisfies readonly { name: keyof ReminderPreferences; label: string; description: string }[]

/** Which emails about deadlines and checks the user gets. */
export const ReminderPreferencesCard = () => {
  const query = useReminderPreferences()
  const saving = useSaveReminderPreferences()
  return (
    <Section title="Emails about deadlines and checks">
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(preferences) => {
          const shown = saving.isPending ? saving.variables : preferences
          return (
            <div
              className={`${layoutClasses.vertical} ${layoutClasses.gap14} ${layoutClasses.blockPadding14} ${layoutClasses.lineAbove} ${layoutClasses.lineBelow}`}
            >
              {CHOICES.map(({ name, label, description }) => (
                <Switch
                  key={name}
                  label={label}
                  description={description}
                  checked={shown[name]}
                  disabled={saving.isPending}
                  onChange={({ currentTarget: { checked } }) =>
                    saving.mutate({ ...preferences, [name]: checked }, { onError: (error) => showError(errorMessage(error)) })
                  }
                />
              ))}
            </div>
          )
        }}
      </LoadedList>
    </Section>
  )
}
