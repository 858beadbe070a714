import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

// Tables of what the server notes as it is used, which are no records of the network.

export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>

export interface PageViewTable {
  _id: GeneratedAlways<string>
  at: Timestamp
  page: string
  visitor: string
  /** How often that day. */
  views: Generated<number>
}

/** Whose report it is: of someone signed in, of anybody, or of the server itself. */
export type ErrorSource = 'account' | 'anonymous' | 'server'

export interface ErrorLogTable {
  _id: GeneratedAlways<string>
  at: Timestamp
  account: string | null
  timestamp: string | null
  context: string | null
  errorMessage: string | null
  errorName: string | null
  stackTrace: string | null
  errorLocation: string | null
  requestData: string | null
  responseData: string | null
  source: Generated<ErrorSource>
  /** The account, a pseudonym of a network address, or the call that failed. */
  sender: Generated<string>
  /** The group it is of; null where it was kept before there were groups. */
  fingerprint: string | null
}

export interface ErrorSeenTable {
  fingerprint: string
  at: Timestamp
  account: string | null
}

export interface DownloadTable {
  _id: GeneratedAlways<string>
  at: Timestamp
  account: string | null
  name: string
  azureID: string
  kind: string
  endedAt: ColumnType<Date | null, never, Date>
  outcome: 'whole' | 'broken off' | 'failed' | null
  rows: number | null
  bytes: number | null
}

export interface ApiTokenTable {
  _id: Generated<string>
  hash: Buffer
  account: string
  name: string
  accessLevel: number
  createdAt: Timestamp
  expiresAt: ColumnType<Date, Date, Date>
  usedAt: ColumnType<Date | null, never, Date>
  endedAt: ColumnType<Date | null, never, Date>
  endedBy: string | null
}
