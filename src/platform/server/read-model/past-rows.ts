import type { Pool } from 'pg'

import { RECORD_KINDS } from '../../../contract/records.ts'
import { withClient } from '../../../database/connection.server.ts'
import { getText } from './table-rows.ts'
import { getTable, MODEL_TABLE_NAMES, type ModelRow, type ModelTable, toRowJson } from './tables.ts'

const IS_CHECK = `action in ('check', 'uncheck')`

const ARCHIVABLE: ReadonlySet<string> = new Set(RECORD_KINDS)
/** A history that is older than these columns is one of records that were not archived. */
const NOT_ARCHIVED = `'{"archivedAt": null, "archivedReason": null, "mergedInto": null}' || `

/**
 * The rows of a table that have changed since: before their first change, and before their first check. A newer column has its present value. What
 * the program itself inserted, such as regions and roles, was always there: imported history may be older than the database.
 */
const selectChanged = (table: ModelTable): string => `
  select '${table}' as "table", first.record as key,
    (select ${toRowJson(table)} from jsonb_populate_record(present, ${ARCHIVABLE.has(table) ? NOT_ARCHIVED : ''}past.json) as t where past.json is not null) as row
  from first
  left join change as changed on changed._id = first.changed
  left join change as checked on checked._id = first.checked and (first.changed is null or first.checked < first.changed)
  left join "${table}" as present on present."${getTable(table).key}" = first.record
  cross join lateral (select case when first.changed is null then to_jsonb(present) when changed.action = 'insert' and changed."actorName" = 'Homeroom' then changed.after
      else changed.before end
    || case when checked._id is null then '{}' else checked.before - 'version' end as json) as past
  where first."table" = '${table}'`

const CHANGED_ROWS = `
  with first as materialized (
    select "table", record, min(_id) filter (where not ${IS_CHECK}) as changed, min(_id) filter (where ${IS_CHECK}) as checked
    from change where at >= $1 and "table" = any($2) group by "table", record)
  ${MODEL_TABLE_NAMES.map(selectChanged).join(' union all ')}`

/** The last change of each record, or of its parts. */
const LAST_UPDATES = `
  select distinct on (parent) parent, to_json(at) as "updatedAt", "actorName" as "updatedBy" from change
  where parent = any($2) and at < $1 and not ${IS_CHECK} order by parent, at desc, _id desc`

/** By how much the versions of rows of a table (`$2`) were raised by changes of another one (`$3`), until their own first change. */
const RAISED_VERSIONS = `
  select raised.parent as key, count(*)::int as count from change as raised
  where raised."table" = $3 and raised.at >= $1 and not exists (
    select from change as own where own.record = raised.parent and own."table" = $2 and own.at >= $1 and own._id < raised._id)
  group by raised.parent`

type Row = ModelRow<ModelTable>
/** Who last changed a record, and when. */
type Update = Pick<ModelRow<'site'>, 'updatedAt' | 'updatedBy'>

/** A change of a part updates its record without a row in the record's history, so that a row may have a later update than the moment. */
const correctUpdates = async (pool: Pool, rows: Row[], key: string, moment: Date): Promise<void> => {
  const isLater = (row: Row): boolean => 'updatedAt' in row && Date.parse(row.updatedAt) >= moment.getTime()
  const later = [...rows.entries()].filter(([, row]) => isLater(row))
  if (later.length === 0) return
  const records = later.map(([, row]) => getText(row, key))
  const found = await withClient(pool, (client) => client.query<Update & { parent: string }>(LAST_UPDATES, [moment, records]))
  const updates = new Map(found.rows.map(({ parent, ...update }) => [parent, update]))
  for (const [at, row] of later) rows[at] = { ...row, ...updates.get(getText(row, key)) }
}

const correctVersions = async (pool: Pool, rows: Row[], table: ModelTable, moment: Date): Promise<void> => {
  const { key, versionRaisedBy } = getTable(table)
  if (versionRaisedBy === undefined) return
  const found = await withClient(pool, (client) =>
    client.query<{ key: string; count: number }>(RAISED_VERSIONS, [moment, table, versionRaisedBy]),
  )
  const counts = new Map(found.rows.map((one) => [one.key, one.count]))
  for (const [at, row] of rows.entries()) {
    const count = counts.get(getText(row, key))
    if (count !== undefined) rows[at] = { ...row, version: row.version - count }
  }
}

interface RowsOfTable {
  readonly table: ModelTable
  readonly rows: readonly Row[]
}

/**
 * The rows of each table just before a moment. Those that have not changed since are the objects in `present`, which are to be taken before the call:
 * the history then has all changes that they lack.
 */
export async function* readRowsBefore(pool: Pool, present: readonly RowsOfTable[], moment: Date): AsyncGenerator<RowsOfTable> {
  const { rows: changed } = await withClient(pool, (client) =>
    client.query<{ table: ModelTable; key: string; row: Row | null }>(CHANGED_ROWS, [moment, MODEL_TABLE_NAMES]),
  )
  for (const { table, rows } of present) {
    const { key } = getTable(table)
    const known = new Map(changed.flatMap((one) => (one.table === table ? [[one.key, one.row]] : [])))
    const past = rows.filter((row) => !known.has(getText(row, key)))
    for (const row of known.values()) if (row) past.push(row)
    await correctUpdates(pool, past, key, moment)
    await correctVersions(pool, past, table, moment)
    yield { table, rows: past }
  }
}
