import { Textarea } from '@mantine/core'
import { useState } from 'react'

import type { Proposal, ProposedField } from '../../../features/changing/requests/contract.ts'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { useHomeDecision } from './actions.ts'

/** Asks why a suggestion is declined. */
export const DeclineDialog = ({ proposal, field, onClose }: { proposal: Proposal; field: ProposedField; onClose: () => void }) => {
  const decision = useHomeDecision()
  const [why, setWhy] = useState('')
  return (
    <Dialog
      title={`Decline ${field.label}?`}
      confirmLabel="Decline"
      isDisabled={why.trim() === ''}
      isBusy={decision.isPending}
      error={decision.error}
      onClose={onClose}
      onConfirm={() => decision.mutate({ proposal, body: { decline: { [field.path]: why } } }, { onSuccess: onClose })}
    >
      <Textarea
        label={`Why? ${proposal.sender.name ?? 'The sender'} reads this.`}
        required
        rows={2}
        maxLength={2000}
        value={why}
        onChange={({ currentTarget }) => setWhy(currentTarget.value)}
        data-autofocus
      />
    </Dialog>
  )
}
