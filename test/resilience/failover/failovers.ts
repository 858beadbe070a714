import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { type Db, openDatabase } from '../../../src/database/connection.server.ts'
import { readConfiguration } from '../../../src/platform/server/configuration.ts'
import { ListCache } from '../../../src/platform/server/list-cache.ts'
import { ReadModel } from '../../../src/platform/server/read-model/read-model.ts'
import { factories } from '../../support/factories.ts'
import { getFreePort } from '../../support/free-port.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import type { OtherPostgres } from '../../support/other-postgres.ts'
import type { Proof } from '../../support/proof.ts'
import { type RunningProgram, startProgram } from '../../support/server-process.ts'
import { signInAt } from '../../support/sessions.ts'
import { createTemporaryFolder, removeFolder } from '../../support/temporary-folder.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { ResponseLog, type Client, Load } from './load.ts'
import { PostgresPair } from './postgres-pair.ts'

/** The scale: the whole proof, or its quick form. */
export interface Extent {
  readonly attempts: number
  /** How long the load runs before and after each failover. */
  readonly seconds: number
  readonly rounds: readonly ('killed' | 'paused' | 'replaced while it runs')[]
}

const WRITERS = 8
const READERS = 4

interface FailoverSetup {
  readonly pair: PostgresPair
  readonly servers: readonly [Server, Server]
  readonly mails: MailServer
}
interface Server {
  readonly url: string
  readonly program: RunningProgram
}

/** Two servers on a primary and its standby: saves are visible on both, and the primary is lost under load repeatedly, with roles changing. */
export const runFailoverProof = async (proof: Proof, postgres: OtherPostgres, extent: Extent): Promise<void> => {
  const folder = await createTemporaryFolder()
  const ends: (() => Promise<unknown>)[] = [() => removeFolder(folder)]
  try {
    proof.log(`PostgreSQL ${postgres.version}: a primary and a standby`)
    const pair = await PostgresPair.start(postgres)
    ends.push(() => pair.stop())
    const mails = await startMailServer()
    ends.push(() => mails.stop())
    const start = async (name: string): Promise<Server> => {
      const environment = await createEnvironment(pair, mails, join(folder, name))
      const program = startProgram(process.execPath, ['src/main.server.ts'], environment)
      ends.push(async () => {
        program.child.kill('SIGTERM')
        await program.ended
      })
      await program.waitForLine(/^Ready: /m)
      return { url: `http://127.0.0.1:${environment['PORT']}`, program }
    }
    await run(proof, { pair, mails, servers: [await start('one'), await start('two')] }, extent)
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

const createEnvironment = async (pair: PostgresPair, mails: MailServer, dataDir: string): Promise<Record<string, string>> => ({
  PORT: String(await getFreePort()),
  DATABASE_URL: pair.url,
  DATA_DIR: dataDir,
  SAMPLE: 'none',
  SERVE: 'app,locations',
  SMTP_URL: mails.url,
  CHANGE_REQUESTS_TO: 'changes@network.test',
})

const run = async (proof: Proof, setup: FailoverSetup, { attempts, seconds, rounds }: Extent): Promise<void> => {
  const { pair, servers } = setup
  const { db, pool } = openDatabase({ connectionString: pair.primaryUrl }, 2)
  const configuration = readConfiguration({ SAMPLE: 'none' })
  const make = factories({ db, lists: new ListCache(new ReadModel(pool)) })
  const signInClient = async (at: number): Promise<Client> => {
    const { url } = servers[at % 2 === 0 ? 0 : 1]
    return { url, headers: (await signInAt({ db, configuration: { ...configuration, publicUrl: url } }, 1)).headers }
  }
  const brands = await Promise.all(Array.from({ length: WRITERS / 2 }, () => make.brand()))
  const charter = await make.charter({ brand: (await make.brand())._id })
  const region = await make.region()
  const site = await make.site({ charter: charter._id, region: region._id })
  const clients = await Promise.all(Array.from({ length: WRITERS + READERS + 2 }, (_, at) => signInClient(at)))
  const [here, there] = [clients[WRITERS + READERS], clients[WRITERS + READERS + 1]]
  if (!here || !there) throw new Error('Nobody asks')
  const seen = await make.brand()
  await pool.end()

  const reading = new ResponseLog()
  const worst = await measureReplicationDelay(reading, [here, there], seen._id, attempts)
  proof.report('Saves on one of two servers, read on the other', attempts)
  proof.report('Reads of the list there that did not show it yet', reading.succeeded - 2 * attempts)
  proof.expectAtMost('Longest time from the answer to a save to the first read that showed it', Math.round(worst), 1000, 'ms')

  const load = new Load()
  const body = {
    charter: charter._id,
    region: region._id,
    address: { address_1: '1 Main St', city: 'Lodi', zip: '95240', phone: '209-555-0142' },
    enrollment_info: { registrationEmail: ['a@b.example'], interestEmail: ['a@b.example'] },
  }
  for (const [at, client] of clients.slice(0, WRITERS).entries()) {
    const brand = brands[at]
    if (brand) load.edit(client, brand)
    else load.create(client, `Writer ${at} site`, body)
  }
  const paths = ['sites_pop', 'brand', `siteslugprograms/${site.slug}`, 'people', 'sites_pop', `brandview/${seen._id}`].map(
    (path) => `/locations-api/${path}`,
  )
  for (const client of clients.slice(WRITERS, WRITERS + READERS)) load.read(client, [...paths, '/auth', '/readyz', '/api/search?q=site'])

  try {
    for (const [at, how] of rounds.entries()) {
      if (at > 0) {
        proof.log('The old primary is made a standby of the new one')
        await pair.rebuild()
      }
      await pause(seconds * 1000)
      await failPrimary(proof, setup, load, [here, there], seen._id, `${at + 1}: the primary is ${how}`, how)
      await pause(seconds * 1000)
    }
  } finally {
    await load.stop()
  }
  report(proof, load)
  await saveWithoutStandby(proof, pair, here, seen._id)
  await verifyWrites(proof, pair, load)
  for (const { program } of servers) if (program.child.exitCode !== null) throw new Error(`A server ended:\n${program.output()}`)
}

/** Saves on one server and polls the other until it shows the save, alternating; returns the longest delay. */
const measureReplicationDelay = async (
  answers: ResponseLog,
  clients: readonly [Client, Client],
  brand: string,
  attempts: number,
): Promise<number> => {
  let worst = 0
  for (let at = 0; at < attempts; at++) {
    const [one, other] = at % 2 === 0 ? clients : [clients[1], clients[0]]
    worst = Math.max(worst, await saveAndRead(answers, one, other, brand))
    if (answers.succeeded !== answers.sent)
      throw new Error(`Not every answer was good: ${[...answers.unexpected, ...answers.connectionErrors].join('\n')}`)
  }
  return worst
}

/** Saves here and polls the list there; returns the time from the save's response to the start of the first read that shows it. */
const saveAndRead = async (answers: ResponseLog, here: Client, there: Client, brand: string): Promise<number> => {
  const path = `/locations-api/brandview/${brand}`
  const saved = await answers.send<{ version: number }>(here, 'PUT', path, {
    body: { websiteUrl: `https://seen.example/${Math.random()}` },
  })
  if (!saved) return Infinity
  const began = performance.now()
  for (; performance.now() - began < 30_000; await pause(5)) {
    const looked = performance.now()
    const list = await answers.send<{ _id: string; version: number }[]>(there, 'GET', '/locations-api/brand')
    if (!list) return Infinity
    if ((list.find(({ _id }) => _id === brand)?.version ?? 0) >= saved.version) return looked - began
  }
  return Infinity
}

/** One failover: failures in the meantime, and the time until everything works again. */
const failPrimary = async (
  proof: Proof,
  { pair, mails }: FailoverSetup,
  load: Load,
  [here, there]: readonly [Client, Client],
  brand: string,
  name: string,
  how: Extent['rounds'][number],
): Promise<void> => {
  proof.log(`Failover ${name}`)
  if (how === 'killed') await pair.kill()
  if (how === 'paused') pair.pause()
  // A failover manager waits a moment before it promotes the standby.
  await pause(how === 'paused' ? 8000 : 2000)
  await pair.promote()
  const began = performance.now()
  const isSent = async (client: Client): Promise<void> => {
    const correctText = `Mail ${Math.random()}`
    const body = { location: 'Here', correctText }
    await waitUntil('a request is kept', async () =>
      Boolean(await load.reads.send(client, 'POST', '/locations-api/site_send_change', { body })),
    )
    await waitUntil('its mail is sent', async () => mails.received.some(({ text }) => text.includes(correctText)))
  }
  const isThere = async (one: Client, other: Client): Promise<void> => {
    await waitUntil('the server is ready', async () => (await load.reads.send(one, 'GET', '/readyz')) !== undefined)
    await Promise.all([
      isSent(one),
      waitUntil('a save is seen on the other server', async () => (await saveAndRead(load.reads, one, other, brand)) < 1000),
    ])
  }
  await Promise.all([isThere(here, there), isThere(there, here)])
  const took = performance.now() - began
  proof.expectAtMost(
    `Failover ${name}; from the promotion to ready, saves, each seen on the other server, and mails, on both`,
    took / 1000,
    10,
    's',
  )
  if (how !== 'killed') proof.expectEqual(`Failover ${name}; connections to it once it resumes`, await pair.resume(), 0)
}

/** PostgreSQL commits a save whose wait for the standby is canceled, with a warning; it must not be reported as saved. */
const saveWithoutStandby = async (proof: Proof, pair: PostgresPair, here: Client, brand: string): Promise<void> => {
  await pair.waitFor('FIRST 1 (nobody)')
  const saving = fetch(`${here.url}/locations-api/brandview/${brand}`, {
    method: 'PUT',
    headers: { ...here.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ websiteUrl: 'https://alone.example' }),
  })
  await waitUntil('the save waits', async () => (await pair.endWaits()) > 0)
  const answer = await saving
  const isRight =
    answer.status === 503 &&
    Number(answer.headers.get('retry-after')) > 0 &&
    (await answer.text()).includes('may or may not have been saved')
  proof.expectEqual('Saves without the standby that are answered 503, "Your changes may or may not have been saved"', isRight ? 1 : 0, 1)
  await pair.waitFor('')
}

const report = ({ report, expectEqual, expectAtMost, expectAtLeast, log }: Proof, { writes, reads, edits, created, stale }: Load): void => {
  report('Writers and readers meanwhile', `${WRITERS} and ${READERS}`)
  report('Writes sent, reads sent', `${writes.sent}, ${reads.sent}`)
  const slowest = writes.slowestMs > reads.slowestMs ? writes : reads
  log(`      The slowest answer was that of ${slowest.slowest}`)
  // A statement may take 30 seconds, and a new connection 10.
  expectAtMost('Slowest answer', slowest.slowestMs / 1000, 60, 's')
  expectAtLeast('Answers 503 with Retry-After', writes.unavailable + reads.unavailable, 1)
  for (const line of [...writes.unexpected, ...reads.unexpected, ...writes.connectionErrors, ...reads.connectionErrors, ...stale].slice(
    0,
    10,
  ))
    log(`      ${line}`)
  expectEqual('Other failed answers', writes.unexpected.length + reads.unexpected.length, 0)
  expectEqual('Connections refused or broken', writes.connectionErrors.length + reads.connectionErrors.length, 0)
  expectEqual('Lists older than a save that the same server had acknowledged', stale.length, 0)
  expectAtLeast('Writes acknowledged', edits.length + created.length, 1)
}

/** Every acknowledged write is stored with its version and in the history; nothing is partial or duplicated. */
const verifyWrites = async ({ report, expectEqual }: Proof, pair: PostgresPair, { edits, created, writes }: Load): Promise<void> => {
  const { db, pool } = openDatabase({ connectionString: pair.primaryUrl }, 2)
  try {
    const { rows: changes } = await sql<{ record: string; version: number; value: string }>`
      select record, (after->>'version')::int as version, coalesce(after->>'websiteUrl', after->>'displayName') as value
      from change where "table" in ('brand', 'site') and after is not null`.execute(db)
    const kept = new Set(changes.map(({ record, version, value }) => `${record} ${version} ${value}`))
    const lost = [...edits, ...created].filter(({ record, version, value }) => !kept.has(`${record} ${version} ${value}`))
    expectEqual('Acknowledged writes lost', lost.length, 0)
    const ofWriters = changes.filter(({ value }) => /^(https:\/\/brand\.example|Writer )/.test(value))
    const values = new Set(ofWriters.map(({ value }) => value))
    report('Writes answered 503 that were saved nevertheless', values.size - edits.length - created.length)
    expectEqual('Writes done twice', await countDuplicateWrites(db), 0)
    expectEqual('Writes beyond those sent', Math.max(0, values.size - writes.sent), 0)
    expectEqual('Half records', await countIncompleteRecords(db), 0)
  } finally {
    await pool.end()
  }
}

/** Every attempt has a unique text, which may first appear in only one change of one record. */
const countDuplicateWrites = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select coalesce(after->>'websiteUrl', after->>'displayName') from change
      where ("table" = 'brand' and after->>'websiteUrl' like 'https://brand.example/%' and after->>'websiteUrl' is distinct from before->>'websiteUrl')
        or ("table" = 'site' and action = 'insert' and after->>'displayName' like 'Writer %')
      group by 1 having count(*) > 1
    ) as twice`.execute(db)
  return rows[0]?.count ?? -1
}

/** Sites without all of their records, and records that differ from their history or whose versions have gaps. */
const countIncompleteRecords = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with record as (
      select 'site' as "table", _id::text as record, version, to_jsonb(site) as now from site
      union all select 'brand', _id::text, version, to_jsonb(brand) from brand
    ), told as (
      select "table", record, count(*)::int as changes, (array_agg(after order by _id desc))[1] as last
      from change where "table" in ('site', 'brand') group by 1, 2
    )
    select (select count(*) from site where not exists (select from facility where facility.site = site._id)
        or not exists (select from enrollment where enrollment.site = site._id))::int
      + (select count(*) from record left join told using ("table", record)
        where told.changes is distinct from record.version or (told.last->>'version')::int is distinct from record.version)::int as count`.execute(
    db,
  )
  return rows[0]?.count ?? -1
}
