import { NativeSelect } from '@mantine/core'
import { useState } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { renewWebhookSecret, type Webhook } from '../contract.ts'
import { OLD_SECRET_HOURS } from '../rules.ts'
import { reloadWebhooks } from './queries.ts'

const OVERLAPS = [
  { value: String(OLD_SECRET_HOURS), label: 'After one day' },
  { value: String(7 * 24), label: 'After one week' },
  { value: '0', label: 'Now, because it was lost' },
]

interface RenewSecretDialogProps {
  webhook: Webhook
  onRenewed: (secret: string) => void
  onClose: () => void
}

/** Gives a webhook a new secret; it is shown in the next window. */
export const RenewSecretDialog = ({ webhook: { _id: id, version }, onRenewed, onClose }: RenewSecretDialogProps) => {
  const [hours, setHours] = useState(String(OLD_SECRET_HOURS))
  return (
    <SendingDialog
      title="Create a new secret?"
      confirmLabel="Create Secret"
      onSend={() => send(renewWebhookSecret, { params: { id }, body: { overlapHours: Number(hours) }, version })}
      onSent={({ secret }) => {
        reloadWebhooks()
        onRenewed(secret)
      }}
      onClose={onClose}
    >
      <NativeSelect
        label="The old secret ends"
        description="Until then messages are signed with both, so that the other program can change over."
        data={OVERLAPS}
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
      />
    </SendingDialog>
  )
}
