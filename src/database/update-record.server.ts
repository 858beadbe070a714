import { sql } from 'kysely'

import { notFound, staleVersion } from '../contract/problem.ts'
import { getRecordName, isSheetKind, type SheetRecordKind } from '../contract/records.ts'
import { assertRowNotArchived } from './archived-records.server.ts'
import type { Tx } from './connection.server.ts'
import { assertReferences, type References } from './record-lookup.server.ts'
import type { Database } from './schema.ts'

/** What the records of tables that are not a kind themselves are called. */
const OTHER_TABLES = { facility: 'Site', enrollment: 'Site', deadline: 'Deadline' } as const
export type EditableTable = SheetRecordKind | keyof typeof OTHER_TABLES

/** What a record of a table is called in a message. */
export const getTableLabel = (table: EditableTable): string => (isSheetKind(table) ? getRecordName(table) : OTHER_TABLES[table])

/** The key column of a table: facility and enrollment have the site's id. */
export const getKeyColumn = (table: EditableTable): string => (table === 'facility' || table === 'enrollment' ? 'site' : '_id')

/** A stored row as JSON. */
export type StoredRow = Readonly<Record<string, unknown>>

export const isEditable = (table: string): table is EditableTable => isSheetKind(table) || Object.hasOwn(OTHER_TABLES, table)

/** Throws 412 if a row was saved after the version that an edit is based on. */
export const assertVersion = ({ version }: { readonly version: number }, ifMatchVersion: number | undefined): void => {
  if (ifMatchVersion !== undefined && ifMatchVersion !== version) throw staleVersion()
}

/**
 * Locks a record until the transaction ends, compares its version with the one that an edit was based on, and returns the row as JSON: throws 412 if
 * it was saved in between, 404 if it is deleted, 409 if it is archived.
 */
export const lockForUpdate = async (
  tx: Tx,
  table: EditableTable,
  key: string,
  ifMatchVersion: number | undefined,
): Promise<Readonly<Record<string, unknown>>> => {
  const { rows } = await sql<{ row: { version: number } & Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(table)} as t where ${sql.ref(`t.${getKeyColumn(table)}`)} = ${key} for update`.execute(tx)
  const row = rows[0]?.row
  if (!row) throw notFound(getTableLabel(table))
  await assertRowNotArchived(tx, table, row)
  assertVersion(row, ifMatchVersion)
  return row
}

/** Updates columns of a locked record; the trigger `set_version` increments its version if a value differs. Throws 422 for a reference to no record. */
export const updateRecord = async <T extends EditableTable>(
  tx: Tx,
  table: T,
  key: string,
  columns: Partial<Record<keyof Database[T] & string, unknown>>,
  references: References = {},
): Promise<void> => {
  await assertReferences(tx, references, columns)
  const entries = Object.entries(columns).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return
  const changes = sql.join(entries.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
  await sql`update ${sql.table(table)} set ${changes} where ${sql.ref(getKeyColumn(table))} = ${key}`.execute(tx)
}
