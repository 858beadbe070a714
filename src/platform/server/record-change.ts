import type { Database } from '../../database/schema.ts'

/** What a transaction changed of one table, as the change trigger told it. */
export interface RecordChange {
  readonly table: keyof Database
  /** False where the records are not named: many at once, or a table that names none. */
  readonly hasRecordIds: boolean
  readonly records: readonly string[]
  /** The sites and people that the rows name or named. */
  readonly sites: readonly string[]
  readonly people: readonly string[]
}

/** Reads a line of the change trigger: the table's name, and an object where it names records. */
export const parseRecordChange = (line: string): RecordChange => {
  const [table = '', ...rest] = line.split(' ')
  const told = (rest.length === 0 ? {} : JSON.parse(rest.join(' '))) as { _id?: string[]; site?: string[]; person?: string[] }
  return {
    table: table as keyof Database,
    hasRecordIds: told._id !== undefined,
    records: told._id ?? [],
    sites: told.site ?? [],
    people: told.person ?? [],
  }
}
