import type { ColumnType, Generated } from 'kysely'

type Json = ColumnType<object, string, string>

export interface AssistantClientTable {
  _id: string
  metadata: Json
  createdAt: Generated<Date>
  grantedAt: Date | null
}

export interface AssistantGrantTable {
  _id: string
  account: string
  client: string
  payload: Json
  destination: Generated<string>
  createdAt: Generated<Date>
  lastUsedAt: Date | null
  expiresAt: Date
}

export interface AssistantTokenTable {
  hash: Buffer
  payload: Json
  grant: string | null
  expiresAt: Date
}
