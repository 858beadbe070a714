import { createHash } from 'node:crypto'

import { type Insertable, sql } from 'kysely'

import type { Db, Queryable } from '../../database/connection.server.ts'
import { deleteInBatches } from '../../database/forgetting.server.ts'
import type { ErrorLogTable } from '../../database/noted-tables.ts'
import type { Defect } from '../../platform/server/errors.ts'
import type { House } from '../../platform/server/house.ts'
import type { ErrorReport } from './contract.ts'
import { groupOf } from './fingerprint.ts'
import { redact } from './redact.ts'

/** Longest text kept of one field; a report is a hint, not an archive. */
const MOST = 10_000
/** Longer ones are not read to their end: what is taken out makes a text shorter. */
const MOST_READ = 2 * MOST

/** The same of whoever is not signed in: anybody may send that. */
const MOST_OF_ANYBODY = 2000

const asText = (value: unknown, most: number): string | null => {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return redact(text.slice(0, MOST_READ)).slice(0, most).replaceAll('\0', '\uFFFD').toWellFormed()
}

/** The context of the server's own defects. */
const SERVER = 'server'

const fingerprintOf = (error: Parameters<typeof groupOf>[0]): string =>
  createHash('sha256').update(groupOf(error)).digest('hex').slice(0, 16)

/** An error as its row has it: without secrets, and with its group. */
const rowOf = (report: ErrorReport, account: string | null): Insertable<ErrorLogTable> => {
  const most = account === null && report.context !== SERVER ? MOST_OF_ANYBODY : MOST
  const texts = {
    timestamp: asText(report.timestamp, most),
    context: asText(report.context, most),
    errorMessage: asText(report.errorMessage, most),
    errorName: asText(report.errorName, most),
    stackTrace: asText(report.stackTrace, most),
    errorLocation: asText(report.errorLocation, most),
    requestData: asText(report.requestData, most),
    responseData: asText(report.responseData, most),
  }
  return { account, ...texts, fingerprint: fingerprintOf(texts) }
}

export const keepReport = async (db: Queryable, report: ErrorReport, account: string | null): Promise<void> => {
  await db.insertInto('error_log').values(rowOf(report, account)).execute()
}

/** Defects of the server that are kept in a minute; one that comes with every request must not fill the database. */
const MOST_A_MINUTE = 60
const MINUTE = 60_000

/** Keeps the server's own defects beside the browsers' errors. Nothing waits for it, and a log that cannot be kept breaks nothing. */
export const keepDefects = ({ db, log }: House): ((defect: Defect) => void) => {
  let [since, kept] = [0, 0]
  return ({ error, place, request, account }) => {
    const now = Date.now()
    if (now - since > MINUTE) [since, kept] = [now, 0]
    if (++kept > MOST_A_MINUTE) return
    const known = error instanceof Error ? error : new Error(String(error))
    const report: ErrorReport = {
      timestamp: new Date(now).toISOString(),
      context: SERVER,
      errorMessage: known.message,
      errorName: known.name,
      stackTrace: known.stack,
      errorLocation: place,
      requestData: { requestId: request },
    }
    keepReport(db, report, account).catch((err: unknown) => log.warn({ err, reqId: request }, 'A defect could not be kept'))
  }
}

const AT_A_TIME = 500

/** Errors from before there were groups get one, and lose what must not be kept. */
export const groupOldErrors = async (db: Db): Promise<void> => {
  for (;;) {
    const rows = await db.selectFrom('error_log').selectAll().where('fingerprint', 'is', null).orderBy('_id').limit(AT_A_TIME).execute()
    if (rows.length === 0) return
    await db.transaction().execute(async (tx) => {
      for (const { _id, at: _, account, ...report } of rows)
        await tx.updateTable('error_log').set(rowOf(report, account)).where('_id', '=', _id).execute()
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
