import type { ColumnType, Generated } from 'kysely'

import type { Timestamp } from './log-tables.ts'

/** `kind` is that of a record, or `proposal`. */
export interface CommentTable {
  _id: Generated<string>
  kind: string
  record: string
  text: string
  account: string
  name: string
  createdAt: Timestamp
}

/** Someone a comment is for: `person` or `account`. */
export interface CommentRecipientTable {
  comment: string
  person: string | null
  account: string | null
  seenAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}
