import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { doctorCommand } from '../../src/doctor/command.server.ts'
import { ConfigurationError } from '../../src/platform/server/configuration-error.ts'
import { readConfiguration } from '../../src/platform/server/configuration.ts'
import { getFreePort } from '../support/free-port.ts'
import { type HttpResponse, openHttpClient } from '../support/http-requests.ts'
import { runProof } from '../support/proof.ts'
import { createServer } from '../support/server.ts'
import { signInAt } from '../support/sessions.ts'
import { waitUntil } from '../support/wait-until.ts'

const PRODUCTION = {
  PUBLIC_URL: 'https://homeroom.school.example',
  HOST: '0.0.0.0',
  OIDC_ISSUER: 'https://login.example/t/v2.0',
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'q7~Zr',
  OIDC_TENANT: 't',
  SECRET_KEY: '8Jx2mWvT0bqY5rLz9KcN3hGfD6sPaE1u',
}
/** Settings with which a production start must fail. */
const MISTAKES: Readonly<Record<string, Record<string, string>>> = {
  'the local sign-in provider': { OIDC_ISSUER: '' },
  'the sample network': { SAMPLE: '300' },
  'an address without TLS': { PUBLIC_URL: 'http://homeroom.school.example' },
  'no SECRET_KEY': { SECRET_KEY: '' },
  'a SECRET_KEY of one character': { SECRET_KEY: 'a'.repeat(40) },
  'a SECRET_KEY that repeats itself': { SECRET_KEY: '0123456789abcdef'.repeat(2) },
  'an example’s SECRET_KEY': { SECRET_KEY: 'change-me-to-32-characters-or-more!' },
  'no OIDC_CLIENT_SECRET': { OIDC_CLIENT_SECRET: '' },
  'a weak METRICS_TOKEN': { METRICS_TOKEN: 'x'.repeat(16) },
}

const isRefused = (environment: Record<string, string>): boolean => {
  try {
    readConfiguration(environment)
    return false
  } catch (error) {
    return error instanceof ConfigurationError && error.mistakes.length === 1
  }
}

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
  // These are read from the database for each request; most others are read from memory, or once for all who ask at the same moment.
  await sql`lock table favorite, charter_affair in access exclusive mode`.execute(transaction)
  const sendMany = (count: number, path: string): Promise<HttpResponse | undefined>[] =>
    Array.from({ length: count }, () => client.send('GET', path, { headers }).catch(() => undefined))
  const waiting = sendMany(requests, '/api/favourites')
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

const ROUNDS = 2

if (import.meta.main)
  await runProof('operations', async ({ log, report, expectEqual, expectAtMost }) => {
    const refused = Object.values(MISTAKES).filter((wrong) => isRefused({ ...PRODUCTION, ...wrong }))
    report('mistakes in the configuration of a production start', Object.keys(MISTAKES).length)
    expectEqual('of them not refused in one line each', Object.keys(MISTAKES).length - refused.length, 0)
    expectEqual('a valid configuration refused', Number(isRefused(PRODUCTION)), 0)

    let text = ''
    const unusedAddress = `127.0.0.1:${await getFreePort()}`
    const began = Date.now()
    const code = await doctorCommand({
      environment: {
        ...PRODUCTION,
        PUBLIC_URL: `http://127.0.0.1:${await getFreePort()}`,
        OIDC_ISSUER: `http://${unusedAddress}`,
        DATABASE_URL: `postgres://homeroom:Zq81-secret@${unusedAddress}/homeroom`,
        SMTP_URL: `smtp://homeroom:Zq81-secret@${unusedAddress}`,
        HR_URL: `postgres://homeroom:Zq81-secret@${unusedAddress}/hr`,
        GRAPH_URL: `http://${unusedAddress}/v1.0`,
        DATA_DIR: '/dev/null/data',
      },
      out: { write: (more) => (text += more) },
    })
    const wrong = text.split('\n').filter((line) => line.startsWith('WRONG'))
    expectEqual('services that are down and found by the doctor', new Set(wrong.map((line) => line.slice(6).split(':')[0])).size, 6)
    expectEqual('the exit code of the doctor then', code, 1)
    expectEqual('secrets the doctor printed', Number(/Zq81|q7~Zr|8Jx2m/.test(text)), 0)
    expectAtMost('the doctor took', (Date.now() - began) / 1000, 30, 's')

    const stops: Awaited<ReturnType<typeof testShutdown>>[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      stops.push(await testShutdown({ drainSeconds: 2, requests: 6, downloads: 2 }))
      log(`      ${round} of ${ROUNDS} servers stopped`)
    }
    type Count = Exclude<keyof (typeof stops)[number], 'exitCode' | 'seconds'>
    const sum = (name: Count): number => stops.reduce((all, stop) => all + stop[name], 0)
    report('servers stopped by SIGTERM while busy', `${ROUNDS}, each with 6 requests and 2 downloads that waited`)
    report('requests to them while they drained', sum('requestsWhileDraining'))
    expectEqual('of these not answered', sum('refusedEarly'), 0)
    expectEqual('of these answered as ready by /readyz', sum('readyWhileDraining'), 0)
    expectEqual('open requests that were not answered', sum('unanswered'), 0)
    expectEqual('responses without Connection: close', sum('withoutClose'), 0)
    expectEqual('downloads that were cut off', sum('cutDownloads'), 0)
    expectEqual('exit codes other than 0', stops.filter(({ exitCode }) => exitCode !== 0).length, 0)

    const stuck = await testShutdown({ drainSeconds: 0, requests: 2, downloads: 0, isStuck: true, stopSeconds: 2 })
    expectEqual('the exit code despite requests that never end', stuck.exitCode ?? -1, 0)
    report('it ended after', `${stuck.seconds.toFixed(1)} s, with STOP_SECONDS=2`)
  })
