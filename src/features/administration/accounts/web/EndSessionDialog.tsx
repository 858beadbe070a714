
import { send } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { endOwnSession, endSession } from '../contract.ts'
import type { AccountSession } from '../contract.ts'
import { formatRelativeMoment } from '../rules.ts'
import { invalidateAccounts } from './queries.ts'
import type { AccountScope } from './queries.ts'

import classes from './AccountPage.module.css'

interface EndSessionDialogProps {
  scope: AccountScope
  session: AccountSession
  onClose: () => void
}

export const EndSessionDialog = ({ scope, session, onClose }: EndSessionDialogProps) => {
  const { _id, browser, address, usedAt } = session
  return (
    <SendingDialog
      title="End this session?"
      confirmLabel="End Session"
      isDestructive
      onSend={() =>
        scope === null ? send(endOwnSession, { params: { id: _id } }) : send(endSession, { params: { id: scope, session: _id } })
      }
      onSent={() => {
        showSuccess({ text: `The session in ${browser} was ended.` })
        invalidateAccounts()
        onClose()
      }}
      onClose={onClose}
    >
      <p className={classes.plain}>
        <strong>{browser}</strong>
        {address === null ? null : `, from ${address}`}, last used {formatRelativeMoment(usedAt, configuration.timeZone)}.
      </p>
      <p className={classes.plain}>
        This browser will have to sign in again. The work account may still be signed in on that device: if the device is lost, change the
        password of the work account too.
      </p>
    </SendingDialog>
  )
}
