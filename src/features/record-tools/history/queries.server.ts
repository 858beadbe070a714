import { type RawBuilder, sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { moment } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { isEditable } from '../../../database/saving.server.ts'
import type { ResponseOf, QueryOf } from '../../../platform/contract/call.ts'
import type { RecordKind } from '../../../platform/contract/records.ts'
import { Semaphore } from '../../../platform/server/semaphore.ts'
import { affairSections, type AffairSection } from '../../records/charter-affairs/contract.ts'
import type { Change, FieldOfPart, readHistory } from './contract.ts'

type Row = Readonly<Record<string, unknown>>
/** A change as the trigger kept it. */
export interface Kept {
  readonly _id: string
  readonly at: string
  readonly by: string | null
  readonly action: Change['action']
  readonly table: string
  readonly record: string
  readonly before: Row | null
  readonly after: Row | null
  readonly version: number | null
}
/** How a history is narrowed, and where it goes on. */
type Narrowed = QueryOf<typeof readHistory>

const AT_ONCE = 50
/** Bytes of changes that are read at once: those of a long charter affair come a few at a time. One change is read however long it is. */
const MOST_BYTES = 1_000_000
/** Histories that are read at the same time; each holds its changes in memory until it is answered. */
const reading = new Semaphore(4)
/** What every record has and nobody wrote, and by what its parts are known. */
export const UNSAID = new Set(['_id', 'version', 'updatedAt', 'updatedBy', 'studentCountUpdatedAt'])
/** Columns that point at another record, and what that is called. */
const POINTS: Readonly<
  Record<string, { readonly table: 'charter' | 'region' | 'brand' | 'person' | 'role' | 'program_type' | 'site'; readonly name: string }>
> = {
  charter: { table: 'charter', name: 'name' },
  region: { table: 'region', name: 'name' },
  brand: { table: 'brand', name: 'brandName' },
  person: { table: 'person', name: 'name' },
  role: { table: 'role', name: 'name' },
  program_type: { table: 'program_type', name: 'name' },
  site: { table: 'site', name: 'displayName' },
}
/** Parts that come with their site: their first row is nobody's change. */
const COMES_ALONG = ['facility', 'enrollment']

/** What is undone elsewhere, with all that came of it: that somebody left. */
const UNDONE_ELSEWHERE = new Set(['leftAt'])
export const canBePutBack = (field: string): boolean => !UNSAID.has(field) && !UNDONE_ELSEWHERE.has(field)

/** The parts of a site that come and go as they are; all others are edited. */
export const ADDED_AND_TAKEN = new Set(['site_person', 'site_program_type'])

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

export const SECTIONS = Object.keys(affairSections) as AffairSection[]
/** Whether a field is a set of texts: a section of a charter affair. */
export const isSection = (table: string, field: string): field is AffairSection =>
  table === 'charter_affair' && Object.hasOwn(affairSections, field)
type Texts = Readonly<Record<string, string | null>>
/** A section as it was; one that nobody had written yet is empty. */
export const textsIn = (row: Row | null, section: string): Texts => (row?.[section] ?? {}) as Texts
/** Which texts differ; one that holds nothing may be missing, and is the same. */
export const differing = (a: Texts, b: Texts): string[] =>
  Object.keys({ ...a, ...b }).filter((text) => (a[text] ?? null) !== (b[text] ?? null))
const changedTexts = ({ before, after }: Kept, section: string): string[] => differing(textsIn(before, section), textsIn(after, section))

/** The fields that a change changed; of something added or deleted those that hold something. */
export const fieldsOf = (change: Kept): string[] => {
  const { before, after, table } = change
  return Object.keys({ ...before, ...after }).filter(
    (field) =>
      !UNSAID.has(field) &&
      (isSection(table, field) ? changedTexts(change, field).length > 0 : !isSame(before?.[field], after?.[field])) &&
      // What a part belongs to says nothing on that page, unless the part moved.
      !(isOwner(table, field) && (before === null || after === null)),
  )
}
/** The same with the single texts in place of their sections: 'overview.fein'. */
export const finestFieldsOf = (change: Kept): string[] =>
  fieldsOf(change).flatMap((field) =>
    isSection(change.table, field) ? changedTexts(change, field).map((text) => `${field}.${text}`) : [field],
  )

/** The column that names what a part belongs to. */
const isOwner = (table: string, field: string): boolean =>
  field === 'site' || field === 'charter_affair' || (table === 'charter_affair' && field === 'charter')

/** What is in both JSON objects and not alike, or in one of them alone, with what it was and became. */
const unlike = (was: RawBuilder<unknown>, became: RawBuilder<unknown>) => sql`
  select key, b.value as was, a.value as became from jsonb_each(${was}) as b full join jsonb_each(${became}) as a using (key)
  where b.value is distinct from a.value`
/** What holds nothing: neither a value nor a text. */
const held = (value: string) => sql`nullif(nullif(jsonb_strip_nulls(${sql.ref(value)}), 'null'), '{}')`
/** The fields of `fieldsOf` and `finestFieldsOf`. One look at each row, and at those sections alone that differ: they are long. */
const changedFields = sql`
  with found as (${unlike(sql.ref('before'), sql.ref('after'))})
  select key as field from found
  where key <> all(${[...UNSAID]}) and ${held('was')} is distinct from ${held('became')}
    and (action = 'update' or not (key in ('site', 'charter_affair') or ("table" = 'charter_affair' and key = 'charter')))
  union all
  select found.key || '.' || texts.key from found, lateral (${unlike(sql.ref('found.was'), sql.ref('found.became'))}) as texts
  where "table" = 'charter_affair' and found.key = any(${SECTIONS}) and ${held('texts.was')} is distinct from ${held('texts.became')}`
const isNoFirstRow = sql<boolean>`not (action = 'insert' and "table" = any(${COMES_ALONG}))`

const keptChanges = async (db: Queryable, parent: string | null, { before, part, field, by }: Narrowed) => {
  const { rows } = await sql<Kept & { more: boolean }>`
    with page as (
      select * from change
      where parent = ${parent}
        and ${isNoFirstRow}
        ${before === undefined ? sql`` : sql`and _id < ${before}::bigint`}
        ${part === undefined ? sql`` : sql`and "table" = ${part}`}
        ${by === undefined ? sql`` : sql`and "actorName" = ${by}`}
        ${field === undefined ? sql`` : sql`and ${field} in (${changedFields})`}
      order by _id desc limit ${AT_ONCE + 1}),
    measured as (
      select _id, row_number() over newest as place, count(*) over () as found,
        sum(coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)) over newest as bytes
      from page window newest as (order by _id desc)),
    taken as (select _id, found > max(place) over () as more from measured where place = 1 or (place <= ${AT_ONCE} and bytes <= ${MOST_BYTES}))
    select change._id::text as _id, ${moment(sql<Date>`at`)} as at, "actorName" as by, action, "table", record, before, after, more,
      (select (last.after ->> 'version')::integer from change as last
       where last._id = (select max(_id) from change as own where own.record = change.record and own."table" = change."table")) as version
    from change join taken using (_id)
    order by change._id desc`.execute(db)
  return { changes: rows, more: rows[0]?.more ?? false }
}

/** Who changed a record or its parts, and which of their fields: of a section the whole of it and each of its texts. */
const narrowedBy = async (db: Queryable, parent: string | null): Promise<{ people: string[]; fields: FieldOfPart[] }> => {
  const people = await sql<{ name: string }>`
    select "actorName" as name from change
    where parent = ${parent} and ${isNoFirstRow} and "actorName" is not null group by "actorName" order by "actorName" collate "C"`.execute(
    db,
  )
  const fields = await sql<FieldOfPart>`
    select "table" as part, field
    from change, lateral (${changedFields}) as changed
    where parent = ${parent} and ${isNoFirstRow}
    group by "table", field order by "table" collate "C", field collate "C"`.execute(db)
  return { people: people.rows.map(({ name }) => name), fields: fields.rows }
}

/** The names of everything that changes point at, by table and `_id`. */
const namesOf = async (db: Queryable, changes: readonly Kept[]): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (const [field, { table, name }] of Object.entries(POINTS)) {
    const ids = changes.flatMap(({ before, after }) => [before?.[field], after?.[field]]).filter((value) => typeof value === 'string')
    if (ids.length === 0) continue
    const { rows } = await sql<{ _id: string; name: string }>`
      select _id, ${sql.ref(name)} as name from ${sql.table(table)} where _id = any(${[...new Set(ids)]}::text[])`.execute(db)
    for (const row of rows) names.set(`${field} ${row._id}`, row.name)
  }
  return names
}

/** Parts that have a name of their own, and its column. */
const NAMED_BY = new Map([
  ['sis_site', 'name'],
  ['authorizer_board_member', 'board_member_name'],
  ['center_district', 'center_name'],
])
const titleOf = ({ table, before, after }: Kept, nameOf: (field: string, value: unknown) => string | null): string | null => {
  const row = { ...before, ...after }
  if (table === 'site_person') return [nameOf('person', row['person']), nameOf('role', row['role'])].filter(Boolean).join(', ') || null
  if (table === 'site_program_type') return nameOf('program_type', row['program_type'])
  const name = row[NAMED_BY.get(table) ?? '']
  return typeof name === 'string' && name !== '' ? name : null
}

/** What a change made of a field; of a section just the texts that differ. */
const valuesOf = (change: Kept, field: string): { from: unknown; to: unknown } => {
  const { table, before, after } = change
  if (!isSection(table, field)) return { from: before?.[field] ?? null, to: after?.[field] ?? null }
  const texts = changedTexts(change, field)
  const of = (row: Row | null) => row && Object.fromEntries(texts.map((text) => [text, textsIn(row, field)[text] ?? null]))
  return { from: of(before), to: of(after) }
}

/** The `_id` of a record that is there or was once: what was removed keeps its history. */
export const idOnceOf = async (db: Queryable, table: RecordKind | 'permission', _id: string): Promise<string | undefined> => {
  const { rows } = await sql`select from change where record = ${_id} and "table" = ${table} limit 1`.execute(db)
  return rows.length > 0 ? _id : undefined
}

/** The charter affair of a charter, by which its changes are kept; null where there is none yet. Throws 404 for no such charter. */
export const affairIdOf = async (db: Queryable, charter: string): Promise<string | null> => {
  const found = await db
    .selectFrom('charter_affair')
    .select('_id')
    .where('charter', '=', await idOf(db, 'charter', charter))
    .executeTakeFirst()
  return found?._id ?? null
}

/** The changes of a record and its parts, the newest first; none of a record that is not there yet. */
export const historyOf = async (db: Queryable, parent: string | null, narrowed: Narrowed): Promise<ResponseOf<typeof readHistory>> => {
  const giveBack = await reading.acquire()
  try {
    return await readHistoryOf(db, parent, narrowed)
  } finally {
    giveBack()
  }
}

const readHistoryOf = async (db: Queryable, parent: string | null, narrowed: Narrowed): Promise<ResponseOf<typeof readHistory>> => {
  const { changes, more } = await keptChanges(db, parent, narrowed)
  const { people, fields } = narrowed.before === undefined ? await narrowedBy(db, parent) : { people: [], fields: [] }
  const names = await namesOf(db, changes)
  const nameOf = (field: string, value: unknown): string | null =>
    typeof value === 'string' ? (names.get(`${field} ${value}`) ?? null) : null
  return {
    people,
    fields,
    more,
    changes: changes.map((change) => ({
      _id: change._id,
      at: change.at,
      by: change.by,
      action: change.action,
      part: change.table,
      title: titleOf(change, nameOf),
      fields: fieldsOf(change).map((field) => ({
        field,
        ...valuesOf(change, field),
        fromName: nameOf(field, change.before?.[field]),
        toName: nameOf(field, change.after?.[field]),
      })),
      version: change.version,
      canPutBack:
        change.action !== 'insert' &&
        fieldsOf(change).some(canBePutBack) &&
        (isEditable(change.table) || (change.action === 'delete' && ADDED_AND_TAKEN.has(change.table))),
    })),
  }
}
