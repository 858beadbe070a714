import { Checkbox } from '@mantine/core'
import { useState } from 'react'

import { formatCount } from '../../../../contract/format.ts'
import { send } from '../../../../platform/web/client.ts'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { getFirstName } from '../../../access/session/rules.ts'
import { signOutWithoutConfirmation, useUser } from '../../../access/session/web/queries.ts'
import { signOutEverywhere, signOutAccount } from '../contract.ts'
import { invalidateAccounts } from './queries.ts'
import type { AccountScope } from './queries.ts'

import classes from './AccountPage.module.css'

interface SignOutEverywhereDialogProps {
  scope: AccountScope
  /** The name of the other person; null for the user's own sessions. */
  name: string | null
  onClose: () => void
}

/** Confirms ending all sessions of an account, optionally with its API tokens. */
export const SignOutEverywhereDialog = ({ scope, name, onClose }: SignOutEverywhereDialogProps) => {
  const user = useUser()
  const [tokens, setTokens] = useState(false)
  const isOwn = scope === null || scope === user?._id
  return (
    <SendingDialog
      title={isOwn ? 'Sign out everywhere?' : `Sign ${name} out everywhere?`}
      confirmLabel="Sign Out Everywhere"
      isDestructive
      onSend={() =>
        scope === null ? send(signOutEverywhere, { body: { tokens } }) : send(signOutAccount, { params: { id: scope }, body: { tokens } })
      }
      onSent={(ended) => {
        if (isOwn) return signOutWithoutConfirmation()
        const removed = tokens ? ` ${formatCount(ended.tokens, 'API token')} removed.` : ''
        showSuccess({ text: `${name} is signed out: ${formatCount(ended.sessions, 'session')} ended.${removed}` })
        invalidateAccounts()
        onClose()
      }}
      onClose={onClose}
    >
      <p className={classes.plain}>
        {isOwn
          ? 'All your sessions will end, including this one. You will have to sign in again.'
          : `All sessions of ${getFirstName(name ?? '')} will end right away, on every device.`}{' '}
        Programs keep working with {isOwn ? 'your' : 'the'} API tokens unless those are removed too.
      </p>
      <Checkbox
        label={isOwn ? 'Also remove my API tokens' : 'Also remove their API tokens'}
        checked={tokens}
        onChange={(event) => setTokens(event.currentTarget.checked)}
      />
    </SendingDialog>
  )
}
