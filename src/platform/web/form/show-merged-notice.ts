import { showSuccess } from '../success-notice.ts'
import type { RecordSnapshot } from './record-parts.ts'

/** Says that a save went together with someone else's: no one should wonder where those fields come from. */
export const showMergedNotice = (what: string, mergedWith: RecordSnapshot | null): void => {
  if (mergedWith === null) return
  showSuccess({ text: `${what} was saved. Changes that ${mergedWith.updatedBy ?? 'someone else'} made in the meantime were kept too.` })
}
