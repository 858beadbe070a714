import type { Generated } from 'kysely'

// Tables of address books and of the devices that read them.

export interface DeviceTable {
  _id: Generated<string>
  hash: Buffer
  account: string
  username: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  userAgent: string | null
}

export interface AddressBookTable {
  key: string
  epoch: Generated<string>
  revision: Generated<string>
  digest: Buffer | null
  oldestRevision: Generated<string>
  usedAt: Generated<Date>
}

export interface AddressBookMemberTable {
  book: string
  name: string
  etag: string | null
  revision: string
  removedAt: Date | null
}
