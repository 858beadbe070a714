import { setTimeout as pause } from 'node:timers/promises'

import type { Db } from '../../../src/database/connection.server.ts'
import { readConfiguration } from '../../../src/platform/server/configuration.ts'
import { openConfiguredDatabase } from '../../../src/platform/server/database.ts'
import { getFreePort } from '../free-port.ts'
import type { Proof } from '../proof.ts'
import { type RestartableServer, createRestartableServer } from '../restartable-server.ts'
import { signInAt } from '../sessions.ts'
import { checkConsistency, findLostMails, findLostPictures } from './consistency.ts'
import { readKnownRecords, type KnownRecords } from './known-records.ts'
import { startWriters, type Writers } from './writers.ts'

/** A server with a sample network, and eight writers. */
export interface NetworkUnderLoad {
  readonly server: RestartableServer
  readonly records: KnownRecords
  readonly writers: Writers
  /** The environment of the server. */
  readonly environment: Readonly<Record<string, string>> & { readonly PORT: string }
  /** Runs work on its database next to the server. */
  readonly withDatabase: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

const SITES = 12
const LEVELS = [1, 2, 3, 4, 5, 5, 5, 5] as const
const MAILS_LEAVE_WITHIN = 120_000

/** Starts a server on `dataDir` (with the settings in `more`) and eight writers on it, and runs `work`; leaves nothing running, whatever happens. */
export const withNetworkUnderLoad = async (
  dataDir: string,
  work: (network: NetworkUnderLoad) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const environment = {
    PORT: String(await getFreePort()),
    DATA_DIR: dataDir,
    SAMPLE: String(SITES),
    CHANGE_REQUESTS_TO: 'changes@writers.test',
    SESSION_IDLE_MINUTES: '600',
    ...more,
  }
  const configuration = readConfiguration(environment)
  const server = createRestartableServer(environment)
  // Otherwise its database would keep running.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.prependOnceListener(
      signal,
      () =>
        void server
          .kill()
          .then(server.killDatabase)
          .finally(() => process.exit(1)),
    )
  const withDatabase: NetworkUnderLoad['withDatabase'] = async (work) => {
    const { db, stop } = await openConfiguredDatabase(configuration, 'guest', () => {})
    try {
      return await work(db)
    } finally {
      await stop()
    }
  }
  let writers: Writers | undefined
  try {
    await server.start()
    const people = await withDatabase((db) => Promise.all(LEVELS.map((level) => signInAt({ db, configuration }, level))))
    const records = await readKnownRecords(server.url, { ...people[0]?.headers })
    writers = startWriters(
      server.url,
      records,
      people.map(({ headers }) => ({ ...headers })),
    )
    await work({ server, records, writers, environment, withDatabase })
  } finally {
    await writers?.stop()
    await server.stop()
  }
}

/** Stops the writers, and compares what was acknowledged with what is stored. */
export const checkNothingLost = async (
  proof: Proof,
  { records, writers, withDatabase }: NetworkUnderLoad,
  dataDir: string,
): Promise<void> => {
  await writers.stop()
  const { tally } = writers
  proof.report('Writers', LEVELS.length)
  proof.report('Saves acknowledged', tally.acknowledged.length)
  proof.report('Kinds of saves among them', new Set(tally.acknowledged.map(({ kind }) => kind)).size)
  proof.report('Saves refused because another one was first (409, 412)', tally.conflicts)
  proof.report('Saves refused under load (503 with Retry-After)', tally.unavailable)
  proof.report('Saves cut off with the server', tally.unanswered)
  await withDatabase(async (db) => {
    const unsent = await waitForUnsentMails(db)
    const found = await checkConsistency(db, tally.acknowledged)
    const lost = [...found.lost, ...(await findLostPictures(db, records.pictures)), ...(await findLostMails(db, dataDir))]
    proof.report('Records and changes checked', `${found.rows.toLocaleString('en-US')} and ${found.changes.toLocaleString('en-US')}`)
    proof.expectNone('Acknowledged writes lost', lost)
    proof.expectNone('Half records', found.incomplete)
    proof.expectNone('Gaps between records, histories, search and files', found.gaps)
    proof.expectNone('Answers other than 2xx, 409, 412 and 503 with Retry-After', tally.wrong)
    proof.expectEqual('Mails still unsent', unsent, 0)
  })
}

/** Waits for queued mails; returns how many were not sent. */
export const waitForUnsentMails = async (db: Db): Promise<number> => {
  for (const until = Date.now() + MAILS_LEAVE_WITHIN; ; await pause(500)) {
    const { count } = await db
      .selectFrom('mail')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('sentAt', 'is', null)
      .where('failedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (count === 0 || Date.now() > until) return count
  }
}
