import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { formatCount } from '../../../contract/format.ts'
import { send } from '../../../platform/web/client.ts'
import { SendingDialog } from '../../../platform/web/kit/SendingDialog.tsx'
import { queryClient } from '../../../platform/web/queries.ts'
import { showSuccess } from '../../../platform/web/success-notice.ts'
import { removeSample, type Setup } from '../contract.ts'
import { REMOVAL_WORDS } from '../rules.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './public/SetupCard.module.css'

type Sample = NonNullable<Setup['sample']>

const RemoveSampleDialog = ({ sample, onClose }: { sample: Sample; onClose: () => void }) => {
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

/** Offers to replace the sample network with real records. */
export const SampleNotice = ({ sample }: { sample: Sample }) => {
  const [isRemoving, setRemoving] = useState(false)
  return (
    <section className={`${layoutClasses.card} ${layoutClasses.spreadRow} ${classes.card}`} aria-labelledby="own-records">
      <div>
        <h2 id="own-records">Start with your own records</h2>
        <p className={textClasses.dimmed}>Everything here is invented. When you have seen enough, bring in your own schools and people.</p>
      </div>
      <Button onClick={() => setRemoving(true)}>Start with Your Own Records</Button>
      {isRemoving ? <RemoveSampleDialog sample={sample} onClose={() => setRemoving(false)} /> : null}
    </section>
  )
}
