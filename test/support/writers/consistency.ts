import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { type RawBuilder, sql } from 'kysely'

import type { Db, Queryable } from '../../../src/database/connection.server.ts'
import { countRows } from '../database.ts'
import type { AcknowledgedSave } from './writers.ts'

/** The result of a check of a whole database; each list describes errors. */
interface ConsistencyReport {
  readonly lost: readonly string[]
  readonly incomplete: readonly string[]
  readonly gaps: readonly string[]
  /** The number of checked rows. */
  readonly rows: number
  readonly changes: number
}

const BATCH = 500

const readRows = async <Row>(db: Queryable, query: RawBuilder<Row>): Promise<Row[]> => (await query.execute(db)).rows

/** Acknowledged saves that are neither in the records nor in their history. */
export const findLostSaves = async (db: Queryable, acknowledged: readonly AcknowledgedSave[]): Promise<string[]> => {
  const wanted = acknowledged.flatMap(({ kind, request, expectedChanges }) => expectedChanges.map((one) => ({ kind, request, ...one })))
  const lost: string[] = []
  for (let at = 0; at < wanted.length; at += BATCH) {
    const query = sql<{ kind: string; request: string; table: string; record: string | null; values: object }>`
      select w.* from jsonb_to_recordset(${JSON.stringify(wanted.slice(at, at + BATCH))}::jsonb)
        as w(kind text, request text, "table" text, action text, record text, "values" jsonb, version integer)
      where not exists (
        select from change as c
        where c.request = w.request and c."table" = w."table" and c.action = w.action and (w.record is null or c.record = w.record)
          and (case w.action when 'delete' then c.before else c.after end) @> w."values")
      or (w.version is not null and w."table" <> 'enrollment' and case when w.record is null then not exists (
        select from change as c where c."table" = w."table" and (c.after ->> 'version')::int = w.version)
      -- On its own, so that the index of records is used.
      else not exists (
        select from change as c where c."table" = w."table" and c.record = w.record and (c.after ->> 'version')::int = w.version) end)
      or (w."table" = 'enrollment' and not exists (select from enrollment where site::text = w.record and version >= coalesce(w.version, 1)))`
    lost.push(...(await readRows(db, query)).map(({ kind, ...row }) => `${kind}: ${JSON.stringify(row)}`))
  }
  return lost
}

/** Requests that changed something twice; a save may change several programs and roles. */
export const findRepeatedSaves = async (db: Queryable): Promise<string[]> => {
  const { rows } = await sql<{ request: string; table: string; action: string }>`
    select request, "table", action from change where request is not null and "table" not in ('site_program_type', 'site_person')
    group by 1, 2, 3 having count(*) > 1`.execute(db)
  return rows.map(({ request, table, action }) => `${request}: ${table} ${action}`)
}

/** The tables of records, found by their history trigger. */
const listRecordTables = async (db: Queryable): Promise<string[]> => {
  const query = sql<{ name: string }>`
    select c.relname as name from pg_trigger as t join pg_class as c on c.oid = t.tgrelid where t.tgname = 'record_history' order by 1`
  return (await readRows(db, query)).map(({ name }) => name)
}

/** When and by whom a record was changed and checked: changing a part updates these without a history row. */
const AUDIT_COLUMNS = ['updatedAt', 'updatedBy', 'checkedAt', 'checkedBy', 'checkVersion']

/**
 * A record without the columns that change without a history row: its audit columns, the version of an enrollment record, which its parts change, and
 * what a migration added to roles. A column that is newer than a history is null, and missing there.
 */
const withoutAuditColumns = (row: string, table: string): RawBuilder<unknown> =>
  sql`jsonb_strip_nulls(${sql.raw(row)} - ${AUDIT_COLUMNS}::text[]
    - case ${sql.raw(table)} when 'enrollment' then '{version}' when 'role' then '{notAt,version}' else '{}' end::text[])`

/** Where a change does not start from the result of the previous one, or a record differs from the result of its last change. */
const findHistoryGaps = async (db: Queryable): Promise<string[]> => {
  const { rows: breaks } = await sql<{ table: string; record: string; _id: number }>`
    select "table", record, _id from (
      select *, lag(after) over one as previous, row_number() over one as turn from change
      where action not in ('check', 'uncheck') window one as (partition by "table", record order by _id)) as c
    where (turn = 1 and action <> 'insert') or ${withoutAuditColumns('before', '"table"')} is distinct from ${withoutAuditColumns('previous', '"table"')}
      or (action = 'update' and (after ->> 'version')::int is distinct from (before ->> 'version')::int + 1)`.execute(db)
  const gaps = breaks.map(({ table, record, _id }) => `history of ${table} ${record} breaks at ${_id}`)
  for (const table of await listRecordTables(db)) {
    const query = sql<{ record: string }>`
      select coalesce(now.record, history.record) as record
      from (select to_jsonb(t) as row, coalesce(to_jsonb(t) ->> '_id', to_jsonb(t) ->> 'site', to_jsonb(t) ->> 'name') as record from ${sql.table(table)} as t) as now
      full join (select distinct on (record) "table", record, action, after from change
        where "table" = ${table} and action not in ('check', 'uncheck') order by record, _id desc) as history
        on history.record = now.record
      where case when now.record is null then history.action <> 'delete'
        else history.record is null or history.action = 'delete' or ${withoutAuditColumns('now.row', 'history."table"')} is distinct from ${withoutAuditColumns('history.after', 'history."table"')} end`
    gaps.push(...(await readRows(db, query)).map(({ record }) => `${table} ${record} is not what its history says`))
  }
  return gaps
}

/** The sample network has requests without emails. */
const IS_OF_WRITER = `text ~ '^w\\d+-\\d+'`

/** Rows that must exist together; each query returns incomplete ones. */
const INCOMPLETE_RECORD_QUERIES: Readonly<Record<string, string>> = {
  'a site without its facility': 'select _id from site where not exists (select from facility where site = site._id)',
  'a site without its enrollment record': 'select _id from site where not exists (select from enrollment where site = site._id)',
  'a new site without its addresses': `select s._id from site as s where s."displayName" like 'Made by w%' and not exists (select from change as c where c."table" = 'enrollment'
      and c.record = s._id::text and c.action = 'update' and c.after -> 'interestEmail' ->> 0 = replace(s."displayName", 'Made by ', '') || '@writers.test')`,
  'an enrollment record with other programs than were saved with it': `select e.site from enrollment as e where e.about ~ '^w\\d+-\\d+ offers' and
      btrim(split_part(e.about, ' offers', 2)) <> coalesce((select string_agg(p.program_type::text, ' ' order by p.program_type::text) from site_program_type as p where p.site = e.site), '')`,
  'an enrollment record with another address than was saved with it': `select site from enrollment where about ~ '^w\\d+-\\d+ offers' and "registrationEmail" <> array[split_part(about, ' ', 1) || '@writers.test']`,
  'an enrollment record whose version does not count its changes and those of its programs': `select e.site from enrollment as e where e.version <> (select count(*) from change as c where c.parent = e.site::text and c."table" in ('enrollment', 'site_program_type'))`,
  'settings of two saves': `select name from setting where value ->> 'organisation' ~ '^w\\d+-' and value -> 'supportRequestsTo' ->> 0 is distinct from (value ->> 'organisation') || '@writers.test'`,
  'a request without its one mail': `select _id from request where ${IS_OF_WRITER} and (select count(*) from mail where request = request._id and kind = 'request') <> 1`,
  'an answered request without a mail': `select _id from request where ${IS_OF_WRITER} and state <> 'open' and email is not null and not exists (select from mail where request = request._id and kind = 'answer')`,
  'an answer to an open request': `select _id from mail where kind = 'answer' and exists (select from request where _id = mail.request and state = 'open')`,
  'someone who left and still holds a role':
    'select p._id from person as p join site_person as s on s.person = p._id where p."leftAt" is not null',
  'someone who left without a departure':
    'select _id from person where "leftAt" is not null and not exists (select from departure where person = person._id)',
  'a departure of someone who has not left':
    'select d._id from departure as d join person as p on p._id = d.person where p."leftAt" is null',
  'a picture with other bytes': `select _id from picture where encode(sha256(bytes), 'hex') <> _id`,
}

/** What was changed together in one transaction, in the terms of the history: anything else is an incomplete save. */
const COMPLETE_SAVES: ReadonlySet<string> = new Set([
  ...['site', 'facility', 'enrollment', 'charter_affair', 'charter', 'brand'].map((table) => `${table} update`),
  ...['person', 'request', 'setting'].flatMap((table) => [`${table} insert`, `${table} update`]),
  ...['authorizer_board_member', 'sis_site'].flatMap((table) => [`${table} insert`, `${table} update`, `${table} delete`]),
  'charter insert',
  'site_person insert',
  'site_person delete',
  'enrollment update, site_program_type insert',
  'enrollment update, site_program_type delete',
  'enrollment update, site_program_type delete, site_program_type insert',
  'enrollment insert, enrollment update, facility insert, site insert',
  'charter_affair insert, charter_affair update',
  'authorizer_board_member insert, charter_affair insert',
  'person update, site_person delete',
])

const findIncompleteRecords = async (db: Queryable): Promise<string[]> => {
  const incomplete: string[] = []
  for (const [what, query] of Object.entries(INCOMPLETE_RECORD_QUERIES)) {
    incomplete.push(...(await readRows(db, sql.raw<object>(query))).map((row) => `${what}: ${JSON.stringify(row)}`))
  }
  const query = sql<{ request: string; shape: string }>`
    select request, string_agg(distinct "table" || ' ' || action, ', ' order by "table" || ' ' || action) as shape
    from change where request is not null group by request`
  const partial = (await readRows(db, query)).filter(({ shape }) => !COMPLETE_SAVES.has(shape))
  return [...incomplete, ...partial.map(({ request, shape }) => `${request} changed only: ${shape}`)]
}

/** What PostgreSQL reports about its files, if it has the extension: every row is read, every index compared with its table. */
const findCorruptFiles = async (db: Queryable): Promise<string[]> => {
  const { rows: available } = await sql`select from pg_available_extensions where name = 'amcheck'`.execute(db)
  if (available.length === 0) return []
  await sql`create extension if not exists amcheck`.execute(db)
  const tables = sql<{ name: string; msg: string }>`
    select c.relname as name, v.msg from pg_class as c, lateral verify_heapam(c.oid) as v where c.relkind = 'r' and c.relpersistence = 'p'`
  const broken = (await readRows(db, tables)).map(({ name, msg }) => `${name}: ${msg}`)
  const { rows: indexes } = await sql<{ oid: number; name: string }>`
    select c.oid::int, c.relname as name from pg_class as c join pg_am as a on a.oid = c.relam join pg_index as i on i.indexrelid = c.oid
    where a.amname = 'btree' and c.relkind = 'i' and i.indisvalid and i.indisready`.execute(db)
  for (const { oid, name } of indexes)
    await sql`select bt_index_check(${oid}::oid, true)`.execute(db).catch((error: unknown) => broken.push(`${name}: ${String(error)}`))
  await sql`drop extension amcheck`.execute(db)
  return broken
}

/** Checks acknowledged saves and pictures, incomplete records, the history, and PostgreSQL's files. */
export const checkConsistency = async (
  db: Db,
  acknowledged: readonly AcknowledgedSave[],
  pictures: readonly string[] = [],
): Promise<ConsistencyReport> => {
  let rows = 0
  for (const table of await listRecordTables(db)) rows += await countRows(db, table)
  return {
    lost: [...(await findLostSaves(db, acknowledged)), ...(await findLostPictures(db, pictures))],
    incomplete: await findIncompleteRecords(db),
    gaps: [...(await findHistoryGaps(db)), ...(await findCorruptFiles(db))],
    rows,
    changes: await countRows(db, 'change'),
  }
}

/** Acknowledged pictures that are missing; the bytes of all others are compared with their ids. */
const findLostPictures = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const stored = new Set((await db.selectFrom('picture').select('_id').execute()).map(({ _id }) => _id))
  return ids.filter((id) => !stored.has(id)).map((id) => `picture ${id}`)
}

/** Mails marked as written whose file is missing. */
export const findLostMails = async (db: Db, dataDir: string): Promise<string[]> => {
  const mails = await db.selectFrom('mail').select('_id').where('sentAs', '=', 'file').execute()
  const files = new Set(await readdir(join(dataDir, 'mail')).catch(() => []))
  return mails.filter(({ _id }) => !files.has(`${_id}.eml`)).map(({ _id }) => `mail ${_id}`)
}
