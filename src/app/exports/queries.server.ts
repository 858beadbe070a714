import { type RawBuilder, sql } from 'kysely'

import { toIsoDay } from '../../contract/dates.ts'
import { memoize } from '../../contract/memoize.ts'
import { invalidFields, toFieldErrors } from '../../contract/problem.ts'
import { STATUS_LABELS, type Status } from '../../contract/status.ts'
import type { Db, Queryable } from '../../database/connection.server.ts'
import { toIsoTimestamp } from '../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../platform/server/app-context.ts'
import { getArchivedView } from '../../platform/server/archived-view.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { SharedReads } from '../../platform/server/shared-reads.ts'
import type { CellValue } from '../../platform/server/workbook-writer.ts'
import { affairSections } from '../../records/charter-affairs/contract.ts'
import { ListRequest } from '../../records/list-download/contract.ts'
import type { Download, ExportKind, ExportPreview } from './contract.ts'
import { openDeadlineRows } from './deadline-rows.server.ts'
import { pickListed } from './list-rows.server.ts'
import { withListSource } from './list-sources.server.ts'
import { openSnapshot, type Snapshot } from './snapshot.server.ts'
import { type WorkbookColumn, type WorkbookSheet, WORKBOOKS } from './workbooks.ts'

/** Sheets that are read from the database by column; deadlines are in memory. */
type StoredSheet = WorkbookSheet & { readonly rows: Exclude<WorkbookSheet['rows'], 'deadlines'> }
const isStored = (sheet: WorkbookSheet): sheet is StoredSheet => sheet.rows !== 'deadlines'

/** The tables and the order of each kind of sheet. Left joins keep rows whose charter, brand or region is missing. */
const SOURCES: Record<StoredSheet['rows'], { from: RawBuilder<unknown>; order: RawBuilder<unknown> }> = (() => {
  const siteParents = sql`
    left join charter on charter._id = site.charter
    left join brand on brand._id = charter.brand
    left join region on region._id = site.region`
  const inUse = (table: 'charter' | 'site') => sql`(select * from ${sql.table(table)} where "archivedAt" is null) as ${sql.table(table)}`
  const ofCharters = sql`${inUse('charter')} join brand on brand._id = charter.brand`
  const byCharter = sql`charter.name collate "C", charter._id`
  const bySite = sql`site."displayName" collate "C", site._id`
  const staff = (group: 'LEADERSHIP' | 'STUDENT_SUPPORT') => ({
    // Reads the sites in order and the staff of each, so that only the staff of one site has to be sorted.
    from: sql`(select * from site where "archivedAt" is null order by ${bySite} offset 0) as site
      cross join lateral (select * from site_person where site_person.site = site._id offset 0) as site_person
      join role on role._id = site_person.role and role."group" = ${sql.lit(group)}
      join person on person._id = site_person.person ${siteParents}`,
    order: sql`${bySite}, role.name collate "C", person.name collate "C", site_person._id`,
  })
  const part = (table: 'authorizer_board_member' | 'center_district', by: string) => ({
    from: sql`${sql.table(table)} join charter_affair on charter_affair._id = ${sql.ref(`${table}.charter_affair`)}
      join ${inUse('charter')} on charter._id = charter_affair.charter`,
    order: sql`${byCharter}, ${sql.ref(`${table}.${by}`)} collate "C", ${sql.ref(`${table}._id`)}`,
  })
  return {
    sites: { from: sql`${inUse('site')} ${siteParents} join facility on facility.site = site._id`, order: bySite },
    charters: { from: sql`${ofCharters} left join charter_affair on charter_affair.charter = charter._id`, order: byCharter },
    members: part('authorizer_board_member', 'board_member_name'),
    districts: part('center_district', 'center_name'),
    leadership: staff('LEADERSHIP'),
    'student support': staff('STUDENT_SUPPORT'),
  }
})()

const selectValue = ({ from }: WorkbookColumn): RawBuilder<unknown> => {
  const [table = '', field = ''] = from.split('.')
  return Object.hasOwn(affairSections, table) ? sql`${sql.ref(`charter_affair.${table}`)} ->> ${sql.lit(field)}` : sql.ref(from)
}

const selectRows = ({ rows, columns }: StoredSheet, limit?: number): RawBuilder<unknown> => {
  const { from, order } = SOURCES[rows]
  const values = columns.map((column, at) => sql`${selectValue(column)} as ${sql.ref(`c${at}`)}`)
  return sql`select ${sql.join(values)} from ${from} order by ${order}${limit === undefined ? sql`` : sql` limit ${sql.lit(limit)}`}`
}

/** A value as read from the database: days are text, moments are not. */
type Value = string | boolean | Date | null

const toCell = (value: Value, { holds }: WorkbookColumn, timeZone: string): CellValue => {
  if (value === null) return null
  if (value instanceof Date) return toIsoDay(value, timeZone)
  if (holds === 'yes or no') return value === true ? 'Yes' : 'No'
  return holds === 'status' ? STATUS_LABELS[value as Status] : String(value)
}
const toCells = (row: readonly Value[], { columns }: WorkbookSheet, timeZone: string): CellValue[] =>
  columns.map((column, at) => toCell(row[at] ?? null, column, timeZone))

/**
 * Makes PostgreSQL return the first row immediately, instead of joining and sorting everything first: sites or charters in order, with index lookups
 * for the rest of each row.
 */
const NESTED_LOOP_SETTINGS = 'set local enable_hashjoin = off; set local enable_mergejoin = off; set local cursor_tuple_fraction = 0.001'

const BATCH_SIZE = 100

async function* readStoredRows(snapshot: Snapshot, sheet: StoredSheet, timeZone: string): AsyncGenerator<CellValue[][]> {
  for await (const rows of snapshot.batches<Value[]>(selectRows(sheet), BATCH_SIZE)) yield rows.map((row) => toCells(row, sheet, timeZone))
}

/** The rows of a workbook's sheets in batches, from one snapshot, until it is closed. */
interface WorkbookRows {
  readonly read: (sheet: WorkbookSheet) => AsyncGenerator<CellValue[][]>
  readonly close: () => void
}

export const openWorkbookRows = async (context: AppContext, user: SignedIn, kind: ExportKind): Promise<WorkbookRows> => {
  if (kind === 'deadlines') {
    const rows = await openDeadlineRows(context, user)
    async function* read(): AsyncGenerator<CellValue[][]> {
      for (let at = 0; at < rows.count; at += BATCH_SIZE) yield rows.read(at, at + BATCH_SIZE)
    }
    return { read, close: () => {} }
  }
  const snapshot = await openSnapshot(context, NESTED_LOOP_SETTINGS)
  async function* read(sheet: WorkbookSheet): AsyncGenerator<CellValue[][]> {
    if (isStored(sheet)) yield* readStoredRows(snapshot, sheet, context.configuration.timeZone)
  }
  return { read, close: snapshot.close }
}

interface FirstRows {
  readonly count: number
  readonly first: readonly (readonly CellValue[])[]
}

const readFirstStoredRows = async ({ db, configuration }: AppContext, sheet: StoredSheet): Promise<FirstRows> => {
  const [{ rows: counts }, { rows }] = await Promise.all([
    sql<{ count: number }>`select count(*)::int as count from ${SOURCES[sheet.rows].from}`.execute(db),
    sql<Record<string, Value>>`${selectRows(sheet, PREVIEW_ROWS)}`.execute(db),
  ])
  return { count: counts[0]?.count ?? 0, first: rows.map((row) => toCells(Object.values(row), sheet, configuration.timeZone)) }
}

const readFirstDeadlines = async (context: AppContext, user: SignedIn): Promise<FirstRows> => {
  const { count, read } = await openDeadlineRows(context, user)
  return { count, first: read(0, PREVIEW_ROWS) }
}

const toPreview = async (db: Db, kind: ExportKind, { count, first }: FirstRows): Promise<ExportPreview> => {
  const last = await findLastComplete(db, kind)
  return {
    rows: count,
    bytes: last?.bytes && last.rows ? Math.round((last.bytes / last.rows) * count) : null,
    first: first.map((cells) => cells.map((value) => value ?? '')),
  }
}

const getSharedPreviews = memoize((_model: ReadModel) => new SharedReads<ExportPreview>())

/** The first rows of a workbook. Those that are the same for everyone are read once for all who ask at the same moment. */
export const getPreview = async (context: AppContext, user: SignedIn, kind: ExportKind): Promise<ExportPreview> => {
  const { db, readModel } = context
  const [sheet] = WORKBOOKS[kind]
  if (!sheet) return { rows: 0, bytes: null, first: [] }
  if (!isStored(sheet)) return toPreview(db, kind, await readFirstDeadlines(context, user))
  return getSharedPreviews(readModel).read(kind, async () => toPreview(db, kind, await readFirstStoredRows(context, sheet)))
}
const PREVIEW_ROWS = 3

const findLastComplete = async (db: Db, kind: ExportKind): Promise<{ rows: number; bytes: number } | undefined> => {
  const { rows } = await sql<{ rows: number; bytes: number }>`
    select (after ->> 'rows')::int as rows, (after ->> 'bytes')::bigint as bytes from audit_event
    where kind = 'download.finished' and after ->> 'what' = ${kind} and after ->> 'outcome' = 'whole'
    order by _id desc limit 1`.execute(db)
  return rows[0]
}

const MAX_LISTED = 500

/** The latest downloads, newest first: running ones, and completed ones from the audit trail. */
export const listDownloadLog = async (db: Queryable): Promise<Download[]> => {
  const { rows } = await sql<Download>`
    with listed as (
      (select _id::text, kind, name, "azureID", ${toIsoTimestamp(sql<Date>`at`)} as at, null as outcome, null::int as rows, null::bigint as bytes
        from download order by at desc limit ${MAX_LISTED})
      union all
      (select record, after ->> 'what', name, actor, after ->> 'startedAt', after ->> 'outcome', (after ->> 'rows')::int, (after ->> 'bytes')::bigint
        from audit_event where kind = 'download.finished' order by _id desc limit ${MAX_LISTED}))
    select * from listed order by at desc, _id::bigint desc limit ${MAX_LISTED}`.execute(db)
  return rows
}

/** The `_id`s of the records that a list shows, in order. Throws 422 for unknown lists, records and filters. */
export const listRecordIds: AppContext['listRecordIds'] = async (context, given) => {
  const { data: request, error } = ListRequest.safeParse(given)
  if (error) throw invalidFields(toFieldErrors(error).map(({ path, message }) => ({ path: path.replace(/^filters\./, ''), message })))
  const { timeZone } = context.configuration
  const { readModel } = request.archived ? await getArchivedView(context) : context
  const { pick } = await withListSource(readModel, request, timeZone, (source) => ({
    pick: () => pickListed(source, request, timeZone, ({ _id }) => _id),
  }))
  return pick()
}
