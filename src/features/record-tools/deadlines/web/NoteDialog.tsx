import { Textarea } from '@mantine/core'
import { useState } from 'react'

import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { MAX_NOTE_LENGTH } from '../contract.ts'
import { type DeadlineDialogProps, getFieldError, getOtherError, useDeadlineChange } from './use-deadline-change.ts'

import classes from './DeadlineDialog.module.css'

/** The note of a deadline. */
export const NoteDialog = ({ deadline, onSaved, onClose }: DeadlineDialogProps) => {
  const change = useDeadlineChange({ deadline, onSaved })
  const [note, setNote] = useState(deadline.note ?? '')
  return (
    <Dialog
      title="Note"
      confirmLabel="Save"
      isBusy={change.isSaving}
      error={getOtherError(change.error, ['note'])}
      onConfirm={() => change.save({ note })}
      onClose={onClose}
    >
      <p className={classes.about}>
        <strong>{deadline.title}</strong>
      </p>
      <Textarea
        label="Note"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_NOTE_LENGTH}
        data-autofocus
        value={note}
        error={getFieldError(change.error, 'note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  )
}
