import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import { getKeyColumn, type StoredRow } from '../../../database/update-record.server.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { type EditableRecordKind, findPart, getAtPath, type RecordPart } from '../../../platform/server/record-editor.ts'
import type { Author, SheetDefinition } from '../../../platform/server/sheet-definition.ts'

type Versions = SheetDefinition['versions']
type StoredVersions = Extract<Versions, { readonly table: unknown }>

const keyOf = ({ table, keyColumn = getKeyColumn(table) }: StoredVersions): string => keyColumn

/** The versions of the rows of a sheet, by the key of the record. */
export const readVersions = async (db: Queryable, versions: Versions, keys: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  if ('read' in versions) return versions.read(db, keys)
  const key = sql.ref(keyOf(versions))
  const { rows } = await sql<{ key: string; version: number }>`
    select ${key} as key, version from ${sql.table(versions.table)} where ${key} = any(${[...keys]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.key, row.version]))
}

/** The changes of the wanted records, and the key of each. */
const selectChanges = (versions: StoredVersions, wanted: ReadonlyMap<string, number>) => sql`
  unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::int[]) as wanted (key, version)
    join ${sql.table(versions.table)} as present on ${sql.ref(`present.${keyOf(versions)}`)} = wanted.key
    join change on change.record = ${sql.ref(`present.${getKeyColumn(versions.table)}`)} and change."table" = ${versions.table}`

/** The rows in earlier versions, by the key of the record, from the history. */
export const readEarlierRows = async (
  db: Queryable,
  model: ReadModel,
  { part }: { readonly part: RecordPart },
  versions: Versions,
  wanted: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, StoredRow>> => {
  if (wanted.size === 0) return new Map()
  if ('read' in versions) return versions.readEarlier(db, wanted, (keys) => part.readInputs(db, model, keys))
  const { rows } = await sql<{ key: string; row: StoredRow }>`
    select wanted.key, change.after as row from ${selectChanges(versions, wanted)}
    where (change.after ->> 'version')::int = wanted.version`.execute(db)
  return new Map(rows.map(({ key, row }) => [key, row]))
}

/** Who last changed a field of a record after the given version. */
export const findAuthors = async (
  db: Queryable,
  model: ReadModel,
  kind: EditableRecordKind,
  versions: Versions,
  wanted: ReadonlyMap<string, number>,
): Promise<(key: string, path: string) => Author | undefined> => {
  if ('read' in versions) return versions.findAuthors(db, wanted)
  const { rows } =
    wanted.size === 0
      ? { rows: [] }
      : await sql<Author & { key: string; before: StoredRow | null; after: StoredRow | null }>`
          select wanted.key, change."actorName" as by, ${toIsoTimestamp(sql<Date>`change.at`)} as at, change.before, change.after
          from ${selectChanges(versions, wanted)} where (change.after ->> 'version')::int > wanted.version order by change._id desc`.execute(
          db,
        )
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return (key, path) => {
    const { part, inner } = findPart(kind, path)
    const toText = (row: StoredRow | null) => JSON.stringify((row && getAtPath(part.toInput?.(row, model), inner)) ?? null)
    return byKey.get(key)?.find(({ before, after }) => toText(before) !== toText(after))
  }
}
