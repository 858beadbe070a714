import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { getKeyColumn } from '../../../database/update-record.server.ts'
import type { StoredRow } from '../../../platform/server/record-editor.ts'
import type { SHEETS } from './columns.server.ts'

type SheetTable = (typeof SHEETS)[keyof typeof SHEETS]['table']

const keyOf = (table: SheetTable): string => (table === 'charter_affair' ? 'charter' : getKeyColumn(table))

/** The versions of the rows of a sheet, by the key of the record. */
export const readVersions = async (db: Queryable, table: SheetTable, keys: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const key = sql.ref(keyOf(table))
  const { rows } = await sql<{ key: string; version: number }>`
    select ${key} as key, version from ${sql.table(table)} where ${key} = any(${[...keys]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.key, row.version]))
}

/** The rows in earlier versions, by the key of the record, from the history. */
export const readEarlierRows = async (
  db: Queryable,
  table: SheetTable,
  wanted: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, StoredRow>> => {
  const { rows } = await sql<{ key: string; row: StoredRow }>`
    select wanted.key, change.after as row
    from unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::int[]) as wanted (key, version)
      join ${sql.table(table)} as present on ${sql.ref(`present.${keyOf(table)}`)} = wanted.key
      join change on change.record = ${sql.ref(`present.${getKeyColumn(table)}`)} and change."table" = ${table}
        and (change.after ->> 'version')::int = wanted.version`.execute(db)
  return new Map(rows.map(({ key, row }) => [key, row]))
}
