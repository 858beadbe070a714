import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

import type { Timestamp } from './log-tables.ts'

// Tables of users and groups that a directory provisions through SCIM.

export interface ScimTokenTable {
  _id: Generated<string>
  hash: Buffer
  name: string
  createdAt: Timestamp
  createdBy: string | null
  usedAt: ColumnType<Date | null, never, Date>
}

export interface DirectoryUserTable {
  _id: Generated<string>
  tenant: string
  userName: string
  externalId: string | null
  active: boolean
  account: string | null
  boundByEmail: Generated<boolean>
  /** The other attributes, by their names in RFC 7643. */
  resource: JSONColumnType<Record<string, unknown>>
  revision: Generated<number>
  createdAt: GeneratedAlways<Date>
  updatedAt: ColumnType<Date, never, Date>
  disabledAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  deletedAt: ColumnType<Date | null, never, Date>
}

export interface DirectoryGroupTable {
  _id: Generated<string>
  tenant: string
  displayName: string
  externalId: string | null
  revision: Generated<number>
  createdAt: GeneratedAlways<Date>
  updatedAt: ColumnType<Date, never, Date>
}
