import type { ColumnType, Generated, JSONColumnType } from 'kysely'

import type { Timestamp } from './log-tables.ts'

/** The figures of a day, by what is counted. */
export interface InsightDayTable {
  measure: string
  day: string
  timeZone: string
  through: number
  cells: JSONColumnType<Record<string, number>>
}

export interface KeptInsightTable {
  _id: Generated<string>
  account: string
  place: 'home' | 'mail'
  name: string
  filter: ColumnType<Record<string, string>, string, string>
  createdAt: Timestamp
}

export interface InsightMailTable {
  account: string
  month: string
  mail: string | null
  at: Timestamp
}
