import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import type { BodyOf } from '../../../../contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { updateWebhook, type Webhook } from '../contract.ts'
import { reloadWebhooks } from './queries.ts'
import { WebhookDialog } from './WebhookDialog.tsx'

/** Changes the URL and the events of a webhook, starting from their values when the window opened. */
export const EditWebhookDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const [{ _id: id, version, url, events }] = useState(webhook)
  const saving = useMutation({
    mutationFn: (body: BodyOf<typeof updateWebhook>) => withSignIn(() => send(updateWebhook, { params: { id }, body, version })),
    onSuccess: () => {
      reloadWebhooks()
      showSuccess({ text: 'The webhook was saved.' })
      onClose()
    },
  })
  return (
    <WebhookDialog
      title="Edit this Webhook"
      confirmLabel="Save"
      initial={{ url, events }}
      isBusy={saving.isPending}
      error={saving.error}
      onSave={saving.mutate}
      onChange={saving.reset}
      onClose={onClose}
    />
  )
}
