import { IconCheck, IconPencil, IconX } from '@tabler/icons-react'

import type { DecisionChoice } from './decision.ts'

import classes from './DecidePage.module.css'

interface DecisionButtonsProps {
  /** The subject of the decision. */
  label: string
  chosen: DecisionChoice['kind'] | undefined
  canEdit: boolean
  onChoose: (kind: 'accept' | 'edit' | 'decline') => void
}

/** Accept, Edit and Decline as toggle buttons; pressing the selected one again clears it. */
export const DecisionButtons = ({ label, chosen, canEdit, onChoose }: DecisionButtonsProps) => {
  const isAccepted = chosen === 'accept' || chosen === 'edit' || chosen === 'other'
  return (
    <div role="group" aria-label={`Decision: ${label}`} className={classes.buttons}>
      <button type="button" data-tone="ok" aria-pressed={isAccepted} onClick={() => onChoose('accept')}>
        <IconCheck size={15} stroke={2} aria-hidden />
        {isAccepted ? 'Accepted' : 'Accept'}
      </button>
      {canEdit ? (
        <button type="button" aria-pressed={chosen === 'edit'} onClick={() => onChoose('edit')}>
          <IconPencil size={15} stroke={1.75} aria-hidden />
          Edit
        </button>
      ) : null}
      <button type="button" data-tone="bad" aria-pressed={chosen === 'decline'} onClick={() => onChoose('decline')}>
        <IconX size={15} stroke={2} aria-hidden />
        {chosen === 'decline' ? 'Declined' : 'Decline'}
      </button>
    </div>
  )
}
