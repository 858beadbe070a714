import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { createWebhook } from '../contract.ts'
import { getFieldError, getOtherError } from './field-errors.ts'
import { WebhookFields, type WebhookValues } from './WebhookFields.tsx'

interface AddWebhookDialogProps {
  onAdded: (added: { url: string; secret: string }) => void
  onClose: () => void
}

/** Adds a webhook; its secret is shown in the next window. */
export const AddWebhookDialog = ({ onAdded, onClose }: AddWebhookDialogProps) => {
  const [values, setValues] = useState<WebhookValues>({ url: '', events: [] })
  const adding = useMutation({
    mutationFn: () => withSignIn(() => send(createWebhook, { body: { url: values.url, events: [...values.events] } })),
    onSuccess: ({ secret }) => onAdded({ url: values.url.trim(), secret }),
  })
  return (
    <Dialog
      title="Add a Webhook"
      confirmLabel="Add Webhook"
      size={600}
      isBusy={adding.isPending}
      error={getOtherError(adding.error)}
      onConfirm={() => adding.mutate()}
      onClose={onClose}
    >
      <WebhookFields
        values={values}
        errorOf={(path) => getFieldError(adding.error, path)}
        onChange={(next) => {
          setValues(next)
          adding.reset()
        }}
      />
    </Dialog>
  )
}
