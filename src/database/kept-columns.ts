import type { Generated, GeneratedAlways } from 'kysely'

/** What the change trigger keeps on every record; never written by hand. */
export interface Kept {
  version: GeneratedAlways<number>
  updatedAt: GeneratedAlways<Date>
  updatedBy: GeneratedAlways<string | null>
}
export interface Identified extends Kept {
  _id: Generated<string>
}
