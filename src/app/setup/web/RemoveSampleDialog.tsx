import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { formatCount } from '../../../contract/format.ts'
import { send } from '../../../platform/web/client.ts'
import { SendingDialog } from '../../../platform/web/kit/SendingDialog.tsx'
import { queryClient } from '../../../platform/web/queries.ts'
import { showSuccess } from '../../../platform/web/success-notice.ts'
import { removeSample, type Setup } from '../contract.ts'
import { REMOVAL_WORDS } from '../rules.ts'

import textClasses from '../../../platform/web/kit/Text.module.css'

export type Sample = NonNullable<Setup['sample']>

export const RemoveSampleDialog = ({ sample, onClose }: { sample: Sample; onClose: () => void }) => {
  const [typed, setTyped] = useState('')
  const navigate = useNavigate()
  return (
    <SendingDialog
      title="Remove the sample network?"
      confirmLabel="Remove the Sample"
      isDestructive
      isDisabled={typed.trim().toLowerCase() !== REMOVAL_WORDS}
      onSend={() => send(removeSample, { body: { confirm: REMOVAL_WORDS } })}
      onSent={async ({ backup }) => {
        onClose()
        await queryClient.resetQueries()
        showSuccess({ text: `The sample network is gone. The backup is ${backup} on the server.` })
        await navigate({ to: '/setup' })
      }}
      onClose={onClose}
    >
      <p>
        All {formatCount(sample.sites, ['site', 'sites'])} of the sample go, with its charters, people, requests and accounts. What stays is
        your account, the settings, and the audit trail.
      </p>
      {sample.changes > 0 ? (
        <p className={textClasses.strong}>
          {formatCount(sample.changes, ['change was', 'changes were'])} made in this network since it was loaded. They go too, records of
          your own included.
        </p>
      ) : null}
      <p>A backup is made first, which “homeroom restore” restores into an empty database.</p>
      <TextInput
        label={`Type “${REMOVAL_WORDS}”`}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </SendingDialog>
  )
}
