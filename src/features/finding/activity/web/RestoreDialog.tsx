import { configuration } from '../../../../platform/web/configuration.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import type { ActivityEntry } from '../contract.ts'
import { describeUndone } from '../rules.ts'
import { useActivityRecords } from './activity-records.ts'
import { listEntryLines } from './describe-entry.ts'
import { EntryLineRow } from './EntryLineRow.tsx'
import { useRestoreEntry } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './RestoreDialog.module.css'

interface RestoreDialogProps {
  readonly entry: ActivityEntry
  /** Whether everything is undone together, rather than values restored. */
  readonly isUndo: boolean
  readonly onClose: () => void
}

/** What is restored of one record, value by value. */
const RESTORED = { kind: '', action: 'update', records: 1 }
/** Later changes by others stay. */
const describeLeft = (left: number): string =>
  left === 0 ? '' : left === 1 ? ' One was changed afterwards and stays.' : ` ${left} were changed afterwards and stay.`

/** Shows what will be restored, and asks for confirmation. */
export const RestoreDialog = ({ entry, isUndo, onClose }: RestoreDialogProps) => {
  const { parts } = useActivityRecords()
  const restore = useRestoreEntry()
  const restorable = { ...entry, changes: entry.changeset ? entry.changes : entry.changes.filter(({ canRestore }) => canRestore) }
  const lines = listEntryLines(parts, restorable, configuration.timeZone).map((line) => ({ ...line, from: line.to, to: line.from }))
  return (
    <Dialog
      title={isUndo ? 'Undo all of this?' : 'Restore the earlier values?'}
      confirmLabel={isUndo ? 'Undo' : 'Restore'}
      focusesCancel
      isBusy={restore.isPending}
      error={restore.error}
      onClose={onClose}
      onConfirm={() =>
        restore.mutate(entry, {
          onSuccess: (left) => {
            showSuccess({ text: `${describeUndone(entry.changeset ? entry.counts : [RESTORED], left)}${describeLeft(left)}` })
            onClose()
          },
        })
      }
    >
      <ul className={`${textClasses.smallFont} ${layoutClasses.scrolling} ${classes.lines}`} aria-label="What is restored" tabIndex={-1}>
        {lines.map((line) => (
          <EntryLineRow key={line.key} line={line} />
        ))}
      </ul>
    </Dialog>
  )
}
