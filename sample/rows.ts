import type { Selectable } from 'kysely'

import type { Database } from '../src/database/schema.ts'

/** The tables the sample writes rows of records to. */
export type SampleTable =
  | 'brand'
  | 'charter'
  | 'site'
  | 'facility'
  | 'enrollment'
  | 'site_program_type'
  | 'person'
  | 'site_person'
  | 'sis_site'
  | 'charter_affair'
  | 'authorizer_board_member'
  | 'center_district'
  | 'permission'
  | 'hr_person'
  | 'deadline'
  | 'setting'

/** What the database fills in by itself. */
type Kept =
  | 'version'
  | 'checkVersion'
  | 'updatedAt'
  | 'updatedBy'
  | 'studentCountUpdatedAt'
  | 'goneAt'
  | 'datedAt'
  | `normalized_${string}`
  | 'letter_pairs'

/** A whole row as it is written: all but what the database keeps. */
export type Row<T extends SampleTable> = { [C in keyof Selectable<Database[T]> as Exclude<C, Kept>]: Selectable<Database[T]>[C] }

/** One statement: rows with the same columns, found by their key where they are changed or taken away. */
export interface Write {
  readonly table: SampleTable
  readonly action: 'insert' | 'update' | 'delete'
  readonly rows: readonly object[]
}

export const insert = <T extends SampleTable>(table: T, rows: readonly Row<T>[]): Write => ({ table, action: 'insert', rows })
/** A facility and an enrollment are known by their site, everything else by its `_id`. */
export const update = <T extends SampleTable>(table: T, rows: readonly Partial<Row<T>>[]): Write => ({ table, action: 'update', rows })
export const remove = (table: SampleTable, ids: readonly string[]): Write => ({
  table,
  action: 'delete',
  rows: ids.map((_id) => ({ _id })),
})

/** What one person did at one moment; the writes are made when their time has come, so that a large network is never whole in memory. */
export interface Step {
  readonly at: Date
  readonly by: string
  /** How many sites it enters: what takes long. */
  readonly sites: number
  readonly writes: () => readonly Write[]
}
