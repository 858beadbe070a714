import { type RawBuilder, sql } from 'kysely'

import type { ResponseOf, QueryOf } from '../../../contract/call.ts'
import { keysOf } from '../../../contract/field-definitions.ts'
import { listMentions, nameMentions } from '../../../contract/mentions.ts'
import type { JsonObject } from '../../../contract/objects.ts'
import { findPartTable, NAME_COLUMNS, type PagedKind, PARTS, RECORD_KINDS, type RecordKind, ROW_NAMES } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { isEditable } from '../../../database/update-record.server.ts'
import { Semaphore } from '../../../platform/server/semaphore.ts'
import type { Change, FieldOfPart, HistoryComment, readHistory } from './contract.ts'
import { RESTORED_AS_WHOLE } from './rules.ts'

/** A row of the `change` table, as the database trigger wrote it. */
export interface StoredChange {
  readonly _id: string
  readonly at: string
  readonly by: string | null
  readonly suggestedBy: string | null
  readonly changeset?: Change['changeset']
  readonly action: Change['action']
  readonly table: string
  readonly record: string
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly version: number | null
}
type HistoryFilter = QueryOf<typeof readHistory>

const PAGE_SIZE = 50
/** Bytes of changes in one page: changes of long charter affairs come a few at a time. A single change may be longer. */
const MAX_PAGE_BYTES = 1_000_000
/** Comments in one page; those of busy records are below their pages. */
const MAX_COMMENTS = 500
/** Limits concurrent reads: each holds its changes in memory until its response is sent. */
const historyReads = new Semaphore(4)
/** Fields maintained by the program, which a history does not show. */
export const INTERNAL_FIELDS = new Set([
  '_id',
  'version',
  'updatedAt',
  'updatedBy',
  'studentCountUpdatedAt',
  'datedAt',
  'proposedDates',
  'why',
  'formerDate',
  'isLeapDay',
  'checkedAt',
  'checkedBy',
  'checkVersion',
])
/** Columns that reference another record, and the column with its name. */
const REFERENCES: Readonly<Record<string, { readonly table: RecordKind | 'role' | 'program_type'; readonly name: string }>> = {
  ...Object.fromEntries(RECORD_KINDS.map((table) => [table, { table, name: NAME_COLUMNS[table] }])),
  responsible: { table: 'person', name: NAME_COLUMNS.person },
  role: { table: 'role', name: 'name' },
  program_type: { table: 'program_type', name: 'name' },
}
/** Rows that a trigger inserts with every record: their insertion is not a change someone made. */
export const CREATED_WITH_RECORD = keysOf(PARTS).filter((table) => PARTS[table].hasKeyOfRecord)

export const canRestoreField = (field: string): boolean => !INTERNAL_FIELDS.has(field) && !RESTORED_AS_WHOLE.has(field)

/** Parts that are inserted and deleted but never updated. */
export const isLinkTable = (table: string): boolean => findPartTable(table)?.links !== undefined

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Whether a field is a section of a charter affair, which is a JSON object of texts: every column except the charter. */
export const isSection = (table: string, field: string): boolean =>
  table === 'charter_affair' && field !== 'charter' && !INTERNAL_FIELDS.has(field)
type Texts = Readonly<Record<string, string | null>>
/** The texts of a section; empty if no one has written any. */
export const getSectionTexts = (row: JsonObject | null, section: string): Texts => (row?.[section] ?? {}) as Texts
/** The names of the texts that differ; a missing text equals an empty one. */
export const listDifferentTexts = (a: Texts, b: Texts): string[] =>
  Object.keys({ ...a, ...b }).filter((text) => (a[text] ?? null) !== (b[text] ?? null))
const listChangedTexts = ({ before, after }: StoredChange, section: string): string[] =>
  listDifferentTexts(getSectionTexts(before, section), getSectionTexts(after, section))

/** The changed fields; for an inserted or deleted row, the non-empty ones. */
export const listChangedFields = (change: StoredChange): string[] => {
  const { before, after, table } = change
  return Object.keys({ ...before, ...after }).filter(
    (field) =>
      !INTERNAL_FIELDS.has(field) &&
      (isSection(table, field) ? listChangedTexts(change, field).length > 0 : !isSame(before?.[field], after?.[field])) &&
      // The owner is the record whose page shows the history, so it is only shown if the part was moved.
      !(isOwnerColumn(table, field) && (before === null || after === null)),
  )
}
/** The same with the changed texts instead of their sections: 'overview.fein'. */
export const listChangedPaths = (change: StoredChange): string[] =>
  listChangedFields(change).flatMap((field) =>
    isSection(change.table, field) ? listChangedTexts(change, field).map((text) => `${field}.${text}`) : [field],
  )

/** Whether the column references the record a part belongs to. */
const isOwnerColumn = (table: string, field: string): boolean =>
  field === 'site' || field === 'charter_affair' || (table === 'charter_affair' && field === 'charter')

/** The keys whose values differ between two JSON objects, with both values. */
const selectDifferences = (before: RawBuilder<unknown>, after: RawBuilder<unknown>) => sql`
  select key, b.value as old, a.value as new from jsonb_each(${before}) as b full join jsonb_each(${after}) as a using (key)
  where b.value is distinct from a.value`
/** A value, or null if it is empty or an object of empty texts. */
const nonEmpty = (column: string) => sql`nullif(nullif(jsonb_strip_nulls(${sql.ref(column)}), 'null'), '{}')`
/** `listChangedFields` and `listChangedPaths` in SQL. Only sections that differ are expanded, because they are long. */
const selectChangedPaths = sql`
  with changed as (${selectDifferences(sql.ref('before'), sql.ref('after'))})
  select key as field from changed
  where key <> all(${[...INTERNAL_FIELDS]}) and ${nonEmpty('old')} is distinct from ${nonEmpty('new')}
    and (action = 'update' or not (key in ('site', 'charter_affair') or ("table" = 'charter_affair' and key = 'charter')))
  union all
  select changed.key || '.' || texts.key from changed, lateral (${selectDifferences(sql.ref('changed.old'), sql.ref('changed.new'))}) as texts
  where "table" = 'charter_affair' and jsonb_typeof(coalesce(changed.new, changed.old)) = 'object'
    and ${nonEmpty('texts.old')} is distinct from ${nonEmpty('texts.new')}`
/** Fields of deadlines that people change; all others follow the texts they were read from. */
const DEADLINE_FIELDS = ['state', 'snoozedUntil', 'note', 'responsible', 'isByHand', 'isIgnored']

/** Excludes automatic changes of deadlines that follow a text; `c` is the alias of the table. */
export const isDeadlineOfPeople = (c: string): RawBuilder<unknown> => {
  const ref = (column: string) => sql.ref(`${c}.${column}`)
  const values = (row: 'before' | 'after') => sql`row(${sql.join(DEADLINE_FIELDS.map((field) => sql`${ref(row)} -> ${sql.lit(field)}`))})`
  return sql`(${ref('table')} <> 'deadline' or coalesce(${ref('after')}, ${ref('before')}) ->> 'source' = 'custom'
    or (${ref('action')} = 'update' and ${values('before')} is distinct from ${values('after')}))`
}

/** The subject of a history: a record with its parts, changes that people made to deadlines from it, and comments on it. */
interface HistorySource {
  readonly parent: string | null
  /** The records that were merged into it, with their names. */
  readonly merged?: ReadonlyMap<string, string | null>
  readonly deadlines?: readonly string[]
  /** The kind and key under which it is commented on. */
  readonly commented?: { readonly kind: PagedKind; readonly record: string }
}
const isOfSource = ({ parent, merged, deadlines = [] }: HistorySource) => {
  const others = [...deadlines, ...(merged?.keys() ?? [])]
  return others.length === 0
    ? sql<boolean>`change.parent = ${parent}`
    : sql<boolean>`change.parent = any(${[...others, ...(parent === null ? [] : [parent])]}::text[]) and ${isDeadlineOfPeople('change')}`
}

export const isNotInitialRow = sql<boolean>`not (action = 'insert' and "table" = any(${CREATED_WITH_RECORD}))`

const findChanges = async (db: Queryable, source: HistorySource, { before, part, field, by }: HistoryFilter) => {
  const { rows } = await sql<StoredChange & { parent: string; more: boolean }>`
    with page as (
      select * from change
      where ${isOfSource(source)}
        and ${isNotInitialRow}
        ${before === undefined ? sql`` : sql`and _id < ${before}::bigint`}
        ${part === undefined ? sql`` : sql`and "table" = ${part}`}
        ${by === undefined ? sql`` : sql`and "actorName" = ${by}`}
        ${field === undefined ? sql`` : sql`and ${field} in (${selectChangedPaths})`}
      order by _id desc limit ${PAGE_SIZE + 1}),
    measured as (
      select _id, row_number() over newest as position, count(*) over () as total,
        sum(coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)) over newest as bytes
      from page window newest as (order by _id desc)),
    selected as (
      select _id, total > max(position) over () as more from measured
      where position = 1 or (position <= ${PAGE_SIZE} and bytes <= ${MAX_PAGE_BYTES}))
    select change._id::text as _id, ${toIsoTimestamp(sql<Date>`at`)} as at, "actorName" as by, "suggestedBy", action, "table", record, parent, before, after, more,
      (select json_build_object('_id', whole._id, 'kind', whole.kind, 'title', whole.title) from changeset as whole
       where whole._id = change.changeset) as changeset,
      (select (latest.after ->> 'version')::integer from change as latest
       where latest._id = (select max(_id) from change as same where same.record = change.record and same."table" = change."table")) as version
    from change join selected using (_id)
    order by change._id desc`.execute(db)
  return { changes: rows, more: rows[0]?.more ?? false }
}

/** The people who changed a record or its parts, and the changed fields: sections and their single texts. */
const listFilterOptions = async (db: Queryable, source: HistorySource): Promise<{ people: string[]; fields: FieldOfPart[] }> => {
  const people = await sql<{ name: string }>`
    select "actorName" as name from change
    where ${isOfSource(source)} and ${isNotInitialRow} and "actorName" is not null group by "actorName" order by "actorName" collate "C"`.execute(
    db,
  )
  const fields = await sql<FieldOfPart>`
    select "table" as part, field
    from change, lateral (${selectChangedPaths}) as changed
    where ${isOfSource(source)} and ${isNotInitialRow}
    group by "table", field order by "table" collate "C", field collate "C"`.execute(db)
  return { people: people.rows.map(({ name }) => name), fields: fields.rows }
}

/** The names of the referenced records, by column and `_id`. */
export const getReferenceNames = async (db: Queryable, changes: readonly StoredChange[]): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (const [field, { table, name }] of Object.entries(REFERENCES)) {
    const ids = changes.flatMap(({ before, after }) => [before?.[field], after?.[field]]).filter((value) => typeof value === 'string')
    if (ids.length === 0) continue
    const { rows } = await sql<{ _id: string; name: string }>`
      select _id, ${sql.ref(name)} as name from ${sql.table(table)} where _id = any(${[...new Set(ids)]}::text[])`.execute(db)
    for (const row of rows) names.set(`${field} ${row._id}`, row.name)
  }
  return names
}

/** The column with the name of a part, if it has one. */
const TITLE_COLUMNS = new Map<string, string>(Object.entries(ROW_NAMES))
export const getStoredPartName = (
  { table, before, after }: StoredChange,
  getName: (field: string, value: unknown) => string | null,
): string | null => {
  const row = { ...before, ...after }
  const links = findPartTable(table)?.links
  if (links) return links.flatMap((column) => getName(column, row[column]) ?? []).join(', ') || null
  const name = row[TITLE_COLUMNS.get(table) ?? '']
  return typeof name === 'string' && name !== '' ? name : null
}

/** The values of a field before and after; for a section only the texts that differ. */
const getValues = (change: StoredChange, field: string): { from: unknown; to: unknown } => {
  const { table, before, after } = change
  if (!isSection(table, field)) return { from: before?.[field] ?? null, to: after?.[field] ?? null }
  const texts = listChangedTexts(change, field)
  const pickTexts = (row: JsonObject | null) =>
    row && Object.fromEntries(texts.map((text) => [text, getSectionTexts(row, field)[text] ?? null]))
  return { from: pickTexts(before), to: pickTexts(after) }
}

/** The `_id` of a record that exists or was deleted: a deleted record keeps its history. */
export const findRecordIdInHistory = async (
  db: Queryable,
  table: RecordKind | 'permission' | 'deadline',
  _id: string,
): Promise<string | undefined> => {
  const { rows } = await sql`select from change where record = ${_id} and "table" = ${table} limit 1`.execute(db)
  return rows.length > 0 ? _id : undefined
}

/** The records that were merged into a record, also into one of these, with their names. */
export const findMerged = async (db: Queryable, kind: RecordKind, record: string): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ _id: string; name: string }>`
    with recursive merged as (
      select _id, ${sql.ref(NAME_COLUMNS[kind])} as name from ${sql.table(kind)} where "mergedInto" = ${record}
      union select t._id, ${sql.ref(`t.${NAME_COLUMNS[kind]}`)} from ${sql.table(kind)} as t join merged on t."mergedInto" = merged._id)
    select * from merged`.execute(db)
  return new Map(rows.map(({ _id, name }) => [_id, name]))
}

/** The charter affairs that were united with that of a charter, and no longer exist. */
export const findUnitedAffairs = async (db: Queryable, charter: string): Promise<ReadonlyMap<string, null>> => {
  const charters = [charter, ...(await findMerged(db, 'charter', charter)).keys()]
  const { rows } = await sql<{ _id: string }>`
    select unnest(united) as _id from merge where kept = any(${charters}::text[]) and not exists (select from changeset where undoes = merge.changeset)`.execute(
    db,
  )
  return new Map(rows.map(({ _id }) => [_id, null]))
}

/** The `_id` of a charter's affair; null if there is none yet. Throws 404 for an unknown charter. */
export const findAffairId = async (db: Queryable, charter: string): Promise<string | null> => {
  const affair = await db
    .selectFrom('charter_affair')
    .select('_id')
    .where('charter', '=', await findRecordId(db, 'charter', charter))
    .executeTakeFirst()
  return affair?._id ?? null
}

/** The deadlines that come from a charter's affair, or were added to the charter. */
export const listDeadlinesOfCharter = async (db: Queryable, charter: string): Promise<string[]> => {
  const rows = await db.selectFrom('deadline').select('_id').where('charter', '=', charter).execute()
  return rows.map(({ _id }) => _id)
}

/** Comments written after the last change of a page, or at any time on the last page, and no later than the page before it ended. */
const findComments = async (
  db: Queryable,
  { commented }: HistorySource,
  { before, part, field, by }: HistoryFilter,
  last: string | undefined,
): Promise<HistoryComment[]> => {
  if (!commented || part !== undefined || field !== undefined) return []
  const timeOf = (change: string) => sql`(select at from change where _id = ${change}::bigint)`
  const { rows } = await sql<HistoryComment>`
    select _id::text as _id, ${toIsoTimestamp(sql<Date>`"createdAt"`)} as at, name as by, text from comment
    where kind = ${commented.kind} and record = ${commented.record}
      ${by === undefined ? sql`` : sql`and name = ${by}`}
      ${before === undefined ? sql`` : sql`and "createdAt" <= ${timeOf(before)}`}
      ${last === undefined ? sql`` : sql`and "createdAt" > ${timeOf(last)}`}
    order by "createdAt" desc, _id limit ${MAX_COMMENTS}`.execute(db)
  const mentioned = rows.flatMap(({ text }) => listMentions(text))
  const people = mentioned.length === 0 ? [] : await db.selectFrom('person').select(['_id', 'name']).where('_id', 'in', mentioned).execute()
  return rows.map((row) => ({ ...row, text: nameMentions(row.text, (_id) => people.find((one) => one._id === _id)?.name) }))
}

/** The changes of a record and its parts, newest first, and comments on it; no changes if `parent` is null. */
export const getHistory = (db: Queryable, source: HistorySource, filter: HistoryFilter): Promise<ResponseOf<typeof readHistory>> =>
  historyReads.run(() => readChanges(db, source, filter))

/** The label of a deadline in a history: its own title, or the path of the field it was extracted from. */
const getDeadlineTitle = ({ before, after }: StoredChange): string | null => {
  const { title, section, field } = { ...before, ...after }
  return typeof title === 'string' ? title : [section, field].filter(Boolean).join('.') || null
}

const readChanges = async (db: Queryable, source: HistorySource, filter: HistoryFilter): Promise<ResponseOf<typeof readHistory>> => {
  const { changes: stored, more } = await findChanges(db, source, filter)
  const { people, fields } = filter.before === undefined ? await listFilterOptions(db, source) : { people: [], fields: [] }
  const changes = await toChanges(db, stored)
  const comments = await findComments(db, source, filter, more ? stored.at(-1)?._id : undefined)
  // A deadline is restored on its own page, and what was merged with the undo of the merge.
  const shown = changes.map((change, at) => {
    const own = stored[at]
    if (own?.table === 'deadline' && source.deadlines?.length) return { ...change, title: getDeadlineTitle(own), canRestore: false }
    const name = own && source.merged?.get(own.parent)
    return name === undefined ? change : { ...change, title: change.title ?? name, canRestore: false }
  })
  return { people, fields, more, changes: shown, comments }
}

/** Converts stored changes to history entries, with the names of the records they refer to. */
export const toChanges = async (db: Queryable, changes: readonly StoredChange[]): Promise<Change[]> => {
  const names = await getReferenceNames(db, changes)
  const getName = (field: string, value: unknown): string | null =>
    typeof value === 'string' ? (names.get(`${field} ${value}`) ?? null) : null
  return changes.map((change) => ({
    _id: change._id,
    at: change.at,
    by: change.by,
    suggestedBy: change.suggestedBy,
    changeset: change.changeset ?? null,
    action: change.action,
    part: change.table,
    title: getStoredPartName(change, getName),
    fields: listChangedFields(change).map((field) => ({
      field,
      ...getValues(change, field),
      fromName: getName(field, change.before?.[field]),
      toName: getName(field, change.after?.[field]),
    })),
    version: change.version,
    canRestore:
      change.action !== 'insert' &&
      listChangedFields(change).some(canRestoreField) &&
      (isEditable(change.table) || (change.action === 'delete' && isLinkTable(change.table))),
  }))
}
