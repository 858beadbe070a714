import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { SecretDialog } from '../../../../platform/web/kit/SecretDialog.tsx'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { createToken } from '../contract.ts'
import { formatLevel, MAX_TOKEN_NAME_LENGTH, TOKEN_DAYS, getTokenLevels } from '../rules.ts'
import { invalidateAccounts } from './queries.ts'

const EXPIRY_CHOICES = TOKEN_DAYS.map((days) => ({ value: String(days), label: days === 365 ? '1 year' : `${days} days` }))

interface CreateTokenDialogProps {
  ownLevel: number
  onCreated: (made: { name: string; token: string }) => void
  onClose: () => void
}

const CreateTokenDialog = ({ ownLevel: own, onCreated: onMade, onClose }: CreateTokenDialogProps) => {
  const [name, setName] = useState('')
  const [days, setDays] = useState(String(TOKEN_DAYS[1]))
  const [level, setLevel] = useState(String(own))
  const levels = getTokenLevels(own).map((one) => ({
    value: String(one),
    label: `${one}, ${formatLevel(one)}${one === own ? ' (your own)' : ''}`,
  }))
  return (
    <SendingDialog
      title="Create an API Token"
      confirmLabel="Create Token"
      isDisabled={name.trim() === ''}
      onSend={() => send(createToken, { body: { name: name.trim(), days: Number(days), accessLevel: Number(level) } })}
      onSent={({ token, made }) => {
        invalidateAccounts()
        onMade({ name: made.name, token })
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="What the token is for. This name is shown in the list of tokens and in History."
        required
        maxLength={MAX_TOKEN_NAME_LENGTH}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect label="Expires after" data={EXPIRY_CHOICES} value={days} onChange={(event) => setDays(event.currentTarget.value)} />
      <NativeSelect
        label="Level"
        description="Choose the lowest access your program needs. A token never has more access than you: if your access is reduced, so is the token’s."
        data={levels}
        value={level}
        onChange={(event) => setLevel(event.currentTarget.value)}
      />
    </SendingDialog>
  )
}

/** Opens the window to create an API token, then shows the token once. */
export const CreateTokenButton = ({ own }: { own: number }) => {
  const [step, setStep] = useState<'asking' | { name: string; token: string } | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The first window is gone by then and cannot restore the focus.
  const close = () => {
    setStep(null)
    setTimeout(() => button.current?.focus())
  }
  return (
    <>
      <Button ref={button} variant="default" leftSection={<IconPlus size={17} stroke={1.75} />} onClick={() => setStep('asking')}>
        Create a Token
      </Button>
      {step === 'asking' ? <CreateTokenDialog ownLevel={own} onCreated={setStep} onClose={() => setStep(null)} /> : null}
      {step !== null && step !== 'asking' ? (
        <SecretDialog title={`Your API Token ${step.name}`} noun="Token" secret={step.token} onClose={close}>
          Copy it now and store it where only your program can read it. Anyone who has it can act on your behalf.
        </SecretDialog>
      ) : null}
    </>
  )
}
