import { type RawBuilder, sql } from 'kysely'

import type { Queryable, Tx } from '../../database/connection.server.ts'
import { moment } from '../../database/json.server.ts'
import { claim, isEditable, keyOf } from '../../database/saving.server.ts'
import type { AnswerOf, BodyOf, QueryOf } from '../../platform/contract/call.ts'
import { badFields, notFound, Problem } from '../../platform/contract/problem.ts'
import type { Change, FieldOfPart, putBack, readHistory } from './contract.ts'

type Row = Readonly<Record<string, unknown>>
interface Kept {
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
/** What every record has and nobody wrote, and by what its parts are known. */
const UNSAID = new Set(['_id', 'version', 'updatedAt', 'updatedBy', 'studentCountUpdatedAt'])
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

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The fields that a change changed; of something added or deleted those that hold something. */
const fieldsOf = ({ before, after, table }: Kept): string[] =>
  Object.keys({ ...before, ...after }).filter(
    (field) =>
      !UNSAID.has(field) &&
      !isSame(before?.[field], after?.[field]) &&
      // A part's own site says nothing beside the site's history, unless the part moved.
      !(field === 'site' && table !== 'site' && (before === null || after === null)),
  )

/** Whether a change changed a field; something empty that was added or deleted with the rest is no change, and neither is a part's own site. */
const isChanged = (field: RawBuilder<unknown>) => sql<boolean>`
  nullif(before -> ${field}, 'null') is distinct from nullif(after -> ${field}, 'null')
  and not (${field} = 'site' and "table" <> 'site' and action <> 'update')`
const isNoFirstRow = sql<boolean>`not (action = 'insert' and "table" = any(${COMES_ALONG}))`

const keptChanges = async (db: Queryable, parent: string, { before, part, field, by }: Narrowed) => {
  const { rows } = await sql<Kept>`
    select _id::text as _id, ${moment(sql<Date>`at`)} as at, "actorName" as by, action, "table", record, before, after,
      (select (last.after ->> 'version')::integer from change as last
       where last.record = change.record and last."table" = change."table" order by last._id desc limit 1) as version
    from change
    where parent = ${parent}
      and ${isNoFirstRow}
      ${before === undefined ? sql`` : sql`and _id < ${before}::bigint`}
      ${part === undefined ? sql`` : sql`and "table" = ${part}`}
      ${by === undefined ? sql`` : sql`and "actorName" = ${by}`}
      ${field === undefined ? sql`` : sql`and ${isChanged(sql`${field}::text`)}`}
    order by change._id desc limit ${AT_ONCE + 1}`.execute(db)
  return rows
}

/** Who changed a record or its parts, and which of their fields. */
const narrowedBy = async (db: Queryable, parent: string): Promise<{ people: string[]; fields: FieldOfPart[] }> => {
  const people = await sql<{ name: string }>`
    select distinct "actorName" as name from change
    where parent = ${parent} and ${isNoFirstRow} and "actorName" is not null order by name`.execute(db)
  const fields = await sql<FieldOfPart>`
    select distinct "table" as part, key as field
    from change, jsonb_object_keys(coalesce(before, '{}') || coalesce(after, '{}')) as key
    where parent = ${parent} and ${isNoFirstRow} and key <> all(${[...UNSAID]}) and ${isChanged(sql.ref('key'))}
    order by part, field`.execute(db)
  return { people: people.rows.map(({ name }) => name), fields: fields.rows }
}

/** The names of everything that changes point at, by table and `_id`. */
const namesOf = async (db: Queryable, changes: readonly Kept[]): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (const [field, { table, name }] of Object.entries(POINTS)) {
    const ids = changes.flatMap(({ before, after }) => [before?.[field], after?.[field]]).filter((value) => typeof value === 'string')
    if (ids.length === 0) continue
    const { rows } = await sql<{ _id: string; name: string }>`
      select _id, ${sql.ref(name)} as name from ${sql.table(table)} where _id = any(${[...new Set(ids)]}::uuid[])`.execute(db)
    for (const row of rows) names.set(`${field} ${row._id}`, row.name)
  }
  return names
}

const titleOf = ({ table, before, after }: Kept, nameOf: (field: string, value: unknown) => string | null): string | null => {
  const row = { ...before, ...after }
  if (table === 'site_person') return [nameOf('person', row['person']), nameOf('role', row['role'])].filter(Boolean).join(', ') || null
  if (table === 'site_program_type') return nameOf('program_type', row['program_type'])
  return table === 'sis_site' && typeof row['name'] === 'string' ? row['name'] : null
}

/** The changes of a record and its parts, the newest first. */
export const historyOf = async (db: Queryable, parent: string, narrowed: Narrowed): Promise<AnswerOf<typeof readHistory>> => {
  const kept = await keptChanges(db, parent, narrowed)
  const { people, fields } = narrowed.before === undefined ? await narrowedBy(db, parent) : { people: [], fields: [] }
  const names = await namesOf(db, kept)
  const nameOf = (field: string, value: unknown): string | null =>
    typeof value === 'string' ? (names.get(`${field} ${value}`) ?? null) : null
  return {
    people,
    fields,
    more: kept.length > AT_ONCE,
    changes: kept.slice(0, AT_ONCE).map((change) => ({
      _id: change._id,
      at: change.at,
      by: change.by,
      action: change.action,
      part: change.table,
      title: titleOf(change, nameOf),
      fields: fieldsOf(change).map((field) => ({
        field,
        from: change.before?.[field] ?? null,
        to: change.after?.[field] ?? null,
        fromName: nameOf(field, change.before?.[field]),
        toName: nameOf(field, change.after?.[field]),
      })),
      version: change.version,
      canPutBack:
        change.action !== 'insert' && (isEditable(change.table) || (change.action === 'delete' && ADDED_AND_TAKEN.has(change.table))),
    })),
  }
}

/** The parts of a site that come and go as they are; all others are edited. */
const ADDED_AND_TAKEN = new Set(['site_person', 'site_program_type'])
/** What PostgreSQL says where a row cannot be as it was: taken, pointing at nothing, against a rule of the table. */
const NOT_NOW = new Set(['23505', '23503', '23514'])
const notNow = (error: unknown): never => {
  if (error instanceof Error && 'code' in error && NOT_NOW.has(String(error.code)))
    throw new Problem(409, 'This cannot be put back as things are now', {
      detail: 'It is there already, or what it belongs to has changed.',
      cause: error,
    })
  throw error
}

/**
 * Puts back what a change replaced: the named fields, all of them, or the whole row as it was before. It is a change of its own, and can be put
 * back in turn. `seen` is the version of the part as it was looked at (D6).
 */
export const putBackChange = async (
  tx: Tx,
  parent: string,
  changeId: string,
  { fields: wanted, whole }: BodyOf<typeof putBack>,
  seen: number | undefined,
): Promise<void> => {
  const { rows } = await sql<Kept>`
    select _id::text as _id, action, "table", record, before, after, null as version
    from change where _id = ${changeId}::bigint and parent = ${parent}`.execute(tx)
  const change = rows[0]
  if (!change || !(isEditable(change.table) || ADDED_AND_TAKEN.has(change.table))) throw notFound('Change')
  if (change.action === 'insert')
    throw new Problem(409, 'There was nothing before this', { detail: 'What was added is taken away on its own page.' })
  const fields = fieldsOf(change)
  const unknown = wanted?.filter((field) => !fields.includes(field)) ?? []
  if (unknown.length > 0) throw badFields(unknown.map((field) => ({ path: 'fields', message: `${field} was not changed then` })))

  const table = sql.table(change.table)
  const row = sql`jsonb_populate_record(null::${table}, ${JSON.stringify(change.before)}::jsonb)`
  if (change.action === 'delete') {
    await sql`insert into ${table} select (${row}).*`.execute(tx).catch(notNow)
    return
  }
  if (!isEditable(change.table)) throw notFound('Change')
  await claim(tx, change.table, change.record, seen)
  const all = whole ? Object.keys(change.before ?? {}).filter((field) => !UNSAID.has(field)) : fields
  const columns = sql.join((wanted ?? all).map((field) => sql`${sql.ref(field)} = earlier.${sql.ref(field)}`))
  await sql`
    update ${table} set ${columns} from (select (${row}).*) as earlier
    where ${table}.${sql.ref(keyOf(change.table))} = ${change.record}`
    .execute(tx)
    .catch(notNow)
}
