import { useMutation } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { showDone } from '../../../../platform/web/notice.ts'
import { removeOwnToken, removeToken } from '../contract.ts'
import type { ApiToken } from '../contract.ts'
import { invalidateAccounts } from './queries.ts'
import type { AccountScope } from './queries.ts'

import classes from './AccountPage.module.css'

interface RemoveTokenDialogProps {
  whose: AccountScope
  token: ApiToken
  onClose: () => void
}

/** Asks before an API token is removed. */
export const RemoveTokenDialog = ({ whose, token: { _id, name }, onClose }: RemoveTokenDialogProps) => {
  const removing = useMutation({
    mutationFn: () =>
      withSignIn(() =>
        whose === null ? send(removeOwnToken, { params: { id: _id } }) : send(removeToken, { params: { id: whose, token: _id } }),
      ),
    onSuccess: () => {
      showDone({ text: `The token ${name} was removed.` })
      invalidateAccounts()
      onClose()
    },
  })
  return (
    <Dialog
      title={`Remove the token ${name}?`}
      action="Remove Token"
      isTaking
      isBusy={removing.isPending}
      error={removing.error}
      onAct={() => removing.mutate()}
      onClose={onClose}
    >
      <p className={classes.plain}>Programs that use this token will stop working. It cannot be restored, but you can create a new one.</p>
    </Dialog>
  )
}
