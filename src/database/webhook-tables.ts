import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Webhooks and their deliveries. */
export interface WebhookTables {
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  webhook_queue: WebhookQueueTable
  webhook_deadline: WebhookDeadlineTable
}

type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>

interface WebhookTable {
  _id: Generated<string>
  name: string | null
  url: string
  events: string[]
  state: Generated<'active' | 'paused' | 'off'>
  problem: string | null
  secret: Buffer
  oldSecret: Buffer | null
  oldSecretEndsAt: NullableTimestamp
  cursor: number
  format: Generated<'standard' | 'teams' | 'slack'>
  quiet: Generated<boolean>
  summary: Generated<boolean>
  summaryFor: string | null
  overdue: Generated<boolean>
  affairs: Generated<boolean>
  affairsBy: string | null
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
  change: number | null
}

interface WebhookQueueTable {
  webhook: string
  record: string
  nextTryAt: Generated<Date>
  claim: string | null
}

interface WebhookDeadlineTable {
  webhook: string
  deadline: string
  date: string
  message: string
}
