import type { ColumnType, Generated } from 'kysely'

import type { EditableKind } from '../contract/records.ts'
import type { Timestamp } from './log-tables.ts'
import type { RecordColumns } from './record-columns.ts'

// Requests of people, and the mails about them.

type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

export interface RequestTable extends RecordColumns {
  kind: 'change' | 'support'
  account: string | null
  site: string | null
  location: string | null
  text: string
  name: string | null
  email: string | null
  claimedName: string | null
  claimedEmail: string | null
  createdAt: Timestamp
  state: Generated<'open' | 'done' | 'declined'>
  word: string | null
  answeredBy: string | null
  answeredAt: NullableTimestamp
  openFields: Generated<number | null>
}

/** A request with suggested values for fields; it has the `_id` of its request. */
export interface ProposalTable {
  _id: string
  kind: EditableKind
  record: string
  basedOn: number | null
  note: string | null
  edits: Generated<number>
}

export interface ProposalFieldTable {
  proposal: string
  path: string
  position: number
  before: unknown
  suggested: unknown
  state: Generated<'open' | 'accepted' | 'declined' | 'withdrawn'>
  value: unknown
  word: string | null
  decidedBy: string | null
  decidedAt: NullableTimestamp
}

export interface MailTable {
  _id: Generated<string>
  request: string | null
  comment: Generated<string | null>
  kind: 'request' | 'answer' | 'reminder' | 'digest' | 'check' | 'comment' | 'insight' | 'invitation'
  messageId: string
  recipients: string[]
  accepted: Generated<string[]>
  subject: string
  body: string
  html: string | null
  replyName: string | null
  replyTo: string | null
  createdAt: Timestamp
  sentAt: NullableTimestamp
  sentAs: 'mail' | 'file' | null
  tries: Generated<number>
  refusals: Generated<number>
  firstTryAt: NullableTimestamp
  nextTryAt: Timestamp
  failedAt: NullableTimestamp
  problem: string | null
}
