import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Webhooks and their deliveries. */
export interface WebhookTables {
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  webhook_queue: WebhookQueueTable
}

type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>

interface WebhookTable {
  _id: Generated<string>
  url: string
  events: string[]
  state: Generated<'active' | 'paused' | 'off'>
  problem: string | null
  secret: Buffer
  oldSecret: Buffer | null
  oldSecretEndsAt: NullableTimestamp
  cursor: number
  createdAt: Generated<Date>
  createdBy: string | null
  version: Generated<number>
}

interface WebhookDeliveryTable {
  _id: GeneratedAlways<number>
  webhook: string
  message: string
  type: string
  record: string
  body: string
  createdAt: Generated<Date>
  state: Generated<'waiting' | 'delivered' | 'failed'>
  tries: Generated<number>
  firstTryAt: NullableTimestamp
  lastTryAt: NullableTimestamp
  endedAt: NullableTimestamp
  status: number | null
  problem: string | null
  replayOf: number | null
}

interface WebhookQueueTable {
  webhook: string
  record: string
  nextTryAt: Generated<Date>
  claim: string | null
}
