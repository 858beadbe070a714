import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import type { CheckedBody } from '../../../contract/call.ts'
import { can } from '../../../contract/capabilities.ts'
import { forbidden, invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { deleteInBatches } from '../../../database/delete-rows.server.ts'
import { assertVersion } from '../../../database/update-record.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { listOverdue, readDeadlineMessage } from '../../deadlines/reminders/queries.server.ts'
import { getDueMonday, MORNING_HOUR, toLocalTime } from '../../deadlines/reminders/rules.ts'
import type { createWebhook, NewSecret, updateWebhook } from './contract.ts'
import { createMessageId, insertDeliveries } from './outbox.server.ts'
import { dropWaiting, sendGatheredNow } from './queue.server.ts'
import { type DEADLINE_MESSAGES, findContentErrors, KEPT_DELIVERY_DAYS, MAX_WEBHOOKS, TEST_EVENT, type WebhookContent } from './rules.ts'
import { createWebhookSecret, openSecret, sealSecret } from './signature.server.ts'
import { findTargetError } from './target.server.ts'

const assertTarget = ({ allowPrivateWebhooks }: Configuration, url: string): void => {
  const message = findTargetError(url, allowPrivateWebhooks)
  if (message !== undefined) throw invalidFields([{ path: 'url', message }])
}

/** The number of the last change: earlier changes are not sent. */
const LAST_CHANGE = sql<number>`(select coalesce(max(_id), 0) from change)`

/** Who may show charter affairs to everyone in a channel: not each person who may manage webhooks, should that ever be a higher level. */
export const assertMayShowAffairs = ({ accessLevel }: Pick<SignedIn, 'accessLevel'>, affairs: boolean | undefined): void => {
  if (affairs && !can(accessLevel, 'show charter affairs in a channel')) throw forbidden('show charter affairs in a channel')
}

/** The Monday of the last summary for a channel that gets them from now on. */
const getFirstSummary = ({ now, configuration }: Pick<AppContext, 'now' | 'configuration'>, { summary }: WebhookContent): string | null =>
  summary ? getDueMonday(toLocalTime(now(), configuration.timeZone)) : null

type WebhookContext = Pick<AppContext, 'configuration' | 'now'>

export const insertWebhook = async (
  tx: Tx,
  context: WebhookContext,
  user: Pick<SignedIn, 'name' | 'accessLevel'>,
  webhook: CheckedBody<typeof createWebhook>,
): Promise<NewSecret> => {
  const { configuration } = context
  assertTarget(configuration, webhook.url)
  assertMayShowAffairs(user, webhook.affairs)
  // Prevents two concurrent inserts from exceeding the limit.
  await sql`lock table webhook in share row exclusive mode`.execute(tx)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from webhook`.execute(tx)
  if ((rows[0]?.count ?? 0) >= MAX_WEBHOOKS)
    throw new Problem(409, `There can be at most ${MAX_WEBHOOKS} webhooks`, { detail: 'Remove one first.' })
  const [_id, secret] = [randomUUID(), createWebhookSecret()]
  const { version } = await tx
    .insertInto('webhook')
    .values({
      ...webhook,
      _id,
      createdBy: user.name,
      affairsBy: webhook.affairs ? user.name : null,
      summaryFor: getFirstSummary(context, webhook),
      secret: sealSecret(configuration.secretKey, _id, secret),
      cursor: LAST_CHANGE,
    })
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
  context: WebhookContext,
  user: Pick<SignedIn, 'name' | 'accessLevel'>,
  _id: string,
  changes: CheckedBody<typeof updateWebhook>,
  ifMatchVersion: number | undefined,
): Promise<void> => {
  const stored = await lockWebhook(tx, _id, ifMatchVersion)
  if (changes.url !== undefined) assertTarget(context.configuration, changes.url)
  assertMayShowAffairs(user, changes.affairs)
  const next = { ...stored, ...changes }
  const isReformatted = next.format !== stored.format
  // Other people read the other channel.
  if (changes.affairs === undefined && (isReformatted || next.url !== stored.url)) next.affairs = false
  const errors = findContentErrors(next)
  if (errors.length > 0) throw invalidFields(errors)
  const isOnAgain = stored.state === 'off' && changes.state !== undefined
  await tx
    .updateTable('webhook')
    .set({
      ...changes,
      affairs: next.affairs,
      affairsBy: next.affairs ? (stored.affairs && !changes.affairs ? stored.affairsBy : user.name) : null,
      ...(next.summary === stored.summary ? {} : { summaryFor: getFirstSummary(context, next) }),
      ...(changes.state === undefined ? {} : { problem: null }),
      ...(isOnAgain ? { cursor: LAST_CHANGE } : {}),
      version: stored.version + 1,
    })
    .where('_id', '=', _id)
    .execute()
  if (isReformatted) await dropWaiting(tx, _id, 'The webhook got another format')
  else if (stored.quiet && !next.quiet) await sendGatheredNow(tx, _id)
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
    .select(['record', 'message', 'body', 'state', 'change'])
    .where('webhook', '=', _id)
    .where('_id', '=', delivery)
    .executeTakeFirst()
  if (!stored) throw notFound('Delivery')
  const { record, message, state, change } = stored
  if (state === 'waiting') {
    await sql`update webhook_queue set "nextTryAt" = now() where webhook = ${_id} and record = ${record} and claim is null`.execute(tx)
    return delivery
  }
  const [replay = 0] = await insertDeliveries(tx, _id, [{ record, message, body: JSON.parse(stored.body), change, replayOf: delivery }])
  return replay
}

const toDeadlineDelivery = (webhook: string, type: (typeof DEADLINE_MESSAGES)[number], now: Date) => {
  const message = createMessageId()
  const data = { kind: 'webhook', _id: webhook, slug: null, name: null, version: null, changed: [], by: null }
  return { record: `webhook:${message}`, message, body: { type, timestamp: now.toISOString(), data } }
}

/** The deadlines that a channel was not told of yet are those that its next message tells. */
const insertTold = async (tx: Tx, webhook: string, message: string, overdue: Awaited<ReturnType<typeof listOverdue>>) => {
  const { rows } = await sql`
    insert into webhook_deadline (webhook, deadline, date, message)
    select ${webhook}::uuid, deadline, date, ${message} from jsonb_to_recordset(${JSON.stringify(overdue)}::jsonb) as overdue (deadline text, date date)
    where exists (select from deadline where _id = deadline)
    on conflict do nothing returning deadline`.execute(tx)
  return rows.length > 0
}

/** Sends channels the summary of each Monday, and each overdue deadline, once: servers take turns by locking the channel. */
export const insertDeadlineMessages = async (context: AppContext): Promise<void> => {
  const { db, configuration, now } = context
  const isWanted = sql<boolean>`state = 'active' and (summary or overdue)`
  const channels = await db.selectFrom('webhook').select('_id').where(isWanted).execute()
  const time = toLocalTime(now(), configuration.timeZone)
  const monday = getDueMonday(time)
  for (const { _id } of channels)
    await db.transaction().execute(async (tx) => {
      const channel = await tx
        .selectFrom('webhook')
        .selectAll()
        .where('_id', '=', _id)
        .where(isWanted)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (!channel) return
      const reader = { mayReadAffairs: channel.affairs }
      if (channel.summary && (channel.summaryFor ?? '') < monday) {
        if (await readDeadlineMessage(context, reader))
          await insertDeliveries(tx, _id, [toDeadlineDelivery(_id, 'deadlines.summary', now())])
        await tx.updateTable('webhook').set({ summaryFor: monday }).where('_id', '=', _id).execute()
      }
      if (!channel.overdue || time.hour < MORNING_HOUR) return
      const delivery = toDeadlineDelivery(_id, 'deadlines.overdue', now())
      if (await insertTold(tx, _id, delivery.message, await listOverdue(context, reader))) await insertDeliveries(tx, _id, [delivery])
    })
}

export const deleteOldDeliveries = (db: Queryable): Promise<number> =>
  deleteInBatches(
    db,
    'webhook_delivery',
    sql<boolean>`state <> 'waiting' and "endedAt" < now() - make_interval(days => ${KEPT_DELIVERY_DAYS})`,
  )
