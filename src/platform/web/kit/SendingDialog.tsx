import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'

import { withSignIn } from '../form/open-forms.ts'
import { showSuccess } from '../success-notice.ts'
import { Dialog } from './Dialog.tsx'

interface SendingDialogProps<Answer> extends Omit<ComponentProps<typeof Dialog>, 'isBusy' | 'error' | 'onConfirm'> {
  /** Sends the action; called again after a sign-in if the session has expired. */
  onSend: () => Promise<Answer>
  /** What follows once it was sent; the dialog does not close by itself. */
  onSent: (answer: Answer) => unknown
}

/** A dialog that sends its action itself. */
export const SendingDialog = <Answer,>({ onSend, onSent, ...dialog }: SendingDialogProps<Answer>) => {
  const sending = useMutation({ mutationFn: () => withSignIn(onSend), onSuccess: onSent })
  return <Dialog {...dialog} isBusy={sending.isPending} error={sending.error} onConfirm={() => sending.mutate()} />
}

interface ConfirmDialogProps extends Omit<SendingDialogProps<unknown>, 'onSent'> {
  /** The notice after it was sent. */
  doneText: string
  /** Reloads what it changed. */
  reload: () => void
}

/** A SendingDialog that closes once it was sent, with a notice. */
export const ConfirmDialog = ({ doneText, reload, ...dialog }: ConfirmDialogProps) => (
  <SendingDialog
    {...dialog}
    onSent={() => {
      showSuccess({ text: doneText })
      reload()
      dialog.onClose()
    }}
  />
)
