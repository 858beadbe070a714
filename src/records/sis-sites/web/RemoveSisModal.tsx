import { useMutation } from '@tanstack/react-query'

import { send } from '../../../platform/web/client.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { deleteSisSite } from '../contract.ts'
import type { SisSite } from '../contract.ts'

interface RemoveSisModalProps {
  sis: SisSite
  onRemoved: () => void
  onClose: () => void
}

/** Asks for confirmation before a SIS site is deleted. */
export const RemoveSisModal = ({ sis, onRemoved, onClose }: RemoveSisModalProps) => {
  const removing = useMutation({
    mutationFn: () => withSignIn(() => send(deleteSisSite, { params: { id: sis._id }, version: sis.version })),
    onSuccess: onRemoved,
  })
  return (
    <Dialog
      title={`Remove ${sis.name}?`}
      confirmLabel="Remove"
      isDestructive
      isBusy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      <p>This SIS site will be removed from {sis.site.displayName}. You can restore it from that site’s History.</p>
    </Dialog>
  )
}
