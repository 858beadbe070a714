import { TextInput } from '@mantine/core'
import { useState } from 'react'

import { CheckIntervals, type CheckedKind } from '../../../../contract/checks.ts'
import { RECORD_LABELS } from '../../../../contract/records.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { useSaveInterval } from './queries.ts'

interface IntervalDialogProps {
  readonly kind: CheckedKind
  readonly days: number | null
  readonly version: number
  readonly onClose: () => void
}

/** The check interval of a kind of records in days; an empty field turns checks off. */
export const IntervalDialog = ({ kind, days, version, onClose }: IntervalDialogProps) => {
  const saving = useSaveInterval(version, onClose)
  const [typed, setTyped] = useState(days === null ? '' : String(days))
  const read = CheckIntervals.shape[kind].safeParse(typed.trim() === '' ? null : Number(typed))
  return (
    <Dialog
      title={`Checks: ${RECORD_LABELS[kind]}`}
      confirmLabel="Save Changes"
      isDisabled={!read.success}
      isBusy={saving.isPending}
      error={saving.error}
      onConfirm={() => read.success && saving.mutate({ [kind]: read.data })}
      onClose={onClose}
    >
      <TextInput
        label="Days after which a check is due"
        description="Empty: these records are not checked"
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        value={typed}
        error={read.success ? null : read.error.issues[0]?.message}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Dialog>
  )
}
