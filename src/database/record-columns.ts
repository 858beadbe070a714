import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Columns that the trigger `set_version` maintains on every record; never written by hand. */
export interface VersionColumns {
  version: GeneratedAlways<number>
  updatedAt: GeneratedAlways<Date>
  updatedBy: GeneratedAlways<string | null>
}
export interface RecordColumns extends VersionColumns {
  _id: Generated<string>
}

/** The columns of every kind of record with a name. An archived record is in no list; one that was merged names the record that stays. */
export interface ArchivableColumns extends RecordColumns {
  archivedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  archivedReason: string | null
  mergedInto: string | null
}
