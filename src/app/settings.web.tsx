import { LevelMappingsCard } from '../features/access/provisioning/web/public/LevelMappingsCard.tsx'
import { ScimTokensCard } from '../features/access/provisioning/web/public/ScimTokensCard.tsx'
import { CheckSettingsCard } from '../features/changing/checks/web/public/CheckSettingsCard.tsx'
import { DeadlineSettingsCard } from '../features/deadlines/deadlines/web/public/DeadlineSettingsCard.tsx'
import { AssistantsCard } from '../features/exchange/assistants/web/public/AssistantsCard.tsx'
import { useCan } from '../platform/web/caller.ts'
import { PersonIdPicker } from '../records/people/web/public/PersonIdPicker.tsx'
import { FacilityTypesCard } from '../records/settings/web/FacilityTypesCard.tsx'
import { SettingsPage } from '../records/settings/web/SettingsPage.tsx'

/** `/settings`, for level 5 or lower. */
export const Settings = () => {
  const mayConnect = useCan('connect the directory')
  const mayConnectAssistants = useCan('connect assistants')
  return (
    <SettingsPage>
      {(regions) => (
        <>
          <FacilityTypesCard />
          <DeadlineSettingsCard regions={regions} PersonInput={PersonIdPicker} />
          <CheckSettingsCard />
          {mayConnect ? (
            <>
              <ScimTokensCard />
              <LevelMappingsCard />
            </>
          ) : null}
          {mayConnectAssistants ? <AssistantsCard /> : null}
        </>
      )}
    </SettingsPage>
  )
}
