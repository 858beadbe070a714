import { Problem, staleVersion } from '../../../contract/problem.ts'
import { isSameValue } from './values.ts'
import type { Values } from './values.ts'

/** The versions of a record's parts that are separate records, by the prefix of their field paths: `member.{_id}`. */
export type PartVersions = Readonly<Record<string, number>>
export const NO_PARTS: PartVersions = {}

/** The state of a record that a form starts from. */
export interface RecordSnapshot {
  readonly values: Values
  /** Null for a new record. */
  readonly version: number | null
  /** The versions of its parts that are separate records. */
  readonly parts?: PartVersions
  readonly updatedBy: string | null
  readonly updatedAt: string
}

/** Someone else has saved one of several parts that were being saved. */
export class StalePartError extends Problem {
  readonly part: string
  constructor(part: string) {
    super(412, staleVersion().message)
    this.part = part
  }
}

/** Whether a path is a part, or a field of it. */
export const isInPart = (part: string, path: string): boolean => path === part || path.startsWith(`${part}.`)

/** Replaces some parts by their present state, or removes them if they are gone; the order is kept. */
export const replaceParts = <T>(
  before: Readonly<Record<string, T>>,
  now: Readonly<Record<string, T>>,
  parts: readonly string[],
): Readonly<Record<string, T>> => {
  const isOne = (path: string): boolean => parts.some((part) => isInPart(part, path))
  return {
    ...Object.fromEntries(Object.entries(before).filter(([path]) => !isOne(path) || path in now)),
    ...Object.fromEntries(Object.entries(now).filter(([path]) => isOne(path))),
  }
}

/** Applies what someone else has saved to one part only; the rest stays as it was loaded. */
export const limitToPart = (
  part: string,
  now: RecordSnapshot,
  seen: Pick<RecordSnapshot, 'values' | 'version' | 'parts'>,
): RecordSnapshot => ({
  ...now,
  values: replaceParts(seen.values, now.values, [part]),
  version: seen.version,
  parts: replaceParts(seen.parts ?? {}, now.parts ?? {}, [part]),
})

/** The new base of a form after parts of it are saved; with the new version if everything outside the parts is unchanged. */
export const rebaseParts = (
  before: { readonly values: Values; readonly version: number | null; readonly parts: PartVersions },
  now: RecordSnapshot,
  saved: readonly string[],
) => {
  const values = replaceParts(before.values, now.values, saved)
  const parts = replaceParts(before.parts, now.parts ?? NO_PARTS, saved)
  const ofParts = Object.keys({ ...before.parts, ...now.parts })
  const isAsSeen = Object.keys(values).every(
    (path) => isSameValue(values[path], now.values[path]) || ofParts.some((part) => isInPart(part, path)),
  )
  return { values, parts, version: isAsSeen && now.version !== null ? now.version : before.version }
}
