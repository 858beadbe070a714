import { useState } from 'react'

import { send } from '../../../platform/web/client.ts'
import { SendingDialog } from '../../../platform/web/kit/SendingDialog.tsx'
import { deleteSisSite } from '../contract.ts'
import type { SisSite } from '../contract.ts'

interface RemoveSisModalProps {
  sis: SisSite
  /** Gets the request that removed it. */
  onRemoved: (saves: readonly string[]) => void
  onClose: () => void
}

/** Asks for confirmation before a SIS site is deleted. */
export const RemoveSisModal = ({ sis, onRemoved, onClose }: RemoveSisModalProps) => {
  const [saves] = useState<string[]>([])
  return (
    <SendingDialog
      title={`Remove ${sis.name}?`}
      confirmLabel="Remove"
      isDestructive
      onSend={() => send(deleteSisSite, { params: { id: sis._id }, version: sis.version, saves })}
      onSent={() => onRemoved(saves)}
      onClose={onClose}
    >
      <p>This SIS site will be removed from {sis.site.displayName}. You can restore it from that site’s History.</p>
    </SendingDialog>
  )
}
