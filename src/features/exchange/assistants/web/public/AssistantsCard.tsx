import { Button } from '@mantine/core'
import { useState } from 'react'

import { formatCount } from '../../../../../contract/format.ts'
import { send } from '../../../../../platform/web/client.ts'
import { CopyButton } from '../../../../../platform/web/kit/CopyButton.tsx'
import { ConfirmDialog } from '../../../../../platform/web/kit/SendingDialog.tsx'
import { SettingsCard, SettingsRow, SettingsRows } from '../../../../../platform/web/kit/SettingsCard.tsx'
import { RowSkeleton } from '../../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../../platform/web/list/LoadedList.tsx'
import { type AssistantSettings, saveAssistantSettings } from '../../contract.ts'
import { reloadAssistantSettings, useAssistantSettings } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'

const SwitchDialog = ({ isOn, onClose }: { isOn: boolean; onClose: () => void }) => (
  <ConfirmDialog
    title={isOn ? 'Turn assistants off?' : 'Turn assistants on?'}
    confirmLabel={isOn ? 'Turn Off' : 'Turn On'}
    isDestructive={isOn}
    onSend={() => send(saveAssistantSettings, { body: { isOn: !isOn } })}
    doneText={isOn ? 'Assistants are off.' : 'Assistants are on.'}
    reload={reloadAssistantSettings}
    onClose={onClose}
  >
    <p>
      {isOn
        ? 'Every question of an assistant is refused until they are turned on again. What people allowed is kept.'
        : 'Everyone can then let an assistant read what they can open. What it reads leaves Homeroom and is handled by the company that runs the assistant.'}
    </p>
  </ConfirmDialog>
)

const formatState = ({ isOn, isOnByConfiguration, assistants }: AssistantSettings): string => {
  const allowed = `${formatCount(assistants, ['assistant', 'assistants'])} allowed`
  if (isOnByConfiguration) return `On by the configuration of the server (MCP=on) · ${allowed}`
  return isOn ? `On · ${allowed}` : 'Off'
}

/** Whether assistants can connect, and at which address. */
export const AssistantsCard = () => {
  const query = useAssistantSettings()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <SettingsCard
        title="Assistants"
        about="Claude, ChatGPT, Copilot and other assistants can look things up at the level of the person who allows it, and suggest changes that a person decides on (Model Context Protocol). They are connected with this address."
      >
        <LoadedList query={query} skeleton={<RowSkeleton />}>
          {(settings) => (
            <>
              <p className={`${layoutClasses.row} ${layoutClasses.breakable} ${layoutClasses.bottomMargin12}`}>
                <span>{settings.url}</span>
                <CopyButton value={settings.url} what="address for assistants" />
              </p>
              <SettingsRows label="Assistants">
                <SettingsRow name="Access for assistants" details={<span>{formatState(settings)}</span>}>
                  {settings.isOnByConfiguration ? null : (
                    <Button variant="default" onClick={() => setAsking(true)}>
                      {settings.isOn ? 'Turn Assistants Off' : 'Turn Assistants On'}
                    </Button>
                  )}
                </SettingsRow>
              </SettingsRows>
            </>
          )}
        </LoadedList>
      </SettingsCard>
      {isAsking && query.data ? <SwitchDialog isOn={query.data.isOn} onClose={() => setAsking(false)} /> : null}
    </>
  )
}
