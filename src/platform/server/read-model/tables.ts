import type { Selectable } from 'kysely'

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
}

/**
 * The tables of the read model, which everyone signed in may read; each table comes after those it refers to. For a charter affair it holds only its
 * existence, because the content requires a higher access level.
 */
export const MODEL_TABLES = {
  region: { key: '_id', references: [] },
  brand: { key: '_id', references: [] },
  charter: { key: '_id', references: ['brand'] },
  charter_affair: { key: '_id', references: ['charter'], columns: ['_id', 'charter', 'version', 'updatedAt'] },
  program_type: { key: '_id', references: [] },
  role: { key: '_id', references: [] },
  person: { key: '_id', references: [] },
  site: { key: '_id', references: ['charter', 'region'] },
  facility: { key: 'site', references: [] },
  enrollment: { key: 'site', references: [] },
  site_program_type: { key: '_id', references: ['site'] },
  sis_site: { key: '_id', references: ['site'] },
  site_person: { key: '_id', references: ['site', 'person'] },
} as const satisfies Partial<Record<keyof Database, TableDefinition>>

export type ModelTable = keyof typeof MODEL_TABLES
export const MODEL_TABLE_NAMES = Object.keys(MODEL_TABLES) as ModelTable[]
export const isModelTable = (table: string): table is ModelTable => Object.hasOwn(MODEL_TABLES, table)

/** A table's foreign key columns. */
export type ReferenceColumn<T extends ModelTable> = (typeof MODEL_TABLES)[T]['references'][number]

/** The columns by which each table is found. */
export const getTable = (table: ModelTable): TableDefinition => MODEL_TABLES[table]
