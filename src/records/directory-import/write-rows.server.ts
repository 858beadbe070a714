import { sql } from 'kysely'

import type { Tx } from '../../database/connection.server.ts'

const BATCH_SIZE = 1000
export const forEachBatch = async <T>(rows: readonly T[], each: (chunk: readonly T[]) => Promise<void>): Promise<void> => {
  for (let from = 0; from < rows.length; from += BATCH_SIZE) await each(rows.slice(from, from + BATCH_SIZE))
}

/** A row to write; `storedId` is its key if the import gives it another one. */
export interface RowToWrite {
  readonly id: string
  readonly storedId?: string
  readonly values: Readonly<Record<string, unknown>>
}

/** Rows with the same columns are written in one statement. */
export const groupByColumns = (rows: readonly RowToWrite[]): Map<readonly string[], RowToWrite[]> => {
  const groups = new Map<string, { columns: string[]; rows: RowToWrite[] }>()
  for (const row of rows) {
    const columns = Object.keys(row.values).toSorted()
    const key = columns.join(' ')
    const group = groups.get(key) ?? { columns, rows: [] }
    groups.set(key, group)
    group.rows.push(row)
  }
  return new Map([...groups.values()].map((group) => [group.columns, group.rows]))
}

const toRecordset = (table: string, rows: readonly Readonly<Record<string, unknown>>[]) =>
  sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) as given`

export const insertRows = async (tx: Tx, table: string, columns: readonly string[], rows: readonly RowToWrite[]): Promise<void> => {
  const list = sql.join(['_id', ...columns].map((column) => sql.ref(column)))
  const given = rows.map(({ id, values }) => ({ ...values, _id: id }))
  await sql`insert into ${sql.table(table)} (${list}) select ${list} from ${toRecordset(table, given)}`.execute(tx)
}

/** Updates the given columns of the rows with these keys. */
export const updateRows = async (
  tx: Tx,
  table: string,
  key: string,
  columns: readonly string[],
  rows: readonly RowToWrite[],
): Promise<void> => {
  const sets = columns.map((column) => sql`${sql.ref(column)} = given.${sql.ref(column)}`)
  if (sets.length === 0) return
  const given = rows.map(({ id, storedId, values }) => ({ ...values, [key]: storedId ?? id }))
  await sql`update ${sql.table(table)} set ${sql.join(sets)} from ${toRecordset(table, given)}
    where ${sql.ref(`${table}.${key}`)} = given.${sql.ref(key)}`.execute(tx)
}
