import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import type { Db, Tx } from '../../../database/connection.server.ts'
import type { EventBody } from './contract.ts'
import { type HistoryRow, listTables, readEvents } from './events.server.ts'

/** History rows that become deliveries in one transaction. */
const BATCH_SIZE = 500

interface NewDelivery {
  readonly record: string
  readonly message: string
  readonly body: EventBody
  readonly replayOf?: number
}

export const createMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`

/** Inserts deliveries in this order, and queues their records. */
export const insertDeliveries = async (tx: Tx, webhook: string, deliveries: readonly NewDelivery[]): Promise<number[]> => {
  if (deliveries.length === 0) return []
  const records = [...new Set(deliveries.map(({ record }) => record))].toSorted()
  // Locking an existing row waits for anyone who is about to remove it after the last delivery.
  await sql`
    insert into webhook_queue (webhook, record) select ${webhook}::uuid, record from unnest(${records}::text[]) as record order by record
    on conflict (webhook, record) do update set record = excluded.record`.execute(tx)
  const rows = deliveries.map(({ record, message, body, replayOf = null }) => ({
    record,
    message,
    type: body.type,
    body: JSON.stringify(body),
    replayOf,
  }))
  const { rows: stored } = await sql<{ _id: number }>`
    insert into webhook_delivery (webhook, message, type, record, body, "replayOf")
    select ${webhook}::uuid, row ->> 'message', row ->> 'type', row ->> 'record', row ->> 'body', (row ->> 'replayOf')::bigint
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as rows (row, at) order by at returning _id`.execute(tx)
  return stored.map(({ _id }) => _id)
}

/**
 * Creates deliveries for the changes since a webhook's cursor, up to the complete history number; one batch. False if there are no more, or another
 * server is doing this.
 */
export const fillOutbox = (db: Db, webhook: string, complete: number, appId: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const owner = await tx
      .selectFrom('webhook')
      .select(['cursor', 'events'])
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
    await insertDeliveries(
      tx,
      webhook,
      events.map(({ record, body }) => ({ record, message: createMessageId(), body })),
    )
    const isFull = rows.length === BATCH_SIZE
    await tx
      .updateTable('webhook')
      .set({ cursor: isFull ? (rows.at(-1)?._id ?? complete) : complete })
      .where('_id', '=', webhook)
      .execute()
    return isFull
  })
