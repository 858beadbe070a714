import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { withConnection } from '../support/database.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { findSystemPostgres } from '../support/other-postgres.ts'
import { type Proof, ProofSkipped, runProof } from '../support/proof.ts'
import { createServer, type TestServer } from '../support/server.ts'
import { signInAt, type SignedInUser } from '../support/sessions.ts'
import { waitUntil } from '../support/wait-until.ts'
import { checkConsistency, findRepeatedSaves } from '../support/writers/consistency.ts'
import { readKnownRecords } from '../support/writers/known-records.ts'
import { type Client, sendAndReadBody } from '../support/writers/requests.ts'
import { type AcknowledgedSave, startWriters, type Tally, type Writer } from '../support/writers/writers.ts'
import { PostgresPair } from './failover/postgres-pair.ts'
import { ResponseLog } from './failover/response-log.ts'

/** The scale: the whole proof, or its quick form. */
interface FailoverOptions {
  readonly attempts: number
  /** How long the load runs before and after each failover. */
  readonly seconds: number
  readonly rounds: readonly ('killed' | 'paused' | 'replaced while it runs')[]
}

const WRITER_LEVELS = [1, 2, 3, 4, 5, 5, 5, 5] as const
const READERS = 4
const PAUSE_BETWEEN_READS_MS = 60

interface FailoverSetup {
  readonly pair: PostgresPair
  readonly mails: MailServer
  /** A user of each of the two servers. */
  readonly users: readonly [Client, Client]
  /** The brand that these users change. */
  readonly brand: string
  readonly writers: readonly Writer[]
  readonly readers: readonly Client[]
}

/** Two servers on a primary and its standby: saves are visible on both, and the primary is lost under load repeatedly, with roles changing. */
export const runFailoverProof = async (proof: Proof, options: FailoverOptions): Promise<void> => {
  const postgres = findSystemPostgres()
  if (!postgres)
    throw new ProofSkipped('there is no PostgreSQL of the system here to make a primary and a standby of (apt-get install postgresql)')
  proof.log(`PostgreSQL ${postgres.version}: a primary and a standby`)
  await using pair = await PostgresPair.start(postgres)
  await using mails = await startMailServer()
  const environment = { DATABASE_URL: pair.url, SMTP_URL: mails.url, CHANGE_REQUESTS_TO: 'changes@network.test' }
  await using one = await createServer({ ...environment, SAMPLE: '12' })
  await one.start()
  await using two = await createServer({ ...environment, SAMPLE: 'none' })
  await two.start()
  const signIn = ({ url, configuration }: TestServer, level: number): Promise<Client & SignedInUser> =>
    withConnection(pair.primary, async (db) => ({ url, ...(await signInAt({ db, configuration }, level)) }))
  const readers = await Promise.all(Array.from({ length: READERS }, (_, at) => signIn(at % 2 === 0 ? one : two, 1)))
  const users = [await signIn(one, 1), await signIn(two, 1)] as const
  const readRecords = () => readKnownRecords(one.url, users[0].headers)
  // A record that one server has created is not on the other one immediately: the writers of each know only their own new ones.
  const [records, recordsOfTwo] = [await readRecords(), await readRecords()]
  const createWriter = async (level: number, at: number) =>
    at % 2 === 0 ? { ...(await signIn(one, level)), records } : { ...(await signIn(two, level)), records: recordsOfTwo }
  const writers = await Promise.all(WRITER_LEVELS.map(createWriter))
  const setup = { pair, mails, users, brand: records.brands[0] ?? '', writers, readers }

  const reading = new ResponseLog()
  const delay = await measureReplicationDelay(reading, setup, options.attempts)
  proof.report('Saves on one of two servers, read on the other', options.attempts)
  proof.report('Reads of the list there that did not show it yet', reading.succeeded - 2 * options.attempts)
  proof.expectAtMost('Longest time from the response to a save to the first read that showed it', Math.round(delay), 1000, 'ms')

  const load = await failUnderLoad(proof, setup, options)
  reportLoad(proof, load)
  await saveWithoutStandby(proof, setup)
  await verifyWrites(proof, pair, load.tally, writers.map(({ account }) => account)) // prettier-ignore
  for (const { isRunning, program } of [one, two]) if (!isRunning) throw new Error(`A server ended:\n${program.output()}`)
}

/** Loses the primary in each way, while writers save, and read each list that they changed, and others read. */
const failUnderLoad = async (proof: Proof, setup: FailoverSetup, { seconds, rounds }: FailoverOptions) => {
  const { brand, writers, readers } = setup
  const reads = new ResponseLog()
  /** Lists older than a save that the same server had acknowledged before. */
  const stale: string[] = []
  const checkList = async (client: Client, { expectedChanges }: AcknowledgedSave): Promise<void> => {
    const saved = expectedChanges.find(({ table, version }) => table === 'site' && version !== undefined)
    if (saved?.version === undefined) return
    const list = await reads.send<{ _id: string; version: number }[]>(client, 'GET', '/locations-api/sites_pop')
    const version = list?.find(({ _id }) => _id === saved.record)?.version ?? 0
    if (list && version < saved.version) stale.push(`version ${version} after ${saved.version}`)
  }
  const lists = ['sites_pop', 'brand', `siteslugprograms/${writers[0]?.records.sites[0]}`, 'people', `brandview/${brand}`]
  const paths = [...lists.map((path) => `/locations-api/${path}`), '/auth', '/readyz', '/api/search?q=site']
  const over = new AbortController()
  const read = async (client: Client): Promise<void> => {
    for (let at = 0; !over.signal.aborted; at++, await pause(PAUSE_BETWEEN_READS_MS))
      await reads.send(client, 'GET', paths[at % paths.length] ?? '/')
  }
  const reading = Promise.all(readers.map(read))
  const writing = startWriters(writers, checkList)
  try {
    for (const [at, how] of rounds.entries()) {
      if (at > 0) {
        proof.log('The old primary is made a standby of the new one')
        await setup.pair.rebuild()
      }
      await pause(seconds * 1000)
      await failPrimary(proof, setup, reads, `${at + 1}: the primary is ${how}`, how)
      await pause(seconds * 1000)
    }
  } finally {
    over.abort()
    await writing.stop()
    await reading
  }
  return { tally: writing.tally, reads, stale }
}

/** Saves on one server and polls the other until it shows the save, alternating; returns the longest delay. */
const measureReplicationDelay = async (answers: ResponseLog, { users, brand }: FailoverSetup, attempts: number): Promise<number> => {
  let longest = 0
  for (let at = 0; at < attempts; at++) {
    const [one, other] = at % 2 === 0 ? users : [users[1], users[0]]
    longest = Math.max(longest, await saveAndRead(answers, one, other, brand))
    if (answers.succeeded !== answers.sent)
      throw new Error(`Not every answer was good: ${[...answers.unexpected, ...answers.connectionErrors].join('\n')}`)
  }
  return longest
}

/** Saves here and polls the list there; returns the time from the save's response to the start of the first read that shows it. */
const saveAndRead = async (answers: ResponseLog, here: Client, there: Client, brand: string): Promise<number> => {
  const body = { websiteUrl: `https://seen.example/${Math.random()}` }
  const saved = await answers.send<{ version: number }>(here, 'PUT', `/locations-api/brandview/${brand}`, body)
  if (!saved) return Infinity
  const savedAt = performance.now()
  for (; performance.now() - savedAt < 30_000; await pause(5)) {
    const readAt = performance.now()
    const list = await answers.send<{ _id: string; version: number }[]>(there, 'GET', '/locations-api/brand')
    if (!list) return Infinity
    if ((list.find(({ _id }) => _id === brand)?.version ?? 0) >= saved.version) return readAt - savedAt
  }
  return Infinity
}

/** One failover: failures in the meantime, and the time until everything works again. */
const failPrimary = async (
  proof: Proof,
  { pair, mails, users: [here, there], brand }: FailoverSetup,
  reads: ResponseLog,
  name: string,
  how: FailoverOptions['rounds'][number],
): Promise<void> => {
  proof.log(`Failover ${name}`)
  if (how === 'killed') await pair.kill()
  if (how === 'paused') pair.pause()
  // A failover manager waits a moment before it promotes the standby.
  await pause(how === 'paused' ? 8000 : 2000)
  await pair.promote()
  const promotedAt = performance.now()
  const waitForMail = async (client: Client): Promise<void> => {
    const body = { location: 'Here', correctText: `Mail ${Math.random()}` }
    await waitUntil('a request is stored', async () => Boolean(await reads.send(client, 'POST', '/locations-api/site_send_change', body)))
    await waitUntil('its mail is sent', () => mails.received.some(({ text }) => text.includes(body.correctText)))
  }
  const waitForServer = async (one: Client, other: Client): Promise<void> => {
    await waitUntil('the server is ready', async () => (await reads.send(one, 'GET', '/readyz')) !== undefined)
    await Promise.all([
      waitForMail(one),
      waitUntil('a save is seen on the other server', async () => (await saveAndRead(reads, one, other, brand)) < 1000),
    ])
  }
  await Promise.all([waitForServer(here, there), waitForServer(there, here)])
  const seconds = (performance.now() - promotedAt) / 1000
  proof.expectAtMost(`Failover ${name}; from the promotion to ready, saves, each seen on the other server, and mails, on both`, seconds, 10, 's') // prettier-ignore
  if (how !== 'killed') proof.expectEqual(`Failover ${name}; connections to it once it resumes`, await pair.resume(), 0)
}

/** PostgreSQL commits a save whose wait for the standby is canceled, with a warning; it must not be reported as saved. */
const saveWithoutStandby = async (proof: Proof, { pair, users: [user], brand }: FailoverSetup): Promise<void> => {
  await pair.waitFor('FIRST 1 (nobody)')
  const saving = sendAndReadBody(user, 'PUT', `/locations-api/brandview/${brand}`, { websiteUrl: 'https://alone.example' })
  await waitUntil('the save waits', async () => (await pair.endWaits()) > 0)
  const { isUnavailable, text } = await saving
  const isRight = isUnavailable && text.includes('may or may not have been saved')
  proof.expectEqual('Saves without the standby that are answered 503, "Your changes may or may not have been saved"', isRight ? 1 : 0, 1)
  await pair.waitFor('')
}

const countSent = ({ acknowledged, conflicts, unavailable, broken, wrong }: Tally): number =>
  acknowledged.length + conflicts + unavailable.length + broken.length + wrong.length

const reportLoad = (proof: Proof, { tally, reads, stale }: Awaited<ReturnType<typeof failUnderLoad>>): void => {
  proof.report('Writers and readers', `${WRITER_LEVELS.length} and ${READERS}`)
  proof.report('Writes sent, reads sent', `${countSent(tally)}, ${reads.sent}`)
  // A statement may take 30 seconds, and a new connection 10.
  proof.expectAtMost('Slowest response', Math.max(tally.slowestMs, reads.slowestMs) / 1000, 60, 's')
  proof.expectAtLeast('Responses 503 with Retry-After', tally.unavailable.length + reads.unavailable, 1)
  proof.expectNone('Other failed responses', [...tally.wrong, ...reads.unexpected])
  proof.expectNone('Connections refused or broken', [...tally.broken, ...reads.connectionErrors])
  proof.expectNone('Lists older than a save that the same server had acknowledged', stale)
  proof.expectAtLeast('Writes acknowledged', tally.acknowledged.length, 1)
}

/** Every acknowledged write is stored with its version and in the history; nothing is partial or duplicated. */
const verifyWrites = (proof: Proof, pair: PostgresPair, tally: Tally, writers: readonly string[]): Promise<void> =>
  withConnection(pair.primary, async (db) => {
    const found = await checkConsistency(db, tally.acknowledged)
    proof.expectNone('Acknowledged writes lost', found.lost)
    const { rows: saved } = await sql<{ unconfirmed: number; all: number }>`
      select count(distinct request) filter (where request = any(${tally.unavailable}))::int as unconfirmed, count(distinct request)::int as all
      from change where actor = any(${writers}::uuid[])`.execute(db)
    proof.report('Writes answered 503 that were saved nevertheless', saved[0]?.unconfirmed ?? 0)
    proof.expectNone('Writes done twice', await findRepeatedSaves(db))
    proof.expectEqual('Writes beyond those sent', Math.max(0, (saved[0]?.all ?? 0) - countSent(tally)), 0)
    proof.expectNone('Incomplete records', [...found.incomplete, ...found.gaps])
  })

if (import.meta.main) {
  const rounds = ['killed', 'killed', 'paused', 'replaced while it runs'] as const
  await runProof('failover', (proof) => runFailoverProof(proof, { attempts: 200, seconds: 8, rounds }))
}
