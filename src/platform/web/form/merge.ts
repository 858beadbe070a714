import { changedPaths, isSameValue } from './values.ts'
import type { Values } from './values.ts'

/** Two edits of one record (D6): what both began with, what was typed here, and what somebody else saved meanwhile. */
export interface Merge {
  /** Fields that both changed, and not to the same: somebody has to choose. */
  readonly clashes: readonly string[]
  /** Fields that only one of them changed. */
  readonly mine: readonly string[]
  readonly theirs: readonly string[]
  /** Everything together; a clashing field is still as it was typed here. */
  readonly values: Values
}

/** Puts two edits of one record together, field by field. */
export const mergeEdits = (before: Values, mine: Values, theirs: Values): Merge => {
  const changedHere = changedPaths(before, mine)
  const changedThere = changedPaths(before, theirs)
  return {
    clashes: changedHere.filter((path) => changedThere.includes(path) && !isSameValue(mine[path], theirs[path])),
    mine: changedHere.filter((path) => !changedThere.includes(path)),
    theirs: changedThere.filter((path) => !changedHere.includes(path)),
    values: { ...theirs, ...Object.fromEntries(changedHere.map((path) => [path, mine[path] ?? null])) },
  }
}
