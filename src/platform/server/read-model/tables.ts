import type { Selectable } from 'kysely'

import { KIND_REFERENCES, RECORD_KINDS, type RecordKind } from '../../../contract/records.ts'
import type { Database } from '../../../database/schema.ts'

/** A column in JSON form: moments are text, as PostgreSQL writes them in UTC. */
type JsonValue<T> = T extends Date ? string : T

/** A row as `to_jsonb` gives it. */
export type JsonRow<T extends keyof Database> = { readonly [K in keyof Selectable<Database[T]>]: JsonValue<Selectable<Database[T]>[K]> }
/** A row as the read model holds it. */
export type ModelRow<T extends ModelTable> = JsonRow<T>

interface TableDefinition {
  /** The primary key column. */
  readonly key: '_id' | 'site'
  /** The foreign key columns by which rows are found. */
  readonly references: readonly string[]
  /** The columns that are loaded; all if omitted. */
  readonly columns?: readonly string[]
  /** A table whose changes raise the version of the row of their site, without a line in its history. */
  readonly versionRaisedBy?: string
}

type KindReferences = {
  readonly [Kind in RecordKind]: Kind extends keyof typeof KIND_REFERENCES ? (typeof KIND_REFERENCES)[Kind] : readonly []
}
const kindTables = Object.fromEntries(
  RECORD_KINDS.map((kind) => [kind, { key: '_id', references: (KIND_REFERENCES as Partial<KindReferences>)[kind] ?? [] }]),
) as { readonly [Kind in RecordKind]: { readonly key: '_id'; readonly references: KindReferences[Kind] } }

/**
 * The tables of the read model, which everyone signed in may read. For a charter affair it holds only its existence, because the content requires a
 * higher access level.
 */
export const MODEL_TABLES = {
  ...kindTables,
  charter_affair: { key: '_id', references: ['charter'], columns: ['_id', 'charter', 'version', 'updatedAt'] },
  program_type: { key: '_id', references: [] },
  role: { key: '_id', references: [] },
  facility: { key: 'site', references: [] },
  enrollment: { key: 'site', references: [], versionRaisedBy: 'site_program_type' },
  site_program_type: { key: '_id', references: ['site'] },
  sis_site: { key: '_id', references: ['site'] },
  site_person: { key: '_id', references: ['site', 'person'] },
} as const satisfies Partial<Record<keyof Database, TableDefinition>>

export type ModelTable = keyof typeof MODEL_TABLES
export const isModelTable = (table: string): table is ModelTable => Object.hasOwn(MODEL_TABLES, table)

/** A table's foreign key columns. */
export type ReferenceColumn<T extends ModelTable> = (typeof MODEL_TABLES)[T]['references'][number]

const ARCHIVABLE: ReadonlySet<string> = new Set(RECORD_KINDS)
/** The columns with the records that a row belongs to, so that it is in no list once one of them is archived. */
export const listOwnerColumns = (table: ModelTable): readonly string[] => {
  const { key, references } = getTable(table)
  return ARCHIVABLE.has(table) ? [] : key === '_id' ? references : [key]
}

/** The columns by which each table is found. */
export const getTable = (table: ModelTable): TableDefinition => MODEL_TABLES[table]

/** SQL: the row `t` as JSON, with its columns in their order; `to_jsonb` would sort them, which takes twice as long. */
export const toRowJson = (table: ModelTable): string => {
  const { columns } = getTable(table)
  return columns === undefined ? 'to_json(t)' : `json_build_object(${columns.map((column) => `'${column}', t."${column}"`).join(', ')})`
}

const sortByReferences = (tables: readonly string[]): ModelTable[] => {
  const sorted = new Set<ModelTable>()
  const add = (table: string): void => {
    if (!isModelTable(table)) return
    for (const column of getTable(table).references) add(column)
    sorted.add(table)
  }
  for (const table of tables) add(table)
  return [...sorted]
}
/** Each table after those it refers to, so that its rows share their keys. */
export const MODEL_TABLE_NAMES = sortByReferences(Object.keys(MODEL_TABLES))
