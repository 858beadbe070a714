import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import { getKeyColumn } from '../../../database/update-record.server.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { type EditableRecordKind, findPart, getAtPath, type RecordPart, type StoredRow } from '../../../platform/server/record-editor.ts'
import type { SHEETS } from './columns.server.ts'
import { type Author, findStaffAuthors, readEarlierStaff, readStaffVersions } from './staff-versions.server.ts'

type SheetTable = (typeof SHEETS)[keyof typeof SHEETS]['table']
type StoredTable = Exclude<SheetTable, 'site_person'>

const keyOf = (table: StoredTable): string => (table === 'charter_affair' ? 'charter' : getKeyColumn(table))

/** The versions of the rows of a sheet, by the key of the record. */
export const readVersions = async (db: Queryable, table: SheetTable, keys: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  if (table === 'site_person') return readStaffVersions(db, keys)
  const key = sql.ref(keyOf(table))
  const { rows } = await sql<{ key: string; version: number }>`
    select ${key} as key, version from ${sql.table(table)} where ${key} = any(${[...keys]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.key, row.version]))
}

/** The changes of the wanted records, and the key of each. */
const selectChanges = (table: StoredTable, wanted: ReadonlyMap<string, number>) => sql`
  unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::int[]) as wanted (key, version)
    join ${sql.table(table)} as present on ${sql.ref(`present.${keyOf(table)}`)} = wanted.key
    join change on change.record = ${sql.ref(`present.${getKeyColumn(table)}`)} and change."table" = ${table}`

/** The rows in earlier versions, by the key of the record, from the history. */
export const readEarlierRows = async (
  db: Queryable,
  model: ReadModel,
  { part }: { readonly part: RecordPart },
  table: SheetTable,
  wanted: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, StoredRow>> => {
  if (wanted.size === 0) return new Map()
  if (table === 'site_person') return readEarlierStaff(db, wanted, (sites) => part.readInputs(db, model, sites))
  const { rows } = await sql<{ key: string; row: StoredRow }>`
    select wanted.key, change.after as row from ${selectChanges(table, wanted)}
    where (change.after ->> 'version')::int = wanted.version`.execute(db)
  return new Map(rows.map(({ key, row }) => [key, row]))
}

/** Who last changed a field of a record after the given version. */
export const findAuthors = async (
  db: Queryable,
  model: ReadModel,
  kind: EditableRecordKind,
  table: SheetTable,
  wanted: ReadonlyMap<string, number>,
): Promise<(key: string, path: string) => Author | undefined> => {
  if (table === 'site_person') return findStaffAuthors(db, wanted)
  const { rows } =
    wanted.size === 0
      ? { rows: [] }
      : await sql<Author & { key: string; before: StoredRow | null; after: StoredRow | null }>`
          select wanted.key, change."actorName" as by, ${toIsoTimestamp(sql<Date>`change.at`)} as at, change.before, change.after
          from ${selectChanges(table, wanted)} where (change.after ->> 'version')::int > wanted.version order by change._id desc`.execute(
          db,
        )
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return (key, path) => {
    const { part, inner } = findPart(kind, path)
    const toText = (row: StoredRow | null) => JSON.stringify((row && getAtPath(part.toInput?.(row, model), inner)) ?? null)
    return byKey.get(key)?.find(({ before, after }) => toText(before) !== toText(after))
  }
}
