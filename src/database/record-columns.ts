import type { Generated, GeneratedAlways } from 'kysely'

/** Columns that the trigger `set_version` maintains on every record; never written by hand. */
export interface VersionColumns {
  version: GeneratedAlways<number>
  updatedAt: GeneratedAlways<Date>
  updatedBy: GeneratedAlways<string | null>
}
export interface RecordColumns extends VersionColumns {
  _id: Generated<string>
}
