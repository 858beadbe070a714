import type { Selectable } from 'kysely'

import type { Database } from '../src/database/schema.ts'

/** The tables of records that the sample writes. */
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

/** The tables of what people do besides editing records. */
export type ActivityTable =
  | 'account'
  | 'audit_event'
  | 'changeset'
  | 'comment'
  | 'comment_recipient'
  | 'departure'
  | 'error_log'
  | 'favorite'
  | 'page_view'
  | 'planned_change'
  | 'proposal'
  | 'proposal_field'
  | 'recently_viewed'
  | 'request'
  | 'saved_view'
  | 'search_miss'

/** Columns that the database maintains, and those of archived records, of which the sample has none. */
type Kept =
  | 'archivedAt'
  | 'archivedReason'
  | 'mergedInto'
  | 'version'
  | 'checkVersion'
  | 'updatedAt'
  | 'updatedBy'
  | 'studentCountUpdatedAt'
  | 'goneAt'
  | 'lastImport'
  | 'datedAt'
  | 'proposedDates'
  | 'why'
  | 'formerDate'
  | 'isLeapDay'
  | `normalized_${string}`
  | 'letter_pairs'

/** A complete row to write. */
export type Row<T extends SampleTable | ActivityTable> = {
  [C in keyof Selectable<Database[T]> as Exclude<C, Kept>]: Selectable<Database[T]>[C]
}

/** One statement: rows with the same columns, identified by key if they are changed or deleted. */
export interface Write {
  readonly table: SampleTable | ActivityTable
  readonly action: 'insert' | 'update' | 'delete'
  readonly rows: readonly object[]
}

/** Rows of what people do; columns that are left out have their defaults. */
export const insertActivity = <T extends ActivityTable>(table: T, rows: readonly Partial<Selectable<Database[T]>>[]): Write => ({
  table,
  action: 'insert',
  rows,
})
export const insert = <T extends SampleTable>(table: T, rows: readonly Row<T>[]): Write => ({ table, action: 'insert', rows })
/** A facility and an enrollment are identified by their site, everything else by its `_id`. */
export const update = <T extends SampleTable | ActivityTable>(table: T, rows: readonly Partial<Row<T>>[]): Write => ({
  table,
  action: 'update',
  rows,
})
export const remove = (table: SampleTable | ActivityTable, ids: readonly string[]): Write => ({
  table,
  action: 'delete',
  rows: ids.map((_id) => ({ _id })),
})

/** The changes of one person at one time; the writes are created on demand, so that a large network is never completely in memory. */
export interface Step {
  readonly at: Date
  readonly by: string
  /** Their account; changes without one do not count as checks of the records. */
  readonly account?: string
  /** The changeset that the changes are saved in, and who suggested them. */
  readonly changeset?: string
  readonly suggestedBy?: string
  /** How many sites it inserts, which takes the most time. */
  readonly sites: number
  readonly writes: () => readonly Write[]
}
