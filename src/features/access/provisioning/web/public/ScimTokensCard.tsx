import { Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'

import { formatDaysAgo } from '../../../../../contract/dates.ts'
import { send } from '../../../../../platform/web/client.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { CopyButton } from '../../../../../platform/web/kit/CopyButton.tsx'
import { SecretDialog } from '../../../../../platform/web/kit/SecretDialog.tsx'
import { ConfirmDialog, SendingDialog } from '../../../../../platform/web/kit/SendingDialog.tsx'
import { SettingsCard, SettingsRow, SettingsRows } from '../../../../../platform/web/kit/SettingsCard.tsx'
import { RowSkeleton } from '../../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../../platform/web/list/LoadedList.tsx'
import { createScimToken, deleteScimToken, MAX_SCIM_TOKENS, MAX_SCIM_TOKEN_NAME_LENGTH, type ScimToken } from '../../contract.ts'
import { reloadScimTokens, useScimTokens } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import classes from '../Directory.module.css'

const CreateScimTokenDialog = ({ onCreated, onClose }: { onCreated: (token: string) => void; onClose: () => void }) => {
  const [name, setName] = useState('')
  return (
    <SendingDialog
      title="Create a Token for Your Directory"
      confirmLabel="Create Token"
      isDisabled={name.trim() === ''}
      onSend={() => send(createScimToken, { body: { name: name.trim() } })}
      onSent={({ token }) => {
        reloadScimTokens()
        onCreated(token)
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Which directory uses it, for example Entra ID"
        required
        maxLength={MAX_SCIM_TOKEN_NAME_LENGTH}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </SendingDialog>
  )
}

const RemoveScimTokenDialog = ({ token: { _id, name }, onClose }: { token: ScimToken; onClose: () => void }) => (
  <ConfirmDialog
    title={`Remove the token ${name}?`}
    confirmLabel="Remove Token"
    isDestructive
    onSend={() => send(deleteScimToken, { params: { id: _id } })}
    doneText={`The token ${name} was removed.`}
    reload={reloadScimTokens}
    onClose={onClose}
  >
    <p>A directory that uses it can no longer create or disable accounts. Accounts and groups stay as they are.</p>
  </ConfirmDialog>
)

const formatTimes = ({ createdAt, createdBy, usedAt }: ScimToken): string =>
  [
    `Created ${formatDaysAgo(createdAt, configuration.timeZone)}${createdBy === null ? '' : ` by ${createdBy}`}`,
    usedAt === null ? 'never used' : `last used ${formatDaysAgo(usedAt, configuration.timeZone)}`,
  ].join(' · ')

/** The tokens with which a directory creates and disables accounts (SCIM). */
export const ScimTokensCard = () => {
  const query = useScimTokens()
  const [step, setStep] = useState<'asking' | { token: string } | null>(null)
  const [removing, setRemoving] = useState<ScimToken | null>(null)
  const address = `${window.location.origin}/scim/v2`
  return (
    <>
      <SettingsCard
        title="Accounts from the directory"
        about="Microsoft Entra ID, Okta or another directory can create and disable accounts here (SCIM 2.0). Enter this address and a token there. There can be two tokens, so that one can be replaced while the other is in use."
      >
        <p className={`${layoutClasses.breakable} ${layoutClasses.spaced} ${classes.address}`}>
          <span>{address}</span>
          <CopyButton value={address} what="SCIM address" />
        </p>
        <LoadedList query={query} skeleton={<RowSkeleton />}>
          {(tokens) => (
            <>
              {tokens.length === 0 ? null : (
                <SettingsRows label="Tokens of the directory">
                  {tokens.map((token) => (
                    <SettingsRow key={token._id} name={token.name} details={<span>{formatTimes(token)}</span>}>
                      <Button variant="default" aria-label={`Remove the token ${token.name}`} onClick={() => setRemoving(token)}>
                        Remove
                      </Button>
                    </SettingsRow>
                  ))}
                </SettingsRows>
              )}
              {tokens.length < MAX_SCIM_TOKENS ? (
                <Button variant="default" leftSection={<IconPlus size={17} stroke={1.75} />} onClick={() => setStep('asking')}>
                  Create a Token for the Directory
                </Button>
              ) : null}
            </>
          )}
        </LoadedList>
      </SettingsCard>
      {step === 'asking' ? <CreateScimTokenDialog onCreated={(token) => setStep({ token })} onClose={() => setStep(null)} /> : null}
      {step !== null && step !== 'asking' ? (
        <SecretDialog title="The Token for Your Directory" noun="Token" secret={step.token} onClose={() => setStep(null)}>
          Copy it now into your directory. Anyone who has it can create and disable accounts, and put them into groups that give a level.
        </SecretDialog>
      ) : null}
      {removing ? <RemoveScimTokenDialog token={removing} onClose={() => setRemoving(null)} /> : null}
    </>
  )
}
