import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import type { Db, Tx } from '../../../database/connection.server.ts'
import { fromNow } from '../../../platform/server/from-now.ts'
import type { EventBody } from './contract.ts'
import { type HistoryRow, listTables, readEvents } from './events.server.ts'

/** History rows that become deliveries in one transaction. */
const BATCH_SIZE = 500
/** The record of all events of a channel: its messages come one after the other. */
export const CHANNEL_RECORD = 'channel'

interface NewDelivery {
  readonly record: string
  readonly message: string
  readonly body: EventBody
  /** The number of the change that it is about. */
  readonly change?: number | null
  readonly replayOf?: number
}

/** How long the messages of a channel wait. */
export interface ChannelPolicy {
  /** For others, if they are gathered: since the first one. */
  readonly quietMs: number
  /** After the one before it: Slack takes one in a second, and Teams a few. */
  readonly messagePauseMs: number
}

export const createMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`

/** Inserts deliveries in this order, and queues their records, which are due after a while if nothing of them waits. */
export const insertDeliveries = async (
  tx: Tx,
  webhook: string,
  deliveries: readonly NewDelivery[],
  due = sql<Date>`now()`,
): Promise<number[]> => {
  if (deliveries.length === 0) return []
  const records = [...new Set(deliveries.map(({ record }) => record))].toSorted()
  // Locking an existing row waits for anyone who is about to remove it after the last delivery.
  await sql`
    insert into webhook_queue (webhook, record, "nextTryAt")
    select ${webhook}::uuid, record, ${due} from unnest(${records}::text[]) as record order by record
    on conflict (webhook, record) do update set record = excluded.record`.execute(tx)
  const rows = deliveries.map(({ record, message, body, change = null, replayOf = null }) => ({
    record,
    message,
    type: body.type,
    body: JSON.stringify(body),
    change,
    replayOf,
  }))
  const { rows: stored } = await sql<{ _id: number }>`
    insert into webhook_delivery (webhook, message, type, record, body, change, "replayOf")
    select ${webhook}::uuid, row ->> 'message', row ->> 'type', row ->> 'record', row ->> 'body', (row ->> 'change')::bigint, (row ->> 'replayOf')::bigint
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as rows (row, at) order by at returning _id`.execute(tx)
  return stored.map(({ _id }) => _id)
}

/** When the next message of a channel is due, if none waits. */
const getChannelDue = (webhook: string, quiet: boolean, { quietMs, messagePauseMs }: ChannelPolicy) =>
  quiet
    ? fromNow(quietMs)
    : sql<Date>`coalesce((select "lastTryAt" + make_interval(secs => ${messagePauseMs / 1000}::float8) from webhook_delivery
        where webhook = ${webhook}::uuid and "lastTryAt" is not null order by _id desc limit 1), now())`

/**
 * Creates deliveries for the changes since a webhook's cursor, up to the complete history number; one batch. False if there are no more, or another
 * server is doing this.
 */
export const fillOutbox = (db: Db, webhook: string, complete: number, appId: string, policy: ChannelPolicy): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const owner = await tx
      .selectFrom('webhook')
      .select(['cursor', 'events', 'format', 'quiet'])
      .where('_id', '=', webhook)
      .where('state', '=', 'active')
      .where('cursor', '<', complete)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!owner) return false
    const { rows } = await sql<HistoryRow>`
      select _id, at, "table", record, parent, action, "actorName", before, after from change
      where _id > ${owner.cursor} and _id <= ${complete} and "table" = any(${listTables(owner.events)}::text[])
        and action in ('insert', 'update', 'delete') -- a check changes nothing
      order by _id limit ${BATCH_SIZE}`.execute(tx)
    const events = (await readEvents(tx, rows, appId)).filter(({ type }) => owner.events.includes(type))
    const isChannel = owner.format !== 'standard'
    await insertDeliveries(
      tx,
      webhook,
      events.map(({ record, change, body }) => ({
        record: isChannel ? CHANNEL_RECORD : record,
        message: createMessageId(),
        body,
        change,
      })),
      isChannel ? getChannelDue(webhook, owner.quiet, policy) : undefined,
    )
    const isFull = rows.length === BATCH_SIZE
    await tx
      .updateTable('webhook')
      .set({ cursor: isFull ? (rows.at(-1)?._id ?? complete) : complete })
      .where('_id', '=', webhook)
      .execute()
    return isFull
  })
