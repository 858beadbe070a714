import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useState } from 'react'

import type { Named } from '../../../contract/references.ts'
import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { useGoBack } from '../../../platform/web/form/use-go-back.ts'
import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { getQueryKey, queryClient, callQueryOptions } from '../../../platform/web/queries.ts'
import { useCharters } from '../../charters/web/queries.ts'
import { useRegions } from '../../regions/web/queries.ts'
import { readSettings, saveSettings, type Settings } from '../contract.ts'
import { buildSettingsFields, noteOrganization, SETTINGS_SECTIONS, toSettingsValues } from './settings-fields.ts'

const SettingsForm = ({ settings, regions, charters }: { settings: Settings; regions: readonly Named[]; charters: readonly Named[] }) => {
  const fields = useMemo(() => buildSettingsFields(regions, charters), [regions, charters])
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
      sections={SETTINGS_SECTIONS}
      record={latest.settings}
      toValues={useCallback((of: Settings) => toSettingsValues(of, regions), [regions])}
      read={() => send(readSettings)}
      canUndo={false}
      onSaved={(saved) => {
        queryClient.setQueryData(getQueryKey(readSettings), saved)
        noteOrganization(saved)
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
