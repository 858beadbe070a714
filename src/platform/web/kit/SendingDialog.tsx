import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'

import { withSignIn } from '../form/open-forms.ts'
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
