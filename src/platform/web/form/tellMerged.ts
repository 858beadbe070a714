import { showDone } from '../notice.ts'
import type { Snapshot } from './useEditForm.ts'

/** Says that a save went together with somebody else's (D6): nobody should wonder where those fields come from. */
export const tellMerged = (what: string, mergedWith: Snapshot | null): void => {
  if (mergedWith === null) return
  showDone({ text: `${what} was saved. Changes that ${mergedWith.updatedBy ?? 'someone else'} made in the meantime were kept too.` })
}
