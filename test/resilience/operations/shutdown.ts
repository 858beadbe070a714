import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { type HttpResponse, openHttpClient } from '../../support/http-requests.ts'
import { createServer } from '../../support/server.ts'
import { signInAt } from '../../support/sessions.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** The end of a ZIP file, and therefore of a workbook. */
const END_OF_ZIP = 'PK\x05\x06'

interface ShutdownOptions {
  readonly drainSeconds: number
  /** Requests and downloads in progress at the time of the signal. */
  readonly requests: number
  readonly downloads: number
  /** Whether they wait forever, so that they have to be aborted. */
  readonly isStuck?: boolean
  readonly stopSeconds?: number
}

/** Sends SIGTERM to a separate server while requests wait for a lock in the database, and counts their outcomes. */
export const testShutdown = async ({ drainSeconds, requests, downloads, isStuck = false, stopSeconds = 30 }: ShutdownOptions) => {
  await using server = await createServer({ DRAIN_SECONDS: String(drainSeconds), STOP_SECONDS: String(stopSeconds) })
  await server.start()
  await server.openDatabase()
  const { url, db, program } = server
  // Only the server exits: the private database it started keeps running for others that use it.
  const ended = once(program.child, 'exit')
  using client = openHttpClient(url, { maxSockets: Infinity })
  const { headers } = await signInAt(server, 1)
  const transaction = await db.startTransaction().execute()
  // Charter affairs are read from the database; most other records from memory.
  await sql`lock table charter_affair in access exclusive mode`.execute(transaction)
  const charter = (await db.selectFrom('charter').select('_id').executeTakeFirstOrThrow())._id
  const sendMany = (count: number, path: string): Promise<HttpResponse | undefined>[] =>
    Array.from({ length: count }, () => client.send('GET', path, { headers }).catch(() => undefined))
  const waiting = sendMany(requests, `/locations-api/charter_affair/${charter}`)
  const loading = sendMany(downloads, '/api/exports/excel/charter_affairs')
  await waitUntil('every request waits for the lock', async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
    return (rows[0]?.n ?? 0) >= requests + downloads
  })

  const signalled = Date.now()
  program.child.kill('SIGTERM')
  let [refusedEarly, readyWhileDraining, requestsWhileDraining] = [0, 0, 0]
  await pause(Math.min(500, drainSeconds * 250))
  while (Date.now() - signalled < drainSeconds * 600) {
    requestsWhileDraining++
    const [ready, other] = await Promise.all(['/readyz', '/healthz'].map((path) => client.send('GET', path).catch(() => undefined)))
    if (ready?.status === 200) readyWhileDraining++
    if (ready === undefined || other?.status !== 200 || other.headers['connection'] !== 'close') refusedEarly++
    await pause(50)
  }
  // It no longer listens, and requests in progress continue.
  if (!isStuck) {
    await waitUntil('the server no longer listens', () => fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(() => false, () => true)) // prettier-ignore
    await transaction.rollback().execute()
  }
  const answers = await Promise.all(waiting)
  const workbooks = await Promise.all(loading)
  const [exitCode] = (await ended) as [number | null]
  const seconds = (Date.now() - signalled) / 1000
  if (isStuck) await transaction.rollback().execute()
  return {
    /** Of the requests during draining: those without a response, and responses of `/readyz` that said "ready". */
    refusedEarly,
    readyWhileDraining,
    requestsWhileDraining,
    /** Of the requests in progress. */
    unanswered: answers.filter((answer) => answer?.status !== 200).length,
    withoutClose: answers.filter((answer) => answer !== undefined && answer.headers['connection'] !== 'close').length,
    cutDownloads: workbooks.filter((workbook) => workbook?.status !== 200 || !workbook.body.includes(END_OF_ZIP)).length,
    exitCode,
    /** From the signal to the exit. */
    seconds,
  }
}
