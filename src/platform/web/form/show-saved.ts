import { showSuccess } from '../success-notice.ts'
import type { RecordSnapshot } from './record-parts.ts'

let undoSaves: ((saves: readonly string[]) => Promise<void>) | undefined
/** Sets what Undo does with the requests that saved something. */
export const setUndoSaves = (undo: typeof undoSaves): void => {
  undoSaves = undo
}

/** Undoes what these requests saved. */
export const undoSaved = (saves: readonly string[]): void => void undoSaves?.(saves)

interface SavedNotice {
  readonly text?: string
  /** The record that someone else saved in the meantime, if it was merged: explains the other changed fields. */
  readonly mergedWith?: RecordSnapshot | null
  /** The requests that saved it; none where nothing can be undone. */
  readonly saves?: readonly string[]
}

/** Answers a save, with Undo where it can be undone. */
export const showSaved = ({ text = 'Saved.', mergedWith = null, saves = [] }: SavedNotice = {}): void => {
  const merged = mergedWith === null ? '' : ` Changes that ${mergedWith.updatedBy ?? 'someone else'} made in the meantime were kept too.`
  showSuccess({
    text: `${text}${merged}`,
    ...(saves.length > 0 && undoSaves ? { onUndo: () => undoSaved(saves) } : {}),
  })
}
