import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import type { FormSection } from '../../../../platform/web/form/EditForm.tsx'
import { buildEmailsField } from '../../../../platform/web/form/emails-field.ts'
import type { Choice, FormField } from '../../../../platform/web/form/fields.ts'
import { showMergedNotice } from '../../../../platform/web/form/show-merged-notice.ts'
import { useGoBack } from '../../../../platform/web/form/use-go-back.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import { DetailSkeleton } from '../../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { getQueryKey, queryClient, callQueryOptions } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { useCharters } from '../../charters/web/queries.ts'
import { useRegions } from '../../regions/web/queries.ts'
import { readSettings, saveSettings } from '../contract.ts'
import type { Settings, SettingsChange } from '../contract.ts'
import { ProgramTypesInput, toProgramTypes } from './ProgramTypesInput.tsx'
import { toRecipients, RequestsToInput } from './RequestsToInput.tsx'

type Path = keyof SettingsChange
interface Named {
  readonly _id: string
  readonly name: string
}

const EMAILS_HINT = 'Separate email addresses with a space'
const buildChoices = (records: readonly Named[]): Choice[] =>
  records.map(({ _id, name }) => ({ value: _id, label: name })).toSorted((a, b) => a.label.localeCompare(b.label))

/** The fields of the form; a missing setting does not compile. */
const buildFields = (regions: readonly Named[], charters: readonly Named[]): Record<Path, FormField> => ({
  organisation: { kind: 'line', label: 'Name of the organization', span: 6 },
  defaultRegion: { kind: 'choice', label: 'Region', choices: buildChoices(regions) },
  defaultCharter: { kind: 'search', label: 'Charter', choices: buildChoices(charters) },
  programTypes: {
    kind: 'own',
    label: 'Program types',
    span: 6,
    isGroup: true,
    Input: ProgramTypesInput,
    toText: (value) =>
      toProgramTypes(value)
        .map(({ name }) => name)
        .join(', '),
  },
  changeRequestsTo: {
    kind: 'own',
    label: 'Change requests',
    hint: EMAILS_HINT,
    span: 6,
    isGroup: true,
    Input: RequestsToInput,
    toText: (value) =>
      toRecipients(value)
        .map(({ region, emails }) => emails && `${regions.find(({ _id }) => _id === region)?.name ?? 'Others'}: ${emails}`)
        .filter(Boolean)
        .join('; '),
  },
  supportRequestsTo: buildEmailsField('Support requests'),
})

const buildSection = (title: string, about: string, fields: readonly Path[]): FormSection => ({ title, about, fields })
const SECTIONS = [
  buildSection('Organization', 'Shown in emails and files', ['organisation']),
  buildSection('New sites', 'Defaults for Add Resource Center', ['defaultRegion', 'defaultCharter']),
  buildSection('Program types', 'Programs that sites can offer', ['programTypes']),
  buildSection('Requests', 'Who receives change and support requests. Clear a field to use the server’s default, if there is one', [
    'changeRequestsTo',
    'supportRequestsTo',
  ]),
]

const toSettingsValues = (settings: Settings, regions: readonly Named[]): Values => {
  const emailsOf = (region: string | null): string => settings.changeRequestsTo.find((one) => one.region === region)?.emails.join(' ') ?? ''
  const values: Record<Path, FieldValue> = {
    organisation: settings.organisation ?? '',
    defaultRegion: settings.defaults.region?._id ?? '',
    defaultCharter: settings.defaults.charter?._id ?? '',
    programTypes: settings.programTypes,
    changeRequestsTo: [...buildChoices(regions).map(({ value }) => value), null].map((region) => ({ region, emails: emailsOf(region) })),
    supportRequestsTo: settings.supportRequestsTo.join(' '),
  }
  return values
}

const SettingsForm = ({ settings, regions, charters }: { settings: Settings; regions: readonly Named[]; charters: readonly Named[] }) => {
  const fields = useMemo(() => buildFields(regions, charters), [regions, charters])
  const [latest, setLatest] = useState({ saves: 0, settings })
  const snapshot = (of: Settings) => ({
    values: toSettingsValues(of, regions),
    version: of.version,
    updatedBy: of.updatedBy,
    updatedAt: of.updatedAt,
  })
  return (
    <EditForm
      // After a save the form starts again from the saved values.
      key={latest.saves}
      name="settings"
      call={saveSettings}
      title="Settings"
      back="Back"
      cancelLabel="Cancel"
      fields={fields}
      sections={SECTIONS}
      record={snapshot(latest.settings)}
      send={(edit) => send(saveSettings, edit)}
      reload={async () => snapshot(await send(readSettings))}
      onSaved={(answer, mergedWith) => {
        queryClient.setQueryData(getQueryKey(readSettings), answer)
        setLatest({ saves: latest.saves + 1, settings: answer as Settings })
        void queryClient.invalidateQueries()
        if (mergedWith) showMergedNotice('The settings', mergedWith)
        else showSuccess({ text: 'The settings were saved.' })
      }}
      onCancel={useGoBack('/')}
    />
  )
}

/** `/settings`, for level 5 or lower. */
export const SettingsPage = () => {
  const settings = useQuery(callQueryOptions(readSettings))
  const regions = useRegions()
  const charters = useCharters()
  const loading = { skeleton: <DetailSkeleton beside="picture" /> }
  return (
    <LoadedRecord query={settings} what="page of settings" {...loading}>
      {(known) => (
        <LoadedRecord query={regions} what="list of regions" {...loading}>
          {(allRegions) => (
            <LoadedRecord query={charters} what="list of charters" {...loading}>
              {(allCharters) => <SettingsForm settings={known} regions={allRegions} charters={allCharters} />}
            </LoadedRecord>
          )}
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}
