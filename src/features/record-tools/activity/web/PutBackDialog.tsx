import { configuration } from '../../../../platform/web/configuration.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import type { ActivityEntry } from '../contract.ts'
import { useActivityRecords } from './activity-records.ts'
import { listEntryLines } from './describe-entry.ts'
import { EntryLineRow } from './EntryLineRow.tsx'
import { usePutBack } from './queries.ts'

import classes from './PutBackDialog.module.css'

interface PutBackDialogProps {
  readonly entry: ActivityEntry
  readonly isOfMany: boolean
  readonly onClose: () => void
}

/** Shows what would be restored, and asks. */
export const PutBackDialog = ({ entry, isOfMany, onClose }: PutBackDialogProps) => {
  const { parts } = useActivityRecords()
  const putBack = usePutBack()
  const restorable = { ...entry, changes: entry.changes.filter(({ canPutBack }) => canPutBack) }
  const lines = listEntryLines(parts, restorable, configuration.timeZone).map((line) => ({ ...line, from: line.to, to: line.from }))
  return (
    <Dialog
      title={isOfMany ? 'Undo all of this?' : 'Restore the earlier values?'}
      confirmLabel={isOfMany ? 'Undo' : 'Restore'}
      focusesCancel
      isBusy={putBack.isPending}
      error={putBack.error}
      onClose={onClose}
      onConfirm={() =>
        putBack.mutate(entry, {
          onSuccess: () => {
            showSuccess({ text: 'The earlier values are back.' })
            onClose()
          },
        })
      }
    >
      <ul className={classes.lines} aria-label="What is restored" tabIndex={-1}>
        {lines.map((line) => (
          <EntryLineRow key={line.key} line={line} />
        ))}
      </ul>
    </Dialog>
  )
}
