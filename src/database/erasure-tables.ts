import type { ColumnType, JSONColumnType } from 'kysely'

import type { PersonalKind } from '../contract/records.ts'
import type { Timestamp } from './log-tables.ts'

export interface ErasureTable {
  number: number
  kind: PersonalKind
  record: string
  merged: string[]
  at: Timestamp
  by: string | null
  reason: string
  removed: JSONColumnType<Record<string, number>>
}

export interface ErasurePendingTable {
  number: number
  due: ColumnType<Date, Date, Date>
  /** Encrypted. */
  texts: Buffer
  accounts: string[]
  mails: string[]
}
