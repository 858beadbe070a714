import { showSuccess } from '../success-notice.ts'
import type { RecordSnapshot } from './record-parts.ts'

/** Says that a save was merged with someone else's, to explain the other changed fields. */
export const showMergedNotice = (what: string, mergedWith: RecordSnapshot | null): void => {
  if (mergedWith === null) return
  showSuccess({ text: `${what} was saved. Changes that ${mergedWith.updatedBy ?? 'someone else'} made in the meantime were kept too.` })
}
