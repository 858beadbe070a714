import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'

import { formatDay } from '../../../../contract/dates.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { getToday } from '../../../../platform/web/today.ts'
import { MAX_NOTE_LENGTH } from '../contract.ts'
import { addDays } from '../rules.ts'
import { type DeadlineDialogProps, getFieldError, getOtherError, useDeadlineChange } from './use-deadline-change.ts'

import classes from './DeadlineDialog.module.css'

/** Snoozes a deadline until a day, with a reason. */
export const PutOffDialog = ({ deadline, onSaved, onClose }: DeadlineDialogProps) => {
  const change = useDeadlineChange({ deadline, onSaved })
  const [day, setDay] = useState(deadline.snoozedUntil ?? '')
  const [reason, setReason] = useState(deadline.note ?? '')
  const [isMissing, setMissing] = useState(false)
  const dayError = isMissing ? 'Enter the day until which it is put off' : getFieldError(change.error, 'snoozedUntil')
  return (
    <Dialog
      title="Put off this deadline"
      confirmLabel="Put off"
      isBusy={change.isSaving}
      error={getOtherError(change.error, ['snoozedUntil', 'note'])}
      onConfirm={() => {
        setMissing(day === '')
        if (day !== '') change.save({ state: 'snoozed', snoozedUntil: day, note: reason })
      }}
      onClose={onClose}
    >
      <p className={classes.about}>
        <strong>{deadline.title}</strong>, {formatDay(deadline.date)}
      </p>
      <TextInput
        label="Until"
        type="date"
        required
        data-autofocus
        min={addDays(getToday(), 1)}
        max="2199-12-31"
        value={day}
        error={dayError}
        onChange={(event) => {
          setDay(event.currentTarget.value)
          setMissing(false)
          change.reset()
        }}
      />
      <Textarea
        label="Reason"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_NOTE_LENGTH}
        value={reason}
        error={getFieldError(change.error, 'note')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  )
}
