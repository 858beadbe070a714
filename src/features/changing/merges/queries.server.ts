import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { capitalize, type Noun } from '../../../contract/format.ts'
import { isEmptyValue } from '../../../contract/objects.ts'
import { type DuplicateKind, RECORD_NOUNS } from '../../../contract/records.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { getRecordHit } from '../../../platform/server/read-model/record-hits.ts'
import { findReference, nameReference } from '../../../platform/server/record-names.ts'
import { listReasons } from '../duplicates/queries.server.ts'
import type { Choice, MergedField, MergePreview } from './contract.ts'
import { type EditedKind, type FieldPair, listOwnedKinds, readPairs, uniteLists } from './fields.server.ts'
import type { MergedPair } from './mutations.server.ts'
import { countReferences, listReferences } from './references.server.ts'
import { MOVED_NOUNS } from './rules.ts'

const getNoun = (table: string): Noun | undefined => {
  if (Object.hasOwn(MOVED_NOUNS, table)) return MOVED_NOUNS[table]
  return Object.hasOwn(RECORD_NOUNS, table) ? RECORD_NOUNS[table as keyof typeof RECORD_NOUNS] : undefined
}

/** What refers to the merged record, by what it is called. */
const countMoves = async ({ db }: AppContext, kind: string, merged: string): Promise<MergePreview['moves']> => {
  const counts = new Map<Noun, number>()
  const add = (noun: Noun | undefined, count: number) => {
    if (noun && count > 0) counts.set(noun, (counts.get(noun) ?? 0) + count)
  }
  const references = await listReferences(db, kind)
  const found = await Promise.all(references.map((reference) => countReferences(db, reference, merged)))
  for (const [at, { table }] of references.entries()) add(getNoun(table), found[at] ?? 0)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from change where parent = ${merged}`.execute(db)
  add(['history entry', 'history entries'], rows[0]?.count ?? 0)
  return [...counts].map(([[one, many], count]) => ({ noun: [one, many], count }))
}

const readSide = async (context: AppContext, kind: DuplicateKind, _id: string): Promise<MergePreview['keep']> => {
  const record = getRecordHit(context.readModel, kind, _id)
  if (!record) throw new Error(`The read model has no ${kind} ${_id}`)
  const { rows } = await sql<{ addedAt: string | null; addedBy: string | null; changes: number }>`
    select ${toIsoTimestamp(sql<Date>`min(at) filter (where action = 'insert' and "table" = ${kind})`)} as "addedAt",
      (array_agg("actorName" order by _id) filter (where action = 'insert' and "table" = ${kind}))[1] as "addedBy",
      (count(*) filter (where action in ('insert', 'update', 'delete')))::int as changes
    from change where parent = ${_id}`.execute(context.db)
  return { record, ...(rows[0] ?? { addedAt: null, addedBy: null, changes: 0 }) }
}

/** When each column of rows was last saved, by record, table and column. */
const readLastSaves = async ({ db }: AppContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ parent: string; table: string; field: string; last: string }>`
    select parent, "table", field, max(change._id)::text as last
    from change, lateral jsonb_object_keys(after) as field
    where parent = any(${[...ids]}::text[]) and action in ('insert', 'update') and (after -> field) is distinct from (before -> field)
    group by parent, "table", field`.execute(db)
  return new Map(rows.map(({ parent, table, field, last }) => [`${parent} ${table} ${field}`, last]))
}

const choose = (keep: number, merge: number): Choice | null => (keep === merge ? null : keep > merge ? 'keep' : 'merge')
const getLength = (value: unknown): number =>
  isEmptyValue(value) ? 0 : typeof value === 'string' ? value.length : JSON.stringify(value).length

const toField = ({ readModel }: AppContext, { path, part, inner, edited, keep, merge }: FieldPair, newer: Choice | null): MergedField => {
  const reference = findReference(edited.kind, part.prefix === null ? inner : `${part.prefix}.${inner}`)
  const toName = (value: unknown) => nameReference(readModel, reference, value) ?? null
  const united = uniteLists({ keep, merge })
  const isSame = isDeepStrictEqual(keep, merge)
  const label = part.getLabel(inner, readModel)
  return {
    path,
    label: edited.prefix === null ? label : `${capitalize(RECORD_NOUNS[edited.kind.kind][0])}: ${label}`,
    keep,
    keepName: toName(keep),
    merge,
    mergeName: toName(merge),
    isSame,
    united,
    unitedName: toName(united),
    newer: isSame || isEmptyValue(keep) || isEmptyValue(merge) ? null : newer,
    // A text says more the longer it is; so does the number of an answer.
    fuller: isSame || typeof keep === 'boolean' ? null : choose(getLength(keep), getLength(merge)),
    suggested: isEmptyValue(keep) && !isEmptyValue(merge) ? 'merge' : 'keep',
  }
}

/** What a merge would choose from and move. Fields that both records do not have are left out. */
export const getMergePreview = async (
  context: AppContext,
  { accessLevel }: SignedIn,
  name: DuplicateKind,
  { kind, keep, merge }: MergedPair,
): Promise<MergePreview> => {
  const owned = listOwnedKinds(context, name).filter(({ editCapability }) => can(accessLevel, editCapability))
  const fields: MergedField[] = []
  for (const edited of [{ kind, prefix: null }, ...owned.map((one): EditedKind => ({ kind: one, prefix: one.kind }))]) {
    const pairs = await readPairs(context, context.db, edited, keep, merge)
    const keys = await readRecordIds(context, edited, name, [keep, merge])
    // A record that only one of them has moves as a whole.
    if (edited.prefix !== null && keys.some((key) => key === undefined)) continue
    const saves = await readLastSaves(
      context,
      keys.flatMap((key) => key ?? []),
    )
    const lastSave = (key: string | undefined, { part, inner }: FieldPair) =>
      Number(saves.get(`${key} ${part.table} ${inner.split('.').find((one) => saves.has(`${key} ${part.table} ${one}`)) ?? inner}`) ?? 0)
    for (const pair of pairs) {
      if (isEmptyValue(pair.keep) && isEmptyValue(pair.merge)) continue
      fields.push(toField(context, pair, choose(lastSave(keys[0], pair), lastSave(keys[1], pair))))
    }
  }
  const sides = await Promise.all([keep, merge].map((key) => readSide(context, name, key)))
  const [first, second] = sides
  if (!first || !second) throw new Error('A merge is of two records')
  const reasons = [...(await listReasons(context, name, keep, merge))]
  return { reasons, keep: first, merge: second, fields, moves: await countMoves(context, name, merge) }
}

/** The `_id`s under which the history has a record, or one that belongs to it. */
const readRecordIds = async (
  { db }: AppContext,
  { kind, prefix }: EditedKind,
  owner: string,
  keys: readonly string[],
): Promise<(string | undefined)[]> => {
  if (prefix === null) return [...keys]
  const { rows } = await sql<{ _id: string; owner: string }>`
    select _id, ${sql.ref(owner)} as owner from ${sql.table(kind.kind)} where ${sql.ref(owner)} = any(${[...keys]}::text[])`.execute(db)
  return keys.map((key) => rows.find((row) => row.owner === key)?._id)
}
