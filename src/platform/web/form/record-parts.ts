import { Problem, staleVersion } from '../../../contract/problem.ts'
import { isSameValue } from './values.ts'
import type { Values } from './values.ts'

/** The versions of a record's parts that are records of their own, by what the paths of their fields begin with: `member.{_id}`. */
export type PartVersions = Readonly<Record<string, number>>
export const NO_PARTS: PartVersions = {}

/** A record as a form takes it up. */
export interface RecordSnapshot {
  readonly values: Values
  /** Null for something new. */
  readonly version: number | null
  /** The versions of those of its parts that are records of their own. */
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

/** Everything as before but for some parts, which are as they are now, gone where they are; each stays in its place. */
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

/** What someone else has saved, of one part alone: the rest is as it was seen here. */
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

/** What a form is based on once parts of it are saved; its version too, where all that is no part is as it was seen. */
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
