import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'

import { openDatabase } from '../../../src/database/connection.server.ts'
import { readConfiguration } from '../../../src/platform/server/configuration.ts'
import { startPrivateDatabase } from '../../../src/platform/server/private-database.ts'
import { getFreePort } from '../../support/free-port.ts'
import { openHttpClient } from '../../support/http-requests.ts'
import { startProgram } from '../../support/server-process.ts'
import { signInAt } from '../../support/sessions.ts'
import { createTemporaryFolder, removeFolder } from '../../support/temporary-folder.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** The end of a ZIP file, and therefore of a workbook. */
const END_OF_ZIP = 'PK\x05\x06'

export interface ShutdownOptions {
  readonly drainSeconds: number
  /** Requests and downloads in progress at the time of the signal. */
  readonly requests: number
  readonly downloads: number
  /** Whether they wait forever, so that they have to be aborted. */
  readonly isStuck?: boolean
  readonly stopSeconds?: number
}

export interface ShutdownResult {
  /** Of the requests during draining: those without a response, and responses of `/readyz` that said "ready". */
  readonly refusedEarly: number
  readonly readyWhileDraining: number
  readonly requestsWhileDraining: number
  /** Of the requests in progress. */
  readonly unanswered: number
  readonly withoutClose: number
  readonly cutDownloads: number
  readonly exitCode: number | null
  /** From the signal to the exit. */
  readonly seconds: number
}

/** Sends SIGTERM to a separate server while requests wait for a lock in the database, and counts their outcomes. */
export const testShutdown = async ({
  drainSeconds,
  requests,
  downloads,
  isStuck = false,
  stopSeconds = 30,
}: ShutdownOptions): Promise<ShutdownResult> => {
  const folder = await createTemporaryFolder()
  const port = await getFreePort()
  const environment = { PORT: String(port), DATA_DIR: join(folder, 'data'), SAMPLE: '3', SERVE: 'app,locations' }
  const server = startProgram(process.execPath, ['src/main.server.ts'], {
    ...environment,
    DRAIN_SECONDS: String(drainSeconds),
    STOP_SECONDS: String(stopSeconds),
  })
  // Only the server exits: the private database it started keeps running for others that use it.
  const ended = once(server.child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const client = openHttpClient(url, { maxSockets: Infinity })
  let close = async (): Promise<void> => undefined
  try {
    await server.waitForLine(/^Ready: /m)
    const guest = await startPrivateDatabase({ dataDir: environment.DATA_DIR, as: 'guest', writeLine: () => undefined })
    const { db, pool } = openDatabase(guest.connection, 2)
    const holder = new pg.Client(guest.connection)
    await holder.connect()
    close = async () => {
      await holder.end()
      await pool.end()
      await guest.stop()
    }
    const { headers } = await signInAt({ db, configuration: readConfiguration(environment) }, 1)
    await holder.query('begin')
    // Charter affairs are read from the database; most other records from memory.
    await holder.query('lock table charter_affair in access exclusive mode')
    const charter = (await db.selectFrom('charter').select('_id').executeTakeFirstOrThrow())._id
    const waiting = Array.from({ length: requests }, () =>
      client.send('GET', `/locations-api/charter_affair/${charter}`, { headers }).catch(() => undefined),
    )
    const loading = Array.from({ length: downloads }, () =>
      client.send('GET', '/api/exports/excel/charter_affairs', { headers }).catch(() => undefined),
    )
    await waitUntil('every request waits for the lock', async () => {
      const { rows } = await pool.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
      return (rows[0]?.n ?? 0) >= requests + downloads
    })

    const signalled = Date.now()
    server.child.kill('SIGTERM')
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
      await holder.query('rollback')
    }
    const answers = await Promise.all(waiting)
    const workbooks = await Promise.all(loading)
    const [code] = (await ended) as [number | null]
    return {
      refusedEarly,
      readyWhileDraining,
      requestsWhileDraining,
      unanswered: answers.filter((answer) => answer?.status !== 200).length,
      withoutClose: answers.filter((answer) => answer !== undefined && answer.headers['connection'] !== 'close').length,
      cutDownloads: workbooks.filter((workbook) => workbook?.status !== 200 || !workbook.body.includes(END_OF_ZIP)).length,
      exitCode: code,
      seconds: (Date.now() - signalled) / 1000,
    }
  } finally {
    client.close()
    await close()
    server.child.kill('SIGKILL')
    await ended
    await removeFolder(folder)
  }
}
