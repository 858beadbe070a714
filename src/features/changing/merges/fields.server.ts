import { isDeepStrictEqual } from 'node:util'

import { isEmptyValue, isObject } from '../../../contract/objects.ts'
import { OWNED_KINDS } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type EditableRecordKind, type FieldChanges, listPartFields, type RecordPart } from '../../../platform/server/record-editor.ts'
import { isLinkTable } from '../history/queries.server.ts'

/** The record itself, or one that belongs to it, whose paths begin with the name of its kind. */
export interface EditedKind {
  readonly kind: EditableRecordKind
  readonly prefix: string | null
}

/** A field of two records. */
export interface FieldPair {
  readonly path: string
  readonly part: RecordPart
  readonly inner: string
  readonly edited: EditedKind
  readonly keep: unknown
  readonly merge: unknown
}

/** A web address stays with its record, and leads to the one that stays. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['slug'])

/** The kinds that belong to records of a kind, as they are edited. */
export const listOwnedKinds = ({ kinds }: AppContext, kind: string): EditableRecordKind[] =>
  OWNED_KINDS.flatMap(([owned, owner]) => (owner === kind ? [kinds[owned]] : []))

const toPath = (...names: (string | null)[]): string => names.filter((name) => name !== null).join('.')

/** The values of both records by path. Rows and links are not fields: they move. */
export const readPairs = async (
  context: AppContext,
  db: Queryable,
  edited: EditedKind,
  keep: string,
  merge: string,
): Promise<FieldPair[]> => {
  const pairs: FieldPair[] = []
  for (const part of edited.kind.parts) {
    if (part.rows || isLinkTable(part.table)) continue
    const inputs = await part.readInputs(db, context.readModel, [keep, merge])
    const [own, others] = [keep, merge].map(
      (key) => new Map(listPartFields(part, inputs.get(key) ?? {}, context.readModel).map(({ inner, value }) => [inner, value])),
    )
    for (const inner of new Set([...(own?.keys() ?? []), ...(others?.keys() ?? [])])) {
      if (part.prefix === null && OWN_FIELDS.has(inner)) continue
      const path = toPath(edited.prefix, part.prefix, inner)
      pairs.push({ path, part, inner, edited, keep: own?.get(inner) ?? null, merge: others?.get(inner) ?? null })
    }
  }
  return pairs
}

const toEntry = (entry: unknown): unknown => (isObject(entry) && typeof entry['_id'] === 'string' ? entry['_id'] : entry)

/** Both lists as one; null for any other field. */
export const uniteLists = ({ keep, merge }: Pick<FieldPair, 'keep' | 'merge'>): unknown[] | null => {
  if (!Array.isArray(keep) || !Array.isArray(merge)) return null
  const united = keep.map(toEntry)
  for (const entry of merge.map(toEntry)) if (!united.some((one) => isDeepStrictEqual(one, entry))) united.push(entry)
  return united
}

/** What a record gets from the other one without a choice: what it does not have, and entries of lists. */
export const listGains = (pairs: readonly FieldPair[]): FieldChanges =>
  Object.fromEntries(
    pairs.flatMap((pair) => {
      const united = uniteLists(pair)
      if (united) return isDeepStrictEqual(united, (pair.keep as unknown[]).map(toEntry)) ? [] : [[pair.path, united]]
      return isEmptyValue(pair.keep) && !isEmptyValue(pair.merge) ? [[pair.path, pair.merge]] : []
    }),
  )
