import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

// Log tables of the server, which are not records of the network.

export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>

export interface PageViewTable {
  _id: GeneratedAlways<string>
  at: Timestamp
  page: string
  visitor: string
  /** Number of views that day. */
  views: Generated<number>
}

/** Who sent the report: a signed-in user, an anonymous caller, or the server itself. */
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
  /** The error group; null for rows stored before groups existed. */
  fingerprint: string | null
}

export interface ErrorSeenTable {
  fingerprint: string
  at: Timestamp
  account: string | null
}

/** Downloads in progress; completed ones are in the audit trail. */
export interface DownloadTable {
  _id: GeneratedAlways<number>
  at: Timestamp
  account: string | null
  name: string
  azureID: string
  kind: string
}

export interface AuditEventTable {
  _id: GeneratedAlways<number>
  at: Timestamp
  kind: string
  account: string | null
  actor: string | null
  name: string | null
  token: string | null
  address: string | null
  request: string | null
  record: string | null
  before: JSONColumnType<Record<string, unknown>> | null
  after: JSONColumnType<Record<string, unknown>> | null
  /** The position in the chain; null until it is appended. */
  sequence: ColumnType<number | null, never, number>
  hash: ColumnType<string | null, never, string>
}

export interface AuditChainTable {
  isOnly: Generated<boolean>
  sequence: number
  hash: string
  deletedSequence: number
  deletedHash: string
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
