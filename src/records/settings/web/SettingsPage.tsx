import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useState } from 'react'

import type { Named } from '../../../contract/references.ts'
import { send } from '../../../platform/web/client.ts'
import type { FormValues } from '../../../platform/web/form/body-fields.ts'
import { buildFormFields, buildSection } from '../../../platform/web/form/defined-fields.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import type { Choice } from '../../../platform/web/form/fields.ts'
import { useGoBack } from '../../../platform/web/form/use-go-back.ts'
import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { getQueryKey, queryClient, callQueryOptions } from '../../../platform/web/queries.ts'
import { useCharters } from '../../charters/web/queries.ts'
import { useRegions } from '../../regions/web/queries.ts'
import { readSettings, saveSettings, type Settings } from '../contract.ts'
import { SETTINGS_FIELDS } from '../fields.ts'
import { ProgramTypesInput, toProgramTypes } from './ProgramTypesInput.tsx'
import { toRecipients, RequestsToInput } from './RequestsToInput.tsx'

const buildChoices = (records: readonly Named[]): Choice[] =>
  records.map(({ _id, name }) => ({ value: _id, label: name })).toSorted((a, b) => a.label.localeCompare(b.label))

const NO_CHARTER: Choice = { value: '', label: 'None' }

const buildFields = (regions: readonly Named[], charters: readonly Named[]) =>
  buildFormFields(SETTINGS_FIELDS, {
    defaultRegion: (label) => ({ kind: 'choice', label, choices: buildChoices(regions) }),
    defaultCharter: (label) => ({ kind: 'search', label, choices: [NO_CHARTER, ...buildChoices(charters)] }),
    programTypes: (label) => ({
      kind: 'own',
      label,
      isGroup: true,
      Input: ProgramTypesInput,
      toText: (value) =>
        toProgramTypes(value)
          .map(({ name }) => name)
          .join(', '),
    }),
    changeRequestsTo: (label) => ({
      kind: 'own',
      label,
      isGroup: true,
      Input: RequestsToInput,
      toText: (value) =>
        toRecipients(value)
          .map(({ region, emails }) => emails && `${regions.find(({ _id }) => _id === region)?.name ?? 'Others'}: ${emails}`)
          .filter(Boolean)
          .join('; '),
    }),
  })

const SECTIONS = [
  buildSection(SETTINGS_FIELDS, 'Organization', 'Shown in emails and files'),
  buildSection(SETTINGS_FIELDS, 'New sites', 'Defaults for Add Resource Center'),
  buildSection(SETTINGS_FIELDS, 'Program types', 'Programs that sites can offer'),
  buildSection(
    SETTINGS_FIELDS,
    'Requests',
    'Who receives change and support requests. Clear a field to use the server’s default, if there is one',
  ),
]

const toSettingsValues = (settings: Settings, regions: readonly Named[]): FormValues<typeof saveSettings> => {
  const emailsOf = (region: string | null): string => settings.changeRequestsTo.find((one) => one.region === region)?.emails.join(' ') ?? ''
  return {
    organisation: settings.organisation ?? '',
    defaultRegion: settings.defaults.region?._id ?? '',
    defaultCharter: settings.defaults.charter?._id ?? '',
    programTypes: settings.programTypes,
    changeRequestsTo: [...buildChoices(regions).map(({ value }) => value), null].map((region) => ({ region, emails: emailsOf(region) })),
    supportRequestsTo: settings.supportRequestsTo.join(' '),
  }
}

const SettingsForm = ({ settings, regions, charters }: { settings: Settings; regions: readonly Named[]; charters: readonly Named[] }) => {
  const fields = useMemo(() => buildFields(regions, charters), [regions, charters])
  const [latest, setLatest] = useState({ saves: 0, settings })
  return (
    <EditForm
      // After a save the form starts again from the saved values.
      key={latest.saves}
      call={saveSettings}
      name="The settings"
      draftKey="settings"
      title="Settings"
      back="Back"
      cancelLabel="Cancel"
      fields={fields}
      sections={SECTIONS}
      record={latest.settings}
      toValues={useCallback((of: Settings) => toSettingsValues(of, regions), [regions])}
      read={() => send(readSettings)}
      canUndo={false}
      onSaved={(saved) => {
        queryClient.setQueryData(getQueryKey(readSettings), saved)
        setLatest({ saves: latest.saves + 1, settings: saved })
      }}
      onCancel={useGoBack('/')}
    />
  )
}

/** The settings of the organization, with those of features below. */
export const SettingsPage = ({ children }: { children: (regions: readonly Named[]) => ReactNode }) => {
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
              {(allCharters) => (
                <>
                  <SettingsForm settings={known} regions={allRegions} charters={allCharters} />
                  {children(allRegions)}
                </>
              )}
            </LoadedRecord>
          )}
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}
