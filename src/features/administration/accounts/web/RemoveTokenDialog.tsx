
import { send } from '../../../../platform/web/client.ts'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { removeOwnToken, removeToken } from '../contract.ts'
import type { ApiToken } from '../contract.ts'
import { invalidateAccounts } from './queries.ts'
import type { AccountScope } from './queries.ts'

import classes from './AccountPage.module.css'

interface RemoveTokenDialogProps {
  scope: AccountScope
  token: ApiToken
  onClose: () => void
}

/** Asks before an API token is removed. */
export const RemoveTokenDialog = ({ scope, token: { _id, name }, onClose }: RemoveTokenDialogProps) => (
  <SendingDialog
    title={`Remove the token ${name}?`}
    confirmLabel="Remove Token"
    isDestructive
    onSend={() =>
      scope === null ? send(removeOwnToken, { params: { id: _id } }) : send(removeToken, { params: { id: scope, token: _id } })
    }
    onSent={() => {
      showSuccess({ text: `The token ${name} was removed.` })
      invalidateAccounts()
      onClose()
    }}
    onClose={onClose}
  >
    <p className={classes.plain}>Programs that use this token will stop working. It cannot be restored, but you can create a new one.</p>
  </SendingDialog>
)
