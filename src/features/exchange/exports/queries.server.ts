import { type RawBuilder, sql } from 'kysely'

import type { Db, Queryable } from '../../../database/connection.server.ts'
import { readJsonRows, toIsoTimestamp } from '../../../database/json.server.ts'
import { STATUS_LABELS, type Status } from '../../../platform/contract/status.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { CellValue } from '../../../platform/server/workbook-writer.ts'
import { affairSections } from '../../records/charter-affairs/contract.ts'
import type { Download, ExportKind, ExportPreview } from './contract.ts'
import type { Snapshot } from './snapshot.server.ts'
import { type Column, type Sheet, WORKBOOKS } from './workbooks.ts'

/** What each kind of sheet is read from, and in which order. Whoever else a row belongs to may be missing; the row is there all the same. */
const SOURCES: Record<Sheet['rows'], { from: RawBuilder<unknown>; order: RawBuilder<unknown> }> = (() => {
  const belongings = sql`
    left join charter on charter._id = site.charter
    left join brand on brand._id = charter.brand
    left join region on region._id = site.region`
  const ofCharters = sql`charter join brand on brand._id = charter.brand`
  const byCharter = sql`charter.name collate "C", charter._id`
  const bySite = sql`site."displayName" collate "C", site._id`
  const staff = (group: 'LEADERSHIP' | 'STUDENT_SUPPORT') => ({
    // The sites in their order first, then each one's staff: only what is of one site has still to be sorted.
    from: sql`(select * from site order by ${bySite} offset 0) as site
      cross join lateral (select * from site_person where site_person.site = site._id offset 0) as site_person
      join role on role._id = site_person.role and role."group" = ${sql.lit(group)}
      join person on person._id = site_person.person ${belongings}`,
    order: sql`${bySite}, role.name collate "C", person.name collate "C", site_person._id`,
  })
  const part = (table: 'authorizer_board_member' | 'center_district', by: string) => ({
    from: sql`${sql.table(table)} join charter_affair on charter_affair._id = ${sql.ref(`${table}.charter_affair`)}
      join charter on charter._id = charter_affair.charter`,
    order: sql`${byCharter}, ${sql.ref(`${table}.${by}`)} collate "C", ${sql.ref(`${table}._id`)}`,
  })
  return {
    sites: { from: sql`site ${belongings} join facility on facility.site = site._id`, order: bySite },
    charters: { from: sql`${ofCharters} left join charter_affair on charter_affair.charter = charter._id`, order: byCharter },
    members: part('authorizer_board_member', 'board_member_name'),
    districts: part('center_district', 'center_name'),
    leadership: staff('LEADERSHIP'),
    'student support': staff('STUDENT_SUPPORT'),
  }
})()

const selectValue = ({ from }: Column): RawBuilder<unknown> => {
  const [table = '', field = ''] = from.split('.')
  return Object.hasOwn(affairSections, table) ? sql`${sql.ref(`charter_affair.${table}`)} ->> ${sql.lit(field)}` : sql.ref(from)
}

const selectRows = ({ rows, columns }: Sheet, most?: number): RawBuilder<unknown> => {
  const { from, order } = SOURCES[rows]
  const values = columns.map((column, at) => sql`${selectValue(column)} as ${sql.ref(`c${at}`)}`)
  return sql`select ${sql.join(values)} from ${from} order by ${order}${most === undefined ? sql`` : sql` limit ${sql.lit(most)}`}`
}

/** What the columns hold in the database: days come as text. */
type Value = string | boolean | null

/** A value of the database as a cell has it. */
const toCell = (value: Value, { holds }: Column): CellValue => {
  if (value === null) return null
  if (holds === 'yes or no') return value === true ? 'Yes' : 'No'
  return holds === 'status' ? STATUS_LABELS[value as Status] : String(value)
}
const toCells = (row: readonly Value[], { columns }: Sheet): CellValue[] => columns.map((column, at) => toCell(row[at] ?? null, column))

/**
 * A sheet begins with its first row, not with all of them joined and sorted: sites or charters in their order, and for each what belongs to it by
 * key.
 */
export const NESTED_LOOP_SETTINGS =
  'set local enable_hashjoin = off; set local enable_mergejoin = off; set local cursor_tuple_fraction = 0.001'

/** Rows that are in memory at once. */
const BATCH_SIZE = 100

/** The rows of a sheet as its cells. */
export async function* readSheet(snapshot: Snapshot, sheet: Sheet): AsyncGenerator<CellValue[][]> {
  for await (const rows of snapshot.batches<Value[]>(selectRows(sheet), BATCH_SIZE)) yield rows.map((row) => toCells(row, sheet))
}

/** How many rows the first sheet has, the first of them, and about how large the file will be. */
export const getPreview = async (db: Db, kind: ExportKind): Promise<ExportPreview> => {
  const [sheet] = WORKBOOKS[kind]
  if (!sheet) return { rows: 0, bytes: null, first: [] }
  const { from } = SOURCES[sheet.rows]
  const [{ rows: counts }, { rows: firstRows }, last] = await Promise.all([
    sql<{ rows: number }>`select count(*)::int as rows from ${from}`.execute(db),
    sql<Record<string, Value>>`${selectRows(sheet, PREVIEW_ROWS)}`.execute(db),
    findLastComplete(db, kind),
  ])
  const rows = counts[0]?.rows ?? 0
  const first = firstRows.map((row) => toCells(Object.values(row), sheet).map((value) => value ?? ''))
  return { rows, bytes: last?.bytes && last.rows ? Math.round((last.bytes / last.rows) * rows) : null, first }
}
const PREVIEW_ROWS = 3

const findLastComplete = (db: Db, kind: ExportKind) =>
  db
    .selectFrom('download')
    .select(['rows', 'bytes'])
    .where('kind', '=', kind)
    .where('outcome', '=', 'whole')
    .orderBy('at', 'desc')
    .orderBy('_id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Notes who begins to download what. */
export const logDownload = async (db: Queryable, { account, name, azureID }: SignedIn, kind: string): Promise<string> => {
  const { _id } = await db.insertInto('download').values({ account, name, azureID, kind }).returning('_id').executeTakeFirstOrThrow()
  return _id
}

/** Notes how it ended. */
export const logDownloadEnd = async (
  db: Queryable,
  _id: string,
  ended: { readonly outcome: NonNullable<Download['outcome']>; readonly rows: number; readonly bytes: number },
): Promise<void> => {
  await db
    .updateTable('download')
    .set({ ...ended, endedAt: sql`now()` })
    .where('_id', '=', _id)
    .execute()
}

const MAX_LISTED = 500

/** Who downloaded what, the newest first. */
export const listDownloadLog = (db: Queryable): Promise<Download[]> =>
  readJsonRows(
    db,
    db
      .selectFrom('download')
      .select((eb) => [
        sql<string>`_id::text`.as('_id'),
        'kind',
        'name',
        'azureID',
        toIsoTimestamp(eb.ref('at')).as('at'),
        'outcome',
        'rows',
        'bytes',
      ])
      .orderBy('download.at', 'desc')
      .orderBy('download._id', 'desc')
      .limit(MAX_LISTED),
  )
