import type { Generated, JSONColumnType } from 'kysely'

import type { Timestamp } from './log-tables.ts'
import type { RecordColumns } from './record-columns.ts'

/** A date that a text gives without being certain. */
export interface ProposedDate {
  readonly date: string
  readonly precision: 'day' | 'month'
}

export interface DeadlineTable extends RecordColumns {
  kind: string
  source: 'charter_affair' | 'authorizer_board_member' | 'facility' | 'custom'
  record: string | null
  section: string | null
  field: string | null
  charter: string | null
  site: string | null
  title: string | null
  subject: string | null
  text: string | null
  date: string | null
  precision: 'day' | 'month' | null
  /** Dates that are not certain, the likeliest first; only without a date. */
  proposedDates: JSONColumnType<readonly ProposedDate[]> | null
  why: string | null
  formerDate: string | null
  isByHand: Generated<boolean>
  isIgnored: Generated<boolean>
  isCurrent: Generated<boolean>
  yearly: Generated<boolean>
  isLeapDay: Generated<boolean>
  state: Generated<'open' | 'handled' | 'snoozed'>
  snoozedUntil: string | null
  note: string | null
  responsible: string | null
  datedAt: Timestamp
}

export interface DeadlinePendingTable {
  source: string
  record: string
  actor: string | null
  actorName: string | null
}

export interface DeadlineReminderTable {
  deadline: string
  date: string
  day: string
  recipient: string
  mail: string | null
  at: Date
}

export interface DeadlineRoundTable {
  isOnly: Generated<boolean>
  at: Date
  digest: string | null
}

export interface ReminderPreferenceTable {
  account: string
  reminders: boolean
  digest: boolean
  checks: Generated<boolean>
}

/** Deadlines that a departure reassigned to someone else. */
export interface ReassignedDeadlines {
  to: string
  deadlines: readonly string[]
  settings: readonly { kind: string; region: string | null }[]
}

export interface CalendarTable {
  _id: Generated<string>
  hash: Buffer
  account: string
  name: string
  filter: JSONColumnType<object>
  reminderDays: number | null
  version: Generated<number>
  createdAt: Date
  lastUsedAt: Date | null
  userAgent: string | null
}
