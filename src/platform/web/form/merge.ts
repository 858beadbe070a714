import { changedPaths, isSameValue, toComparable } from './values.ts'
import type { FieldValue, Values } from './values.ts'

/** Two edits of one record: what both began with, what was typed here, and what someone else saved in the meantime. */
export interface MergeResult {
  /** Fields that both changed, and not to the same: someone has to choose. */
  readonly conflicts: readonly string[]
  /** Fields that only one of them changed. */
  readonly mine: readonly string[]
  readonly theirs: readonly string[]
  /** Lists that both changed, each in other entries: what either added is there, what either took away is gone. */
  readonly combined: readonly string[]
  /** Everything together; a clashing field is still as it was typed here. */
  readonly values: Values
}

/** By what an entry of a list is the same one after it was changed: its own id, or the record it is about; else all of it. */
const getEntryKey = (entry: unknown): string => {
  const { _id, region } = (typeof entry === 'object' && entry !== null ? entry : {}) as { _id?: unknown; region?: unknown }
  return toComparable(_id ?? (region === undefined ? entry : { region }))
}
const byKey = (list: readonly unknown[]): ReadonlyMap<string, unknown> => new Map(list.map((entry) => [getEntryKey(entry), entry]))

/** Two edits of one list put together entry by entry; undefined where both changed the same entry. */
const mergeLists = (before: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): readonly unknown[] | undefined => {
  const [was, here, there] = [byKey(before), byKey(mine), byKey(theirs)]
  const merged: unknown[] = []
  for (const key of new Set([...there.keys(), ...here.keys()])) {
    const isMine = !isSameValue(here.get(key), was.get(key))
    const isTheirs = !isSameValue(there.get(key), was.get(key))
    if (isMine && isTheirs && !isSameValue(here.get(key), there.get(key))) return undefined
    const kept = isMine ? here : there
    if (kept.has(key)) merged.push(kept.get(key))
  }
  return merged
}

/** Puts two edits of one record together, field by field. */
export const mergeEdits = (before: Values, mine: Values, theirs: Values): MergeResult => {
  const changedHere = changedPaths(before, mine)
  const changedThere = changedPaths(before, theirs)
  const both = changedHere.filter((path) => changedThere.includes(path) && !isSameValue(mine[path], theirs[path]))
  const lists = new Map<string, FieldValue>()
  for (const path of both) {
    const [was, here, there] = [before[path], mine[path], theirs[path]]
    const merged = Array.isArray(was) && Array.isArray(here) && Array.isArray(there) ? mergeLists(was, here, there) : undefined
    if (merged) lists.set(path, merged)
  }
  return {
    conflicts: both.filter((path) => !lists.has(path)),
    mine: changedHere.filter((path) => !changedThere.includes(path)),
    theirs: changedThere.filter((path) => !changedHere.includes(path)),
    combined: [...lists.keys()],
    values: { ...theirs, ...Object.fromEntries(changedHere.map((path) => [path, mine[path] ?? null])), ...Object.fromEntries(lists) },
  }
}
