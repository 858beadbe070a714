import { useNavigate } from '@tanstack/react-router'

import { send } from '../../../../platform/web/client.ts'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { deleteWebhook, type Webhook } from '../contract.ts'
import { formatTarget } from '../rules.ts'
import { reloadWebhooks } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'

/** Asks before a webhook is removed, then goes to the list. */
export const RemoveWebhookDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const { _id: id, version } = webhook
  const navigate = useNavigate()
  return (
    <SendingDialog
      title="Remove this webhook?"
      confirmLabel="Remove Webhook"
      isDestructive
      onSend={() => send(deleteWebhook, { params: { id }, version })}
      onSent={async () => {
        await navigate({ to: '/webhooks', replace: true })
        showSuccess({ text: 'The webhook was removed.' })
        reloadWebhooks()
      }}
      onClose={onClose}
    >
      <p className={`${layoutClasses.breakable} ${textClasses.dimmed}`}>{formatTarget(webhook)}</p>
      <p>It receives no more events, and its deliveries are deleted. This cannot be undone.</p>
    </SendingDialog>
  )
}
