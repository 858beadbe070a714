import type { Generated } from 'kysely'

import type { RecordColumns } from './record-columns.ts'

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
  isByHand: Generated<boolean>
  isIgnored: Generated<boolean>
  isCurrent: Generated<boolean>
  yearly: Generated<boolean>
  state: Generated<'open' | 'handled' | 'snoozed'>
  snoozedUntil: string | null
  note: string | null
  responsible: string | null
}

export interface DeadlinePendingTable {
  source: string
  record: string
  actor: string | null
  actorName: string | null
}
