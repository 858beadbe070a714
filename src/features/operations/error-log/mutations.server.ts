import { createHash } from 'node:crypto'

import { type RawBuilder, sql } from 'kysely'

import type { Db, Queryable } from '../../../database/connection.server.ts'
import { deleteInBatches } from '../../../database/delete-rows.server.ts'
import type { ErrorSource } from '../../../database/log-tables.ts'
import { Problem } from '../../../platform/contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { getAddressKey } from '../../../platform/server/client-address.ts'
import type { Defect } from '../../../platform/server/errors.ts'
import { SharedRateLimit } from '../../../platform/server/shared-rate-limit.ts'
import { toVisitor } from '../page-views/queries.server.ts'
import type { ErrorReport } from './contract.ts'
import { toGroupKey } from './fingerprint.ts'
import { redact } from './redact.ts'

/** A report is a hint, not an archive. */
interface Limits {
  /** Characters that are kept of one field, and that are read of all together. */
  readonly field: number
  readonly all: number
  /** Rows that are kept of one sender, and of all of a source. */
  readonly ofSender: number
  readonly kept: number
}

/** What nobody signed is kept short. */
const LIMITS: Readonly<Record<ErrorSource, Limits>> = {
  account: { field: 10_000, all: 20_000, ofSender: 500, kept: 20_000 },
  anonymous: { field: 2000, all: 4000, ofSender: 100, kept: 2000 },
  server: { field: 10_000, all: 20_000, ofSender: 500, kept: 10_000 },
}

/** The fields of a report; where there is not room for all, those that tell most come first. */
const FIELDS = [
  'errorName',
  'errorLocation',
  'context',
  'timestamp',
  'errorMessage',
  'stackTrace',
  'requestData',
  'responseData',
] as const satisfies (keyof ErrorReport)[]

const toText = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)

const toFingerprint = (error: Parameters<typeof toGroupKey>[0]): string =>
  createHash('sha256').update(toGroupKey(error)).digest('hex').slice(0, 16)

/** As long as what is taken out mostly is: read beyond what is kept, so that no part of a secret is left at the end. */
const REDACTION_MARGIN = 200

/** The beginning of a text, without the word that was cut in two. */
const truncate = (text: string, most: number): string => {
  if (text.length <= most) return text
  const sure = Math.max(most - REDACTION_MARGIN, 0)
  return text.slice(0, Math.max(text.lastIndexOf(' ', most), sure))
}

/** The texts of a report: cut before anything is done with them, then without secrets, and with the group they make. */
const toColumns = (report: ErrorReport, { field, all }: Limits) => {
  let left = all
  const texts = {} as Record<(typeof FIELDS)[number], string | null>
  for (const name of FIELDS) {
    const whole = toText(report[name])
    const text = whole && truncate(whole, Math.min(field + REDACTION_MARGIN, left))
    left -= text?.length ?? 0
    texts[name] = text && redact(text).slice(0, field).replaceAll('\0', '\uFFFD').toWellFormed()
  }
  return { ...texts, fingerprint: toFingerprint(texts) }
}

interface Sender {
  readonly source: ErrorSource
  readonly sender: string
  readonly account: string | null
}

/** Keeps a report, and no more of its sender and of its source than there is room for. */
export const insertReport = async (db: Db, report: ErrorReport, from: Sender): Promise<void> => {
  const { source, sender } = from
  const { ofSender, kept } = LIMITS[source]
  await db
    .insertInto('error_log')
    .values({ ...from, ...toColumns(report, LIMITS[source]) })
    .execute()
  await deleteOldest(db, source, sender, sql`offset ${ofSender}`)
  const { rows } = await sql<{ over: number }>`select count(*) - ${kept} as over from error_log where source = ${source}`.execute(db)
  const over = rows[0]?.over ?? 0
  if (over <= 0) return
  // Room is made where most is: whoever sends many reports loses their own, and not those of others.
  const largest = await sql<{ sender: string; count: number }>`
    select sender, count(*) from error_log where source = ${source} group by sender order by count(*) desc, sender limit 1`.execute(db)
  for (const { sender, count } of largest.rows) await deleteOldest(db, source, sender, sql`offset ${Math.max(count - over, 1)}`)
}

/** Deletes what a sender has sent before the latest of theirs. */
const deleteOldest = (db: Db, source: ErrorSource, sender: string, latest: RawBuilder<unknown>) =>
  sql`delete from error_log where _id in (
    select _id from error_log where source = ${source} and sender = ${sender} order by _id desc ${latest} for update skip locked)`.execute(
    db,
  )

/** Reports without a session that are taken in a minute, from everybody together. */
const MAX_ANONYMOUS_PER_MINUTE = 600
const anonymousQuotas = new WeakMap<AppContext, SharedRateLimit>()

/** Keeps what a browser reports; refused where too many report without a session at once. */
export const insertBrowserReport = async (
  context: AppContext,
  report: ErrorReport,
  user: SignedIn | null,
  address: string,
): Promise<void> => {
  if (user) return insertReport(context.db, report, { source: 'account', sender: user.account, account: user.account })
  const quota = anonymousQuotas.get(context) ?? new SharedRateLimit(MAX_ANONYMOUS_PER_MINUTE, MINUTE_MS)
  anonymousQuotas.set(context, quota)
  if (!quota.tryAcquire()) throw new Problem(429, 'Too many requests', { detail: 'Wait a moment and try again.', retryAfter: 60 })
  await insertReport(context.db, report, { source: 'anonymous', sender: await toVisitor(context, getAddressKey(address)), account: null })
}

/** Defects of the server that are kept in a minute; one that comes with every request must not fill the database. */
const MAX_DEFECTS_PER_MINUTE = 60
const MINUTE_MS = 60_000

/** Keeps the server's own defects beside the browsers' errors. Nothing waits for it, and a log that cannot be kept breaks nothing. */
export const createDefectHandler = ({ db, log }: AppContext): ((defect: Defect) => void) => {
  const quota = new SharedRateLimit(MAX_DEFECTS_PER_MINUTE, MINUTE_MS)
  return ({ error, place, request, account }) => {
    if (!quota.tryAcquire()) return
    const known = error instanceof Error ? error : new Error(String(error))
    const report: ErrorReport = {
      timestamp: new Date().toISOString(),
      context: 'server',
      errorMessage: known.message,
      errorName: known.name,
      stackTrace: known.stack,
      errorLocation: place,
      requestData: { requestId: request },
    }
    insertReport(db, report, { source: 'server', sender: place, account }).catch((err: unknown) =>
      log.warn({ err, reqId: request }, 'A defect could not be kept'),
    )
  }
}

const BATCH_SIZE = 500

/** Errors from before there were groups get one, and lose what must not be kept. */
export const updateUngroupedErrors = async (db: Db): Promise<void> => {
  for (;;) {
    const rows = await db.selectFrom('error_log').selectAll().where('fingerprint', 'is', null).orderBy('_id').limit(BATCH_SIZE).execute()
    if (rows.length === 0) return
    await db.transaction().execute(async (tx) => {
      for (const { _id, source, ...report } of rows)
        await tx.updateTable('error_log').set(toColumns(report, LIMITS[source])).where('_id', '=', _id).execute()
    })
  }
}

/** Forgets what is older than is kept. */
export const deleteOldErrors = async (db: Queryable, days: number): Promise<void> => {
  await deleteInBatches(db, 'error_log', sql<boolean>`at < now() - make_interval(days => ${days})`)
  await sql`delete from error_seen where not exists (select from error_log where error_log.fingerprint = error_seen.fingerprint)`.execute(
    db,
  )
}
