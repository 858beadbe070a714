import { setTimeout as pause } from 'node:timers/promises'

import type { Db } from '../../../src/database/connection.server.ts'
import type { Proof } from '../proof.ts'
import { createServer, type Environment, type TestServer } from '../server.ts'
import { checkConsistency, findLostMails } from './consistency.ts'
import { readKnownRecords, type KnownRecords } from './known-records.ts'
import { startWriters, type Writers } from './writers.ts'

/** A server with a sample network, and eight writers. */
export interface NetworkUnderLoad {
  readonly server: TestServer
  readonly records: KnownRecords
  readonly writers: Writers
}

const LEVELS = [1, 2, 3, 4, 5, 5, 5, 5] as const
const MAIL_TIMEOUT_MS = 120_000

/** Starts a server and eight writers on it, and runs `work`; leaves nothing running, whatever happens. */
export const withNetworkUnderLoad = async (environment: Environment, work: (network: NetworkUnderLoad) => Promise<void>): Promise<void> => {
  await using server = await createServer({
    SAMPLE: '12',
    CHANGE_REQUESTS_TO: 'changes@writers.test',
    SESSION_IDLE_MINUTES: '600',
    LOG_LEVEL: 'fatal',
    ...environment,
  })
  // Otherwise its database would keep running.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.prependOnceListener(
      signal,
      () =>
        void server
          .kill()
          .then(() => server.killDatabase())
          .finally(() => process.exit(1)),
    )
  await server.start()
  const people = await Promise.all(LEVELS.map((level) => server.signInAt(level)))
  const records = await readKnownRecords(server.url, people[0]!.headers)
  await using writers = startWriters(people.map(({ headers }) => ({ url: server.url, headers, records })))
  await work({ server, records, writers })
}

/** Stops the writers, and compares what was acknowledged with what is stored. */
export const checkNothingLost = async (proof: Proof, { server, records, writers }: NetworkUnderLoad): Promise<void> => {
  await writers.stop()
  const { tally } = writers
  proof.report('Writers', LEVELS.length)
  proof.report('Saves acknowledged', tally.acknowledged.length)
  proof.report('Kinds of saves among them', new Set(tally.acknowledged.map(({ kind }) => kind)).size)
  proof.report('Saves refused because another one was first (409, 412)', tally.conflicts)
  proof.report('Saves refused under load (503 with Retry-After)', tally.unavailable.length)
  proof.report('Saves cut off with the server', tally.unanswered)
  await server.withDatabase(async (db) => {
    const unsent = await waitForUnsentMails(db)
    const found = await checkConsistency(db, tally.acknowledged, records.pictures)
    proof.report('Records and changes checked', `${found.rows.toLocaleString('en-US')} and ${found.changes.toLocaleString('en-US')}`)
    proof.expectNone('Acknowledged writes lost', [...found.lost, ...(await findLostMails(db, server.environment.DATA_DIR))])
    proof.expectNone('Incomplete records', found.incomplete)
    proof.expectNone('Gaps between records, histories, search and files', found.gaps)
    proof.expectNone('Responses other than 2xx, 409, 412 and 503 with Retry-After', [...tally.wrong, ...tally.broken])
    proof.expectEqual('Mails still unsent', unsent, 0)
  })
}

/** Waits for queued mails; returns how many were not sent. */
export const waitForUnsentMails = async (db: Db): Promise<number> => {
  for (const until = Date.now() + MAIL_TIMEOUT_MS; ; await pause(500)) {
    const { count } = await db
      .selectFrom('mail')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('sentAt', 'is', null)
      .where('failedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (count === 0 || Date.now() > until) return count
  }
}
