import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import type { CheckedBody } from '../../../contract/call.ts'
import { invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { deleteInBatches } from '../../../database/delete-rows.server.ts'
import { assertVersion } from '../../../database/update-record.server.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import type { createWebhook, NewSecret, updateWebhook } from './contract.ts'
import { createMessageId, insertDeliveries } from './outbox.server.ts'
import { MAX_WEBHOOKS, TEST_EVENT, KEPT_DELIVERY_DAYS } from './rules.ts'
import { createWebhookSecret, openSecret, sealSecret } from './signature.server.ts'
import { findTargetError } from './target.server.ts'

const assertTarget = ({ allowPrivateWebhooks }: Configuration, url: string): void => {
  const message = findTargetError(url, allowPrivateWebhooks)
  if (message !== undefined) throw invalidFields([{ path: 'url', message }])
}

/** The number of the last change: earlier changes are not sent. */
const LAST_CHANGE = sql<number>`(select coalesce(max(_id), 0) from change)`

export const insertWebhook = async (
  tx: Tx,
  configuration: Configuration,
  { url, events }: CheckedBody<typeof createWebhook>,
  createdBy: string,
): Promise<NewSecret> => {
  assertTarget(configuration, url)
  // Prevents two concurrent inserts from exceeding the limit.
  await sql`lock table webhook in share row exclusive mode`.execute(tx)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from webhook`.execute(tx)
  if ((rows[0]?.count ?? 0) >= MAX_WEBHOOKS)
    throw new Problem(409, `There can be at most ${MAX_WEBHOOKS} webhooks`, { detail: 'Remove one first.' })
  const [_id, secret] = [randomUUID(), createWebhookSecret()]
  const { version } = await tx
    .insertInto('webhook')
    .values({ _id, url, events, createdBy, secret: sealSecret(configuration.secretKey, _id, secret), cursor: LAST_CHANGE })
    .returning('version')
    .executeTakeFirstOrThrow()
  return { _id, secret, version }
}

/** Locks a webhook before anything in its queue; throws 412 if it was saved in between. */
const lockWebhook = async (tx: Tx, _id: string, ifMatchVersion?: number) => {
  const row = await tx.selectFrom('webhook').selectAll().where('_id', '=', _id).forUpdate().executeTakeFirst()
  if (!row) throw notFound('Webhook')
  assertVersion(row, ifMatchVersion)
  return row
}

export const saveWebhook = async (
  tx: Tx,
  configuration: Configuration,
  _id: string,
  { url, events, state }: CheckedBody<typeof updateWebhook>,
  ifMatchVersion: number | undefined,
): Promise<void> => {
  const stored = await lockWebhook(tx, _id, ifMatchVersion)
  if (url !== undefined) assertTarget(configuration, url)
  const isOnAgain = stored.state === 'off' && state !== undefined
  await tx
    .updateTable('webhook')
    .set({
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(state === undefined ? {} : { state, problem: null }),
      ...(isOnAgain ? { cursor: LAST_CHANGE } : {}),
      version: stored.version + 1,
    })
    .where('_id', '=', _id)
    .execute()
}

export const renewSecret = async (
  tx: Tx,
  { secretKey }: Configuration,
  _id: string,
  overlapHours: number,
  ifMatchVersion: number | undefined,
): Promise<NewSecret> => {
  const { secret: old, version } = await lockWebhook(tx, _id, ifMatchVersion)
  const secret = createWebhookSecret()
  const overlap =
    overlapHours === 0
      ? { oldSecret: null, oldSecretEndsAt: null }
      : { oldSecret: old, oldSecretEndsAt: sql<Date>`now() + make_interval(hours => ${overlapHours})` }
  await tx
    .updateTable('webhook')
    .set({ secret: sealSecret(secretKey, _id, secret), ...overlap, version: version + 1 })
    .where('_id', '=', _id)
    .execute()
  return { _id, secret, version: version + 1 }
}

/** During a rotation of SECRET_KEY: re-encrypts secrets that only the previous key can decrypt. */
export const resealSecrets = async (db: Queryable, configuration: Configuration): Promise<void> => {
  const { secretKey, secretKeyPrevious } = configuration
  if (secretKey === undefined || secretKeyPrevious === undefined) return
  const current = { secretKey, secretKeyPrevious: undefined }
  for (const { _id, secret, oldSecret } of await db.selectFrom('webhook').select(['_id', 'secret', 'oldSecret']).execute()) {
    const reseal = (stored: Buffer): Buffer => {
      const opened = openSecret(current, _id, stored) === null ? openSecret(configuration, _id, stored) : null
      return opened === null ? stored : sealSecret(secretKey, _id, opened)
    }
    await db
      .updateTable('webhook')
      .set({ secret: reseal(secret), oldSecret: oldSecret && reseal(oldSecret) })
      .where('_id', '=', _id)
      // If it was renewed in the meantime, it is already encrypted with the new key.
      .where('secret', '=', secret)
      .execute()
  }
}

export const removeWebhook = async (tx: Tx, _id: string, ifMatchVersion: number | undefined): Promise<void> => {
  await lockWebhook(tx, _id, ifMatchVersion)
  // Before the deliveries, in the lock order of recording attempts.
  await tx.deleteFrom('webhook_queue').where('webhook', '=', _id).execute()
  await tx.deleteFrom('webhook').where('_id', '=', _id).execute()
}

const assertActive = ({ state }: { readonly state: string }): void => {
  if (state !== 'active')
    throw new Problem(409, state === 'off' ? 'This webhook is off' : 'This webhook is paused', { detail: 'Turn it on first.' })
}

/** Returns the number of the delivery. */
export const insertTestEvent = async (tx: Tx, _id: string, by: string, now: Date): Promise<number> => {
  const webhook = await lockWebhook(tx, _id)
  assertActive(webhook)
  const message = createMessageId()
  const data = { kind: 'webhook', _id, slug: null, name: null, version: webhook.version, changed: [], by }
  const body = { type: TEST_EVENT, timestamp: now.toISOString(), data } as const
  // As its own record, so that it waits for no other delivery.
  const [delivery = 0] = await insertDeliveries(tx, _id, [{ record: `webhook:${message}`, message, body }])
  return delivery
}

/** Sends a delivery again, after pending ones of its record; a pending one becomes due immediately. Returns the number of the delivery to be sent. */
export const insertReplay = async (tx: Tx, _id: string, delivery: number): Promise<number> => {
  assertActive(await lockWebhook(tx, _id))
  const stored = await tx
    .selectFrom('webhook_delivery')
    .select(['record', 'message', 'body', 'state'])
    .where('webhook', '=', _id)
    .where('_id', '=', delivery)
    .executeTakeFirst()
  if (!stored) throw notFound('Delivery')
  const { record, message, state } = stored
  if (state === 'waiting') {
    await sql`update webhook_queue set "nextTryAt" = now() where webhook = ${_id} and record = ${record} and claim is null`.execute(tx)
    return delivery
  }
  const [replay = 0] = await insertDeliveries(tx, _id, [{ record, message, body: JSON.parse(stored.body), replayOf: delivery }])
  return replay
}

export const deleteOldDeliveries = (db: Queryable): Promise<number> =>
  deleteInBatches(
    db,
    'webhook_delivery',
    sql<boolean>`state <> 'waiting' and "endedAt" < now() - make_interval(days => ${KEPT_DELIVERY_DAYS})`,
  )
