import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

import type { EditableKind } from '../contract/records.ts'
import type { Timestamp } from './log-tables.ts'

/** The history: each row before and after a change. */
export interface ChangeTable {
  _id: GeneratedAlways<string>
  at: Timestamp
  table: string
  record: string
  parent: string
  action: 'insert' | 'update' | 'delete' | 'check' | 'uncheck'
  actor: string | null
  actorName: string | null
  request: string | null
  basedOn: number | null
  suggestedBy: string | null
  changeset: string | null
  before: JSONColumnType<Record<string, unknown>> | null
  after: JSONColumnType<Record<string, unknown>> | null
}

/** Changes of many records saved together. */
export interface ChangesetTable {
  _id: Generated<string>
  kind: 'sheet' | 'bulk' | 'planned' | 'undo' | 'merge' | 'import'
  recordKind: string
  title: string
  account: string | null
  name: string
  at: Timestamp
  undoes: string | null
}

/** The changes that a sheet would make, or a file of another program (`import`); its `preview` is a `StoredFacts`. */
export interface SheetPreviewTable {
  _id: Generated<string>
  account: string
  kind: string
  fileName: string
  createdAt: Timestamp
  preview: ColumnType<unknown, string, string>
  file: Uint8Array
  import: ColumnType<unknown, string | undefined, string>
  savingSince: ColumnType<Date | null, undefined, Date>
  lastSaved: Generated<string | null>
  saved: Generated<number>
  total: Generated<number>
  stopped: Generated<boolean>
  changeset: Generated<string | null>
  left: ColumnType<readonly string[] | null, string | undefined, string>
}

/** What was chosen for the columns and words of imported files, by kind and the digest of their headers. */
export interface ImportMappingTable {
  kind: string
  shape: string
  mapping: ColumnType<unknown, string>
  updatedAt: ColumnType<Date, Date | undefined, Date>
}

/** Some rows of a preview, in the order of the sheet; see `toStoredRows`. */
export interface SheetPreviewPartTable {
  preview: string
  part: number
  rows: ColumnType<unknown, string>
}

export interface PlannedChangeTable {
  _id: Generated<string>
  kind: EditableKind
  record: string
  day: string
  batch: Generated<string>
  changes: ColumnType<Readonly<Record<string, unknown>>, string, string>
  before: ColumnType<Readonly<Record<string, unknown>>, string, string>
  note: string | null
  state: Generated<'waiting' | 'saved' | 'failed' | 'canceled'>
  problem: Generated<string | null>
  account: string
  name: string
  createdAt: Timestamp
  endedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  changeset: Generated<string | null>
}

/** A row that a merge moved to the record that stays, before and after; `after` is null if it was removed. */
export interface MovedRow {
  readonly table: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>> | null
}

export interface MergeTable {
  changeset: string
  kind: string
  kept: string
  merged: string
  united: string[]
  moved: JSONColumnType<MovedRow[]>
}
