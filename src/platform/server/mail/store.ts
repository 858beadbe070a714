import { randomUUID } from 'node:crypto'

import { type Selectable, sql } from 'kysely'

import type { MailState } from '../../../contract/mail.ts'
import type { Db, Queryable, Tx } from '../../../database/connection.server.ts'
import type { MailTable } from '../../../database/request-tables.ts'
import { fromNow } from '../from-now.ts'
import type { SendResult, MailTransport } from './transport.ts'

/** A mail to be sent. Without recipients it is kept until the settings name some. */
export interface NewMail {
  /** The request that it is about, if any. */
  readonly request?: string
  /** The comment that it quotes; they are deleted together. */
  readonly comment?: string
  readonly kind: MailTable['kind']
  readonly recipients: readonly string[]
  readonly subject: string
  /** Plain text. */
  readonly body: string
  /** The same as HTML. */
  readonly html?: string
  readonly replyName?: string | null
  readonly replyTo?: string | null
}

/** When a mail is retried, and when sending is abandoned. */
export interface RetryPolicy {
  /** The wait before the second attempt; each wait is twice the previous one. */
  readonly firstWaitMs: number
  readonly maxWaitMs: number
  /** A mail that no mail server has accepted by then is abandoned. */
  readonly giveUpAfterMs: number
  /** After this many permanent refusals a mail is abandoned. */
  readonly maxRefusals: number
}
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  firstWaitMs: 30_000,
  maxWaitMs: 15 * 60_000,
  giveUpAfterMs: 5 * 24 * 3_600_000,
  maxRefusals: 3,
}

type MailRow = Selectable<MailTable>

export const getMailState = ({
  sentAt,
  sentAs,
  failedAt,
  recipients,
}: Pick<MailRow, 'sentAt' | 'sentAs' | 'failedAt' | 'recipients'>): MailState => {
  if (sentAt !== null) return sentAs === 'file' ? 'written' : 'mailed'
  if (failedAt !== null) return 'failed'
  return recipients.length === 0 ? 'unaddressed' : 'waiting'
}

const isWaiting = sql<boolean>`"sentAt" is null and "failedAt" is null and recipients <> '{}'`

/** Stores a mail in the transaction of what it is about; returns its `_id`. */
export const insertMail = async (tx: Tx, mail: NewMail, host: string): Promise<string> => {
  const _id = randomUUID()
  await tx
    .insertInto('mail')
    .values({ _id, messageId: `<${_id}@${host}>`, ...mail, recipients: [...mail.recipients] })
    .execute()
  return _id
}

/** The next due mail, locked until the transaction ends; skips those locked by another process. */
export const lockDueMail = async (tx: Tx): Promise<MailRow | undefined> =>
  tx
    .selectFrom('mail')
    .selectAll()
    .where(isWaiting)
    .where('nextTryAt', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('nextTryAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/**
 * Whether a later answer, or reopening the request, has replaced this one. Checked before every attempt: the mail may have been locked for sending
 * while the later answer was saved, so it could not be canceled then.
 */
export const isReplacedAnswer = async (tx: Tx, { _id, kind }: MailRow): Promise<boolean> => {
  if (kind !== 'answer') return false
  const { rows } = await sql`
    select from mail join request on request._id = mail.request
    where mail._id = ${_id} and (request.state = 'open' or request."answeredAt" > mail."createdAt")`.execute(tx)
  return rows.length > 0
}

export const cancelMail = async (tx: Tx, _id: string): Promise<MailRow> =>
  tx
    .updateTable('mail')
    .set({ failedAt: fromNow(0), problem: 'Another answer came after it' })
    .where('_id', '=', _id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Stores the result of an attempt; returns the updated mail. */
export const recordAttempt = async (
  tx: Tx,
  { _id, recipients, tries, refusals, firstTryAt }: MailRow,
  result: SendResult,
  as: MailTransport['kind'],
  retryPolicy: RetryPolicy,
): Promise<MailRow> => {
  const isSent = recipients.every((address) => result.accepted.includes(address))
  const refused = refusals + (result.isPermanent ? 1 : 0)
  const isLate = firstTryAt !== null && Date.now() - firstTryAt.getTime() > retryPolicy.giveUpAfterMs
  const isGivenUp = !isSent && (isLate || refused >= retryPolicy.maxRefusals)
  const wait = Math.min(retryPolicy.firstWaitMs * 2 ** Math.min(tries, 20), retryPolicy.maxWaitMs)
  return tx
    .updateTable('mail')
    .set({
      accepted: [...result.accepted],
      problem: isSent ? null : result.problem,
      tries: tries + 1,
      refusals: refused,
      firstTryAt: sql<Date>`coalesce("firstTryAt", clock_timestamp())`,
      ...(isSent ? { sentAt: fromNow(0), sentAs: as } : isGivenUp ? { failedAt: fromNow(0) } : { nextTryAt: fromNow(wait) }),
    })
    .where('_id', '=', _id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes every waiting mail due, for a server that has just started. */
export const makeAllMailsDue = async (db: Db): Promise<void> => {
  await sql`
    update mail set "nextTryAt" = least("nextTryAt", now())
    where _id in (select _id from mail where ${isWaiting} for update skip locked)`.execute(db)
}

/** How many mails are not sent, and how long the oldest of them has waited. */
export const readMailCounts = async (
  db: Queryable,
): Promise<{ waiting: number; failed: number; unaddressed: number; oldestSeconds: number }> => {
  const { rows } = await sql<{ waiting: number; failed: number; unaddressed: number; oldestSeconds: number }>`
    select count(*) filter (where ${isWaiting})::int as waiting, count(*) filter (where "failedAt" is not null)::int as failed,
      count(*) filter (where "failedAt" is null and recipients = '{}')::int as unaddressed,
      coalesce(extract(epoch from now() - min("createdAt") filter (where ${isWaiting})), 0)::float8 as "oldestSeconds"
    from mail where "sentAt" is null`.execute(db)
  return rows[0] ?? { waiting: 0, failed: 0, unaddressed: 0, oldestSeconds: 0 }
}

export const readMailState = async (db: Queryable, _id: string): Promise<MailState> =>
  getMailState(
    await db.selectFrom('mail').select(['sentAt', 'sentAs', 'failedAt', 'recipients']).where('_id', '=', _id).executeTakeFirstOrThrow(),
  )

/** Starts new attempts at a mail that was not sent, with these recipients; skips a mail that is being sent right now. */
export const restartMail = async (tx: Tx, _id: string, recipients: readonly string[]): Promise<void> => {
  await sql`
    update mail set recipients = ${[...recipients]}::text[], "failedAt" = null, "firstTryAt" = null, "nextTryAt" = now(), tries = 0, refusals = 0
    where _id = (select _id from mail where _id = ${_id} and "sentAt" is null for update skip locked)`.execute(tx)
}
