import { randomUUID } from 'node:crypto'

import { type RawBuilder, sql } from 'kysely'

import type { Db, Queryable, Tx } from '../../../database/connection.server.ts'
import { MOMENT_COLUMNS, type MomentRow } from '../../../platform/server/change-poll.ts'
import { fromNow } from '../../../platform/server/from-now.ts'
import { CHANNEL_RECORD, type ChannelPolicy } from './outbox.server.ts'
import { QUIET_MINUTES, type WebhookFormat } from './rules.ts'

/** Polling intervals, retry delays and the retry limit. */
export interface RetryPolicy extends ChannelPolicy {
  readonly pollMs: number
  /** The delay after each failure; the last one repeats. */
  readonly pausesMs: readonly number[]
  /** A delivery that fails for this long after its first attempt is marked as failed. */
  readonly giveUpAfterMs: number
  /** Another server may take over a claim after this, unless it is renewed. */
  readonly leaseMs: number
}
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  pollMs: 500,
  pausesMs: [5000, 30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000, 60 * 60_000],
  giveUpAfterMs: 24 * 3_600_000,
  leaseMs: 60_000,
  quietMs: QUIET_MINUTES * 60_000,
  messagePauseMs: 1000,
}
/** Of a channel that is not quiet: with more than these waiting, as after an import, they are one message too. */
const MAX_SEPARATE_MESSAGES = 100

const NOW = sql<Date>`clock_timestamp()`

/** The state of one poll: the moment of the history, and the active webhooks. */
export interface Work extends MomentRow {
  readonly webhooks: readonly { readonly _id: string; readonly cursor: number }[]
}

export const readWork = async (db: Queryable): Promise<Work | undefined> => {
  const { rows } = await sql<Work>`
    select ${sql.raw(MOMENT_COLUMNS)},
      coalesce((select jsonb_agg(jsonb_build_object('_id', _id, 'cursor', cursor)) from webhook where state = 'active'), '[]') as webhooks
    from pg_current_snapshot() as s`.execute(db)
  return rows[0]
}

/** A record whose deliveries this server is sending. */
export interface Claim {
  readonly webhook: string
  readonly record: string
  readonly claim: string
}

/** Claims due records, up to a limit per webhook. */
export const claimDue = async (db: Queryable, free: ReadonlyMap<string, number>, { leaseMs }: RetryPolicy): Promise<Claim[]> => {
  // Materialized: in a join the planner may evaluate the limited rows several times, with different results, because rows already claimed are
  // skipped.
  const { rows } = await sql<Claim>`
    with due as materialized (
      select due.webhook, due.record
      from unnest(${[...free.keys()]}::uuid[], ${[...free.values()]}::int[]) as active (_id, free)
      cross join lateral (
        select webhook, record from webhook_queue where webhook = active._id and "nextTryAt" <= ${NOW}
        order by "nextTryAt" limit active.free for update skip locked) as due
    )
    update webhook_queue as queue set claim = ${randomUUID()}::uuid, "nextTryAt" = ${fromNow(leaseMs)}
    from due
    where queue.webhook = due.webhook and queue.record = due.record
    returning queue.webhook, queue.record, queue.claim`.execute(db)
  return rows
}

const isClaimed = ({ webhook, record, claim }: Claim) => sql<boolean>`webhook = ${webhook} and record = ${record} and claim = ${claim}`

/** A delivery and the data needed to send it. */
export interface DueDelivery {
  readonly _id: number
  readonly message: string
  readonly body: string
  readonly tries: number
  /** Since its first attempt. */
  readonly firstAttemptAgeMs: number
  readonly url: string
  readonly secret: Buffer
  readonly oldSecret: Buffer | null
  readonly format: WebhookFormat
  readonly quiet: boolean
  readonly affairs: boolean
  /** Those that become one message: itself, and of a quiet channel all that wait. */
  readonly gathered: readonly number[]
}

/** The first pending delivery of a claimed record; undefined if the webhook is not active. */
export const findFirst = async (db: Queryable, { webhook, record }: Claim): Promise<DueDelivery | undefined> => {
  const isGathered = record === CHANNEL_RECORD
  const { rows } = await sql<DueDelivery>`
    select delivery._id, delivery.message, delivery.body, delivery.tries, webhook.url, webhook.secret,
      webhook.format, webhook.quiet, webhook.affairs,
      (select case when ${isGathered} and (webhook.quiet or count(*) > ${sql.lit(MAX_SEPARATE_MESSAGES)}) then jsonb_agg(_id order by _id)
         else jsonb_build_array(delivery._id) end
       from webhook_delivery as other where other.webhook = delivery.webhook and other.record = delivery.record and other.state = 'waiting') as gathered,
      coalesce(extract(epoch from ${NOW} - delivery."firstTryAt") * 1000, 0)::float8 as "firstAttemptAgeMs",
      case when webhook."oldSecretEndsAt" > now() then webhook."oldSecret" end as "oldSecret"
    from webhook_delivery as delivery join webhook on webhook._id = delivery.webhook and webhook.state = 'active'
    where delivery.webhook = ${webhook} and delivery.record = ${record} and delivery.state = 'waiting'
    order by delivery._id limit 1`.execute(db)
  return rows[0]
}

/** Releases a claimed record: due immediately, or removed from the queue if nothing is pending. */
export const releaseClaim = async (tx: Tx, claim: Claim): Promise<void> => {
  if ((await lockClaim(tx, claim)) === undefined) return
  await continueQueue(tx, claim, { claim: null, nextTryAt: NOW })
}

/** Locks the record's queue row, so that the next statement sees concurrent additions; undefined if another server has taken over. */
const lockClaim = async (tx: Tx, claim: Claim): Promise<object | undefined> =>
  (await sql<object>`select 1 from webhook_queue where ${isClaimed(claim)} for update`.execute(tx)).rows[0]

/**
 * Stores when a claimed record is due next, and whether the claim goes on; without pending deliveries it leaves the queue, and new ones are claimed
 * again, possibly by another server. Returns whether there is a next one.
 */
const continueQueue = async (tx: Tx, claim: Claim, next: { claim?: null; nextTryAt: RawBuilder<Date> }): Promise<boolean> => {
  const { webhook, record } = claim
  const { rows } = await sql`
    select 1 from webhook_delivery where webhook = ${webhook} and record = ${record} and state = 'waiting' limit 1`.execute(tx)
  if (rows.length > 0) await tx.updateTable('webhook_queue').set(next).where(isClaimed(claim)).execute()
  else await tx.deleteFrom('webhook_queue').where(isClaimed(claim)).execute()
  return rows.length > 0
}

/** The result of an attempt: the response status, or why there was none. */
export interface AttemptResult {
  readonly status: number | null
  readonly problem: string | null
  /** How long the other side asked to wait. */
  readonly retryAfterMs?: number | undefined
  /** Whether another attempt would have the same result. */
  readonly isFinal?: boolean | undefined
}

/** Adds up to a tenth, so that simultaneous failures are not retried simultaneously. */
const withJitter = (ms: number): number => ms * (1 + Math.random() / 10)

/**
 * Records the result of an attempt. After a success, or if the delivery is abandoned, the claim continues with the next one of its record; false if
 * there is nothing more to send now, or another server has taken over.
 */
export const recordAttempt = (db: Db, claim: Claim, delivery: DueDelivery, result: AttemptResult, policy: RetryPolicy): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if ((await lockClaim(tx, claim)) === undefined) return false
    const { tries, firstAttemptAgeMs, format, quiet, gathered } = delivery
    const { status, problem, retryAfterMs, isFinal } = result
    const pauseMs = withJitter(retryAfterMs ?? policy.pausesMs[Math.min(tries, policy.pausesMs.length - 1)] ?? 0)
    const isWaiting = problem !== null && !isFinal && firstAttemptAgeMs + pauseMs <= policy.giveUpAfterMs
    const state = problem === null ? 'delivered' : isWaiting ? 'waiting' : 'failed'
    await tx
      .updateTable('webhook_delivery')
      .set({
        status,
        problem,
        state,
        tries: sql<number>`tries + 1`,
        firstTryAt: sql<Date>`coalesce("firstTryAt", ${NOW})`,
        lastTryAt: NOW,
        endedAt: isWaiting ? null : NOW,
      })
      .where(sql<boolean>`_id = any(${[...gathered]}::bigint[])`)
      .execute()
    const isChannel = format !== 'standard'
    const next = isWaiting
      ? { claim: null, nextTryAt: fromNow(pauseMs) }
      : isChannel
        ? { claim: null, nextTryAt: fromNow(quiet ? policy.quietMs : policy.messagePauseMs) }
        : { nextTryAt: fromNow(policy.leaseMs) }
    return (await continueQueue(tx, claim, next)) && !isWaiting && !isChannel
  })

/** Makes what a channel gathers due. */
export const sendGatheredNow = async (tx: Tx, webhook: string): Promise<void> => {
  await sql`update webhook_queue set "nextTryAt" = ${NOW} where webhook = ${webhook} and record = ${CHANNEL_RECORD} and claim is null`.execute(
    tx,
  )
}

/** Drops everything that is pending for a webhook. Records leave the queue before deliveries are updated, in the lock order of recording attempts. */
export const dropWaiting = async (tx: Tx, webhook: string, problem: string): Promise<void> => {
  await sql`delete from webhook_queue where webhook = ${webhook}`.execute(tx)
  await sql`update webhook_delivery set state = 'failed', "endedAt" = ${NOW}, problem = ${problem}
    where webhook = ${webhook} and state = 'waiting'`.execute(tx)
}

/** Turns off a webhook whose URL no longer exists. */
export const disableWebhook = (db: Db, { webhook }: Claim, { _id }: DueDelivery, status: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const problem = `Answered ${status} (gone), so this webhook was turned off`
    await sql`update webhook set state = 'off', problem = ${problem}, version = version + 1 where _id = ${webhook}`.execute(tx)
    await dropWaiting(tx, webhook, problem)
    await sql`update webhook_delivery set tries = tries + 1, "firstTryAt" = coalesce("firstTryAt", ${NOW}), "lastTryAt" = ${NOW}, status = ${status}
      where _id = ${_id}`.execute(tx)
  })
