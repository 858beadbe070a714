import type { ColumnType, Generated } from 'kysely'

import type { Identified } from './kept-columns.ts'
import type { Moment } from './noted-tables.ts'

// What people ask for, and the mails about it.

type Later = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

export interface RequestTable extends Identified {
  kind: 'change' | 'support'
  account: string | null
  site: string | null
  location: string | null
  text: string
  name: string | null
  email: string | null
  claimedName: string | null
  claimedEmail: string | null
  createdAt: Moment
  state: Generated<'open' | 'done' | 'declined'>
  word: string | null
  answeredBy: string | null
  answeredAt: Later
}

export interface MailTable {
  _id: Generated<string>
  request: string | null
  kind: 'request' | 'answer'
  messageId: string
  recipients: string[]
  accepted: Generated<string[]>
  subject: string
  body: string
  replyName: string | null
  replyTo: string | null
  createdAt: Moment
  sentAt: Later
  sentAs: 'mail' | 'file' | null
  tries: Generated<number>
  refusals: Generated<number>
  firstTryAt: Later
  nextTryAt: Moment
  appointedAt: Later
  failedAt: Later
  problem: string | null
}
