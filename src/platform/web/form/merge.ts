import type { RecordSnapshot } from './record-parts.ts'
import { changedPaths, isSameValue, toComparable } from './values.ts'
import type { FieldValue, Values } from './values.ts'

/** Two edits of one record: the common original, what was typed here, and what someone else saved in the meantime. */
export interface MergeResult {
  /** Fields that both changed, to different values: someone has to choose. */
  readonly conflicts: readonly string[]
  /** Fields that only one of them changed. */
  readonly mine: readonly string[]
  readonly theirs: readonly string[]
  /** Lists that both changed in different entries: additions and removals of both apply. */
  readonly combined: readonly string[]
  /** The merged values; a conflicting field keeps what was typed here. */
  readonly values: Values
}

/** Two edits of one record with conflicting fields. */
export interface Conflict {
  readonly merge: MergeResult
  readonly before: Values
  readonly mine: Values
  readonly theirs: RecordSnapshot
  /** The part that was being saved; null for the whole record. */
  readonly part: string | null
}

/** The identity of a list entry that survives changes: its own id, or the record it refers to; otherwise the whole entry. */
const getEntryKey = (entry: unknown): string => {
  const { _id, region } = (typeof entry === 'object' && entry !== null ? entry : {}) as { _id?: unknown; region?: unknown }
  return toComparable(_id ?? (region === undefined ? entry : { region }))
}
const byKey = (list: readonly unknown[]): ReadonlyMap<string, unknown> => new Map(list.map((entry) => [getEntryKey(entry), entry]))

/** Merges two edits of a list entry by entry; undefined if both changed the same entry. */
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

/** Merges two edits of one record field by field. */
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
