import type { ColumnType, Generated } from 'kysely'

import type { Timestamp } from './log-tables.ts'

// Tables of accounts, sessions and sign-ins.

export interface AccountTable {
  _id: Generated<string>
  tenant: string
  objectId: string
  azureID: string
  name: string
  directoryTokens: Buffer | null
  directoryTokensDue: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Set for accounts of people who left. */
  closedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Set while the account is disabled in the directory. */
  disabledAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Groups and roles in the latest ID token, from a sign-in or a renewal. */
  claimedGroups: Generated<string[]>
  /** When that token was received. */
  claimedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** The version whose news the owner has closed. */
  newsSeen: ColumnType<string | null, string | null | undefined, string | null>
  createdAt: Timestamp
  signedInAt: Timestamp
}

/** How far the setup is: a row for each step, and one for the sample network. */
export interface SetupStateTable {
  name: string
  value: ColumnType<Readonly<Record<string, unknown>>, string, string>
  updatedAt: Timestamp
}

export interface SignInTable {
  state: Buffer
  browser: Buffer
  nonce: string
  verifier: string
  /** The account that tests the provider with it; null for a sign-in. */
  testedBy: ColumnType<string | null, string | null | undefined, string | null>
  /** What the provider said in a test. */
  result: ColumnType<SignInResult | null, string | null | undefined, string | null>
  createdAt: Timestamp
}

/** The result of a test: the claims of the ID token, or why it was refused. */
export interface SignInResult {
  readonly problem: string | null
  readonly tenant: string | null
  readonly claims: { readonly name: string; readonly value: string }[]
}

export interface TicketTable {
  hash: Buffer
  browser: Buffer
  account: string
  idToken: Buffer | null
  createdAt: Timestamp
}

export interface SessionTable {
  _id: Generated<string>
  hash: Buffer
  companion: Buffer
  account: string
  idToken: Buffer | null
  userAgent: string | null
  createdAt: Timestamp
  usedAt: Timestamp
  endedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  address: string | null
  endedBy: string | null
  /** When its browser last brought its copy of the directory up to date. */
  copiedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  copiedLevel: ColumnType<number | null, number | null | undefined, number | null>
}
