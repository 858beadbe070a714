import { useMutation } from '@tanstack/react-query'

import type { BodyOf } from '../../../../contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { createWebhook } from '../contract.ts'
import { WebhookDialog } from './WebhookDialog.tsx'

interface AddWebhookDialogProps {
  onAdded: (added: { url: string; secret: string }) => void
  onClose: () => void
}

/** Adds a webhook; its secret is shown in the next window. */
export const AddWebhookDialog = ({ onAdded, onClose }: AddWebhookDialogProps) => {
  const adding = useMutation({
    mutationFn: (body: BodyOf<typeof createWebhook>) => withSignIn(() => send(createWebhook, { body })),
    onSuccess: ({ secret }, { url }) => onAdded({ url, secret }),
  })
  return (
    <WebhookDialog
      title="Add a Webhook"
      confirmLabel="Add Webhook"
      initial={{ url: '', events: [] }}
      isBusy={adding.isPending}
      error={adding.error}
      onSave={adding.mutate}
      onChange={adding.reset}
      onClose={onClose}
    />
  )
}
