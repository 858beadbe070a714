import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'

import { Problem } from '../../../../contract/problem.ts'
import type { Named } from '../../../../contract/references.ts'
import { send } from '../../../../platform/web/client.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { Field } from '../../../../platform/web/form/Field.tsx'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { pick, toBody, type FieldValue, type Values } from '../../../../platform/web/form/values.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import { saveSettings, SettingsChange, type Settings } from '../../contract.ts'
import { buildSettingsFields, noteOrganization, toSettingsValues } from '../settings-fields.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'

/** What a new network is asked for. */
const PATHS = ['organisation', 'timeZone', 'states', 'defaultRegion', 'logo'] as const

interface OrganizationFormProps {
  settings: Settings
  regions: readonly Named[]
  submitLabel: string
  onSaved: () => unknown
}

/** A short form of the settings of the organization, as a step of something longer. */
export const OrganizationForm = ({ settings, regions, submitLabel, onSaved }: OrganizationFormProps) => {
  const fields = useMemo(() => {
    const all = buildSettingsFields(regions, [])
    return { ...all, defaultRegion: { ...all.defaultRegion, label: 'Home region' } }
  }, [regions])
  const [before] = useState<Values>(() => pick(toSettingsValues(settings, regions), PATHS))
  const [values, setValues] = useState(before)
  const [blocked, setBlocked] = useState<string | null>(null)
  const saving = useMutation({
    mutationFn: () => withSignIn(() => send(saveSettings, { body: SettingsChange.parse(toBody(values)), version: settings.version })),
    onSuccess: async (saved) => {
      noteOrganization(saved)
      await queryClient.invalidateQueries()
      await onSaved()
    },
  })
  const errors = saving.error instanceof Problem ? (saving.error.errors ?? []) : []
  const change = (path: string, value: FieldValue) => setValues((now) => ({ ...now, [path]: value }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (blocked === null) saving.mutate()
  }
  return (
    <form noValidate onSubmit={submit} className={layoutClasses.stack} aria-label="Organization">
      {PATHS.map((path) => (
        <Field
          key={path}
          path={path}
          field={fields[path]}
          value={values[path] ?? null}
          values={values}
          before={before[path] ?? null}
          isChanged={false}
          isRequired={false}
          error={errors.find((one) => one.path === path)?.message}
          onChange={change}
          onBlur={() => {}}
          onUndo={() => {}}
          onBlock={(_path, reason) => setBlocked(reason)}
        />
      ))}
      <div role="alert">
        {saving.error ? <p className={textClasses.error}>Error: {errorMessage(saving.error)}</p> : null}
        {blocked === null ? null : <p className={textClasses.note}>{blocked}</p>}
      </div>
      <div className={layoutClasses.wrappingRow}>
        <Button type="submit" loading={saving.isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
