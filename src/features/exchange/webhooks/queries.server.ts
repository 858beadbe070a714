import { sql } from 'kysely'

import { notFound } from '../../../contract/problem.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { Delivery, EventBody, Webhook } from './contract.ts'
import { type EventType, MAX_DELIVERIES } from './rules.ts'

const toIso = (moment: Date | null): string | null => moment?.toISOString() ?? null

/** The webhooks, oldest first; or one of them. */
export const listAllWebhooks = async (db: Queryable, _id?: string): Promise<Webhook[]> => {
  const rows = await db
    .selectFrom('webhook')
    .select(['_id', 'name', 'url', 'format', 'events', 'quiet', 'summary', 'overdue', 'affairs', 'affairsBy'])
    .select(['state', 'problem', 'createdAt', 'createdBy', 'version'])
    .select(sql<Date | null>`case when "oldSecretEndsAt" > now() then "oldSecretEndsAt" end`.as('oldSecretEndsAt'))
    .select([
      sql<number>`(select count(*)::int from webhook_delivery as delivery where delivery.webhook = webhook._id and delivery.state = 'waiting')`.as(
        'waiting',
      ),
      sql<number>`(select count(*)::int from webhook_delivery as delivery where delivery.webhook = webhook._id and delivery.state = 'failed')`.as(
        'failed',
      ),
      // The newest that was delivered, usually the last one except for replays and retries.
      sql<Date | null>`(select delivery."endedAt" from webhook_delivery as delivery
        where delivery.webhook = webhook._id and delivery.state = 'delivered' order by delivery._id desc limit 1)`.as('lastDeliveredAt'),
    ])
    .$if(_id !== undefined, (query) => query.where('_id', '=', _id ?? ''))
    .orderBy('createdAt')
    .orderBy('_id')
    .execute()
  return rows.map(({ events, createdAt, oldSecretEndsAt, lastDeliveredAt, ...row }) => ({
    ...row,
    events: events as EventType[],
    createdAt: createdAt.toISOString(),
    oldSecretEndsAt: toIso(oldSecretEndsAt),
    lastDeliveredAt: toIso(lastDeliveredAt),
  }))
}

export const findWebhook = async (db: Queryable, _id: string): Promise<Webhook> => {
  const [webhook] = await listAllWebhooks(db, _id)
  if (!webhook) throw notFound('Webhook')
  return webhook
}

interface DeliveryFilter {
  readonly state?: Delivery['state'] | undefined
  readonly before?: number | undefined
}

const selectDeliveries = (db: Queryable, webhook: string) =>
  db
    .selectFrom('webhook_delivery as delivery')
    .select([
      'delivery._id',
      'delivery.message',
      'delivery.body',
      'delivery.state',
      'delivery.tries',
      'delivery.createdAt',
      'delivery.lastTryAt',
      'delivery.endedAt',
      'delivery.status',
      'delivery.problem',
      'delivery.replayOf',
    ])
    .select(
      // Only the first of a record is due; those behind it have no time yet.
      sql<Date | null>`case when delivery.state = 'waiting' and not exists (
        select from webhook_delivery as earlier where earlier.webhook = delivery.webhook and earlier.record = delivery.record
          and earlier.state = 'waiting' and earlier._id < delivery._id)
        then (select "nextTryAt" from webhook_queue where webhook = delivery.webhook and record = delivery.record) end`.as('nextTryAt'),
    )
    .where('delivery.webhook', '=', webhook)

const toDelivery = ({
  body,
  createdAt,
  lastTryAt,
  nextTryAt,
  endedAt,
  ...row
}: Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number]): Delivery => ({
  ...row,
  body: JSON.parse(body) as EventBody,
  createdAt: createdAt.toISOString(),
  lastTryAt: toIso(lastTryAt),
  nextTryAt: toIso(nextTryAt),
  endedAt: toIso(endedAt),
})

/** The newest deliveries of a webhook. */
export const listDeliveriesOf = async (db: Queryable, webhook: string, { state, before }: DeliveryFilter): Promise<Delivery[]> => {
  await findWebhook(db, webhook)
  let query = selectDeliveries(db, webhook)
  if (state !== undefined) query = query.where('delivery.state', '=', state)
  if (before !== undefined) query = query.where('delivery._id', '<', before)
  return (await query.orderBy('delivery._id', 'desc').limit(MAX_DELIVERIES).execute()).map(toDelivery)
}

export const readDelivery = async (db: Queryable, webhook: string, _id: number): Promise<Delivery> => {
  const row = await selectDeliveries(db, webhook).where('delivery._id', '=', _id).executeTakeFirst()
  if (!row) throw notFound('Delivery')
  return toDelivery(row)
}

/** The numbers of pending and failed deliveries, and the age of the oldest pending one. Paused webhooks do not count. */
export const readDeliveryCounts = async (db: Queryable): Promise<{ waiting: number; failed: number; oldestSeconds: number }> => {
  const { rows } = await sql<{ waiting: number; failed: number; oldestSeconds: number }>`
    select (select count(*)::int from webhook_delivery where state = 'waiting') as waiting,
      (select count(*)::int from webhook_delivery where state = 'failed') as failed,
      coalesce((select extract(epoch from now() - min(delivery."createdAt")) from webhook_delivery as delivery
        join webhook on webhook._id = delivery.webhook and webhook.state = 'active' where delivery.state = 'waiting'), 0)::float8 as "oldestSeconds"`.execute(
    db,
  )
  return rows[0] ?? { waiting: 0, failed: 0, oldestSeconds: 0 }
}
