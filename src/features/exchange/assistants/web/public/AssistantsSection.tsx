import { Button } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useState } from 'react'

import { formatMomentDay } from '../../../../../contract/dates.ts'
import { formatRelativeMoment } from '../../../../../contract/relative-moment.ts'
import { send } from '../../../../../platform/web/client.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { IconRow, IconRows } from '../../../../../platform/web/kit/IconRow.tsx'
import { Section } from '../../../../../platform/web/kit/Section.tsx'
import { ConfirmDialog } from '../../../../../platform/web/kit/SendingDialog.tsx'
import { type Assistant, endAssistant } from '../../contract.ts'
import { SCOPES } from '../../rules.ts'
import { reloadAssistants, useAssistants } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'

const { timeZone } = configuration

const toLines = ({ scopes, destination, createdAt, lastUsedAt }: Assistant): string[][] => [
  [scopes.map((scope) => SCOPES[scope].name).join(', '), `Goes to ${destination}`],
  [
    lastUsedAt === null ? 'Never used' : `Last used ${formatRelativeMoment(lastUsedAt, timeZone)}`,
    `Allowed ${formatMomentDay(createdAt, timeZone)}`,
  ],
]

const EndAssistantDialog = ({ assistant: { _id, name }, onClose }: { assistant: Assistant; onClose: () => void }) => (
  <ConfirmDialog
    title={`End ${name}?`}
    confirmLabel="End Access"
    isDestructive
    onSend={() => send(endAssistant, { params: { id: _id } })}
    doneText={`The access of ${name} was ended.`}
    reload={reloadAssistants}
    onClose={onClose}
  >
    <p>Its next question is refused. What it has already read stays with it, and suggestions that it sent stay.</p>
  </ConfirmDialog>
)

/** The assistants that an account let in: the user's own, or for level 1 those of another account. Nothing if there are none. */
export const AssistantsSection = ({ account }: { account: string | null }) => {
  const { data: assistants = [] } = useAssistants(account)
  const [ending, setEnding] = useState<Assistant | null>(null)
  return (
    <>
      {assistants.length === 0 ? null : (
        <Section title="Assistants" count={assistants.length}>
          <p className={`${textClasses.detail} ${layoutClasses.bottomMargin12}`}>
            {account === null
              ? 'Programs such as Claude, ChatGPT or Copilot that you let in. They see what you see, at your level.'
              : 'Programs that see what this person sees, at this person’s level.'}
          </p>
          <IconRows label="Assistants">
            {assistants.map((assistant) => (
              <IconRow
                key={assistant._id}
                icon={IconRobot}
                name={assistant.name}
                lines={toLines(assistant)}
                actions={
                  <Button
                    variant="default"
                    className={textClasses.bad}
                    aria-label={`End the assistant ${assistant.name}`}
                    onClick={() => setEnding(assistant)}
                  >
                    End
                  </Button>
                }
              />
            ))}
          </IconRows>
        </Section>
      )}
      {ending ? <EndAssistantDialog assistant={ending} onClose={() => setEnding(null)} /> : null}
    </>
  )
}
