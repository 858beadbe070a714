import { createHash } from 'node:crypto'

import { type RawBuilder, sql } from 'kysely'

import { MINUTE_MS } from '../../../contract/dates.ts'
import type { Db, Queryable } from '../../../database/connection.server.ts'
import { deleteInBatches } from '../../../database/delete-rows.server.ts'
import type { ErrorSource } from '../../../database/log-tables.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { getAddressKey } from '../../../platform/server/client-address.ts'
import type { Defect } from '../../../platform/server/errors.ts'
import { SharedRateLimit } from '../../../platform/server/shared-rate-limit.ts'
import { toVisitor } from '../page-views/mutations.server.ts'
import type { ErrorReport } from './contract.ts'
import { toGroupKey } from './fingerprint.ts'
import { redact } from './redact.ts'

interface Limits {
  /** Maximum characters of one field, and of all fields together. */
  readonly field: number
  readonly allFields: number
  /** Maximum rows of one sender, and of a source. */
  readonly senderRows: number
  readonly sourceRows: number
}

/** Anonymous reports get the smallest limits, because anyone can send them. */
const LIMITS: Readonly<Record<ErrorSource, Limits>> = {
  account: { field: 10_000, allFields: 20_000, senderRows: 500, sourceRows: 20_000 },
  anonymous: { field: 2000, allFields: 4000, senderRows: 100, sourceRows: 2000 },
  server: { field: 10_000, allFields: 20_000, senderRows: 500, sourceRows: 10_000 },
}

/** The fields of a report, most useful first, if not all fit. */
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

/** Characters read beyond the limit, so that redaction sees secrets at the end as a whole. */
const REDACTION_MARGIN = 200

/** Truncates at the end of a word. */
const truncate = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text
  return text.slice(0, Math.max(text.lastIndexOf(' ', maxLength), maxLength - REDACTION_MARGIN, 0))
}

/** The columns of a report: truncated, redacted, and with the fingerprint of its group. */
const toColumns = (report: ErrorReport, { field, allFields }: Limits) => {
  let remaining = allFields
  const texts = {} as Record<(typeof FIELDS)[number], string | null>
  for (const name of FIELDS) {
    const untruncated = toText(report[name])
    const text = untruncated && truncate(untruncated, Math.min(field + REDACTION_MARGIN, remaining))
    remaining -= text?.length ?? 0
    texts[name] = text && redact(text).slice(0, field).replaceAll('\0', '\uFFFD').toWellFormed()
  }
  return { ...texts, fingerprint: toFingerprint(texts) }
}

interface Sender {
  readonly source: ErrorSource
  readonly sender: string
  readonly account: string | null
}

/** Inserts a report, and deletes the oldest beyond the limits of its sender and its source. */
export const insertReport = async (db: Db, report: ErrorReport, from: Sender): Promise<void> => {
  const { source, sender } = from
  const { senderRows, sourceRows } = LIMITS[source]
  await db
    .insertInto('error_log')
    .values({ ...from, ...toColumns(report, LIMITS[source]) })
    .execute()
  await deleteOldest(db, source, sender, sql`offset ${senderRows}`)
  const { rows } = await sql<{ over: number }>`select count(*) - ${sourceRows} as over from error_log where source = ${source}`.execute(db)
  const over = rows[0]?.over ?? 0
  if (over <= 0) return
  // Deletes reports of the sender with the most, so that no one can displace the reports of others.
  const largest = await sql<{ sender: string; count: number }>`
    select sender, count(*) from error_log where source = ${source} group by sender order by count(*) desc, sender limit 1`.execute(db)
  for (const { sender, count } of largest.rows) await deleteOldest(db, source, sender, sql`offset ${Math.max(count - over, 1)}`)
}

const deleteOldest = (db: Db, source: ErrorSource, sender: string, latest: RawBuilder<unknown>) =>
  sql`delete from error_log where _id in (
    select _id from error_log where source = ${source} and sender = ${sender} order by _id desc ${latest} for update skip locked)`.execute(
    db,
  )

export const insertBrowserReport = async (
  context: AppContext,
  report: ErrorReport,
  user: SignedIn | null,
  address: string,
): Promise<void> => {
  if (user) return insertReport(context.db, report, { source: 'account', sender: user.account, account: user.account })
  await insertReport(context.db, report, { source: 'anonymous', sender: await toVisitor(context, getAddressKey(address)), account: null })
}

/** A defect that occurs with every request must not fill the database. */
const MAX_DEFECTS_PER_MINUTE = 60

/** Returns a handler that stores the server's own defects beside the browsers' errors. Callers do not wait for it, and a failure is only logged. */
export const createDefectHandler = ({ db, log }: AppContext): ((defect: Defect) => void) => {
  const quota = new SharedRateLimit(MAX_DEFECTS_PER_MINUTE, MINUTE_MS)
  return ({ error, route, request, account }) => {
    if (!quota.tryAcquire()) return
    const thrown = error instanceof Error ? error : new Error(String(error))
    const report: ErrorReport = {
      timestamp: new Date().toISOString(),
      context: 'server',
      errorMessage: thrown.message,
      errorName: thrown.name,
      stackTrace: thrown.stack,
      errorLocation: route,
      requestData: { requestId: request },
    }
    insertReport(db, report, { source: 'server', sender: route, account }).catch((err: unknown) =>
      log.warn({ err, reqId: request }, 'An error could not be stored'),
    )
  }
}

const BATCH_SIZE = 500

/** Adds fingerprints to errors that have none, and redacts them. */
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

/** Deletes errors at the end of their retention period, and dismissals of groups that no longer exist. */
export const deleteOldErrors = async (db: Queryable, days: number): Promise<void> => {
  await deleteInBatches(db, 'error_log', sql<boolean>`at < now() - make_interval(days => ${days})`)
  await sql`delete from error_seen where not exists (select from error_log where error_log.fingerprint = error_seen.fingerprint)`.execute(
    db,
  )
}

/** Dismisses a group until it occurs again; false if it does not exist. */
export const dismissGroup = async (db: Queryable, fingerprint: string, account: string): Promise<boolean> => {
  const error = await db.selectFrom('error_log').select('_id').where('fingerprint', '=', fingerprint).limit(1).executeTakeFirst()
  if (!error) return false
  await db
    .insertInto('error_seen')
    .values({ fingerprint, account })
    .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet({ account, at: sql<Date>`now()` }))
    .execute()
  return true
}
