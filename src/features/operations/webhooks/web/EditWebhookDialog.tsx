import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { updateWebhook, type Webhook } from '../contract.ts'
import { getFieldError, getOtherError } from './field-errors.ts'
import { reloadWebhooks } from './queries.ts'
import { WebhookFields, type WebhookValues } from './WebhookFields.tsx'

/** Changes the web address and the events of a webhook, as they were when the window opened. */
export const EditWebhookDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const [seen] = useState(webhook)
  const [values, setValues] = useState<WebhookValues>(seen)
  const saving = useMutation({
    mutationFn: () =>
      withSignIn(() =>
        send(updateWebhook, { params: { id: seen._id }, body: { url: values.url, events: [...values.events] }, version: seen.version }),
      ),
    onSuccess: () => {
      reloadWebhooks()
      showSuccess({ text: 'The webhook was saved.' })
      onClose()
    },
  })
  return (
    <Dialog
      title="Edit this Webhook"
      confirmLabel="Save"
      size={600}
      isBusy={saving.isPending}
      error={getOtherError(saving.error)}
      onConfirm={() => saving.mutate()}
      onClose={onClose}
    >
      <WebhookFields
        values={values}
        errorOf={(path) => getFieldError(saving.error, path)}
        onChange={(next) => {
          setValues(next)
          saving.reset()
        }}
      />
    </Dialog>
  )
}
