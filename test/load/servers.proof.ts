// Two servers on one database, under a steady load of saves and reads for ten minutes: each save is stored exactly once, no user reads a record
// older than their own save, and the other server follows. Then records are merged, archived and erased at one and read at the other, past days
// compared, and a dossier made by one downloaded from the other. `--minutes N` for a shorter run.
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { createRandom } from '../../sample/random.ts'
import { getLastChange, startDatabase } from '../support/database.ts'
import { type HttpClient, openHttpClient } from '../support/http-requests.ts'
import { readNumberOptions, runProof } from '../support/proof.ts'
import { runAtRate } from '../support/run-at-rate.ts'
import { startServer } from '../support/server.ts'
import { signInAt } from '../support/sessions.ts'
import { findLostSaves, findRepeatedSaves } from '../support/writers/consistency.ts'
import type { AcknowledgedSave } from '../support/writers/writers.ts'
import { callAs, type CallServer, comparePastDay, followLives, verifyDossierOfOther } from './servers/lives.ts'

const SITES = 200
const WRITERS = 20
const SAVES_A_SECOND = 40
const READS_A_SAVE = 4
/** Every this many saves, one is looked up on the other server. */
const FOLLOW_EVERY = 20
const MAX_DELAY_MS = 1000
/** How many pairs of people are merged, archived and erased. */
const LIVES = 12
const { minutes } = readNumberOptions({ minutes: 10 })

interface Site {
  readonly _id: string
  readonly version: number
  readonly address: { readonly phone: string | null }
}

await runProof('servers', async ({ log, report, expectEqual, expectNone, expectAtMost }) => {
  await using database = await startDatabase({ durable: true })
  await using first = await startServer({ DATABASE_URL: database.url, SAMPLE: String(SITES) })
  await using second = await startServer({ DATABASE_URL: database.url, PUBLIC_URL: first.url, SAMPLE: 'none' })
  using firstClient = openHttpClient(first.url, { maxSockets: 100 })
  using secondClient = openHttpClient(second.url, { maxSockets: 100 })
  const servers = [firstClient, secondClient] as const
  const { db } = first
  const failures: string[] = []

  const { host } = new URL(first.url)
  const send = async (server: HttpClient, method: string, path: string, headers: Record<string, string>, body?: object) => {
    const response = await server.send(method, path, { headers: { ...headers, host }, body })
    if (response.status !== 200) throw new Error(`${response.status} ${response.body.slice(0, 200)}`)
    return { request: String(response.headers['x-request-id']), answer: JSON.parse(response.body) as Site & Site[] }
  }

  const writers = await Promise.all(Array.from({ length: WRITERS }, async () => ({ ...(await signInAt(first, 6)).headers })))
  const sites = await db.selectFrom('site').select('_id').orderBy('_id').execute()
  const last = await getLastChange(db)
  const random = createRandom('servers', 1)
  const saves: AcknowledgedSave[] = []
  const newest = new Map<string, Site>()
  let [reads, older, missing, slowest] = [0, 0, 0, 0]

  const follow = async (server: HttpClient, site: Site, headers: Record<string, string>): Promise<void> => {
    const since = performance.now()
    for (;;) {
      const { answer } = await send(server, 'GET', `/locations-api/siteslugprograms/${site._id}`, headers)
      const delay = performance.now() - since
      if (answer.version >= site.version) return void (slowest = Math.max(slowest, delay))
      if (delay > 10 * MAX_DELAY_MS) return void missing++
      await pause(20)
    }
  }
  const save = async (at: number): Promise<void> => {
    const headers = writers[at % WRITERS] ?? {}
    const record = sites[random.int(0, sites.length - 1)]?._id ?? ''
    const [server, other] = random.int(0, 1) === 0 ? servers : [secondClient, firstClient]
    const phone = `${209 + Math.floor(at / 10_000_000)}-${200 + (Math.floor(at / 10_000) % 800)}-${String(at % 10_000).padStart(4, '0')}`
    const sentAt = Date.now()
    const { request, answer } = await send(server, 'PATCH', `/locations-api/sites/${record}`, headers, { address: { phone } })
    const { version } = answer
    const expectedChanges = [{ table: 'site', action: 'update' as const, record, values: { phone }, version }]
    saves.push({ kind: 'a phone number', request, expectedChanges, sentAt, answeredAt: Date.now() })
    if (version > (newest.get(record)?.version ?? 0)) newest.set(record, { _id: record, version, address: { phone } })
    for (let read = 0; read < READS_A_SAVE; read++) {
      const { answer: shown } = await send(server, 'GET', `/locations-api/siteslugprograms/${record}`, headers)
      reads++
      if (shown.version < version || (shown.version === version && shown.address.phone !== phone)) older++
    }
    if (at % FOLLOW_EVERY === 0) await follow(other, answer, headers)
  }

  log(`${SAVES_A_SECOND} saves and ${SAVES_A_SECOND * READS_A_SAVE} reads a second at two servers for ${minutes} minutes …`)
  await runAtRate(Math.round(SAVES_A_SECOND * minutes * 60), SAVES_A_SECOND, (at) =>
    save(at).catch((error: Error) => void failures.push(error.message)),
  )
  const { rows: changes } = await sql<{ count: number }>`
    select count(*)::int as count from change where "table" = 'site' and action = 'update' and _id > ${last}`.execute(db)
  await pause(MAX_DELAY_MS)
  let different = 0
  for (const server of servers) {
    const { answer: list } = await send(server, 'GET', '/locations-api/sites_pop', writers[0] ?? {})
    const shown = new Map(list.map((site) => [site._id, site]))
    for (const { _id, version, address } of newest.values())
      if (shown.get(_id)?.version !== version || shown.get(_id)?.address.phone !== address.phone) different++
  }

  report('Saves, and reads after them', `${saves.length.toLocaleString('en-US')}, ${reads.toLocaleString('en-US')}`)
  for (const [what, all] of Map.groupBy(failures, (message) => message)) report(`Failed: ${what}`, all.length)
  expectEqual('Saves and reads that failed', failures.length, 0)
  expectNone('Saves that are not in the history', await findLostSaves(db, saves))
  expectNone('Saves that are in it twice', await findRepeatedSaves(db))
  expectEqual('Updates in the history without an acknowledged save', (changes[0]?.count ?? 0) - saves.length, 0)
  expectEqual('Reads older than the save before them, at the same server', older, 0)
  expectEqual('Saves missing on the other server after ten seconds', missing, 0)
  expectAtMost('Longest time until the other server had one', Math.round(slowest), MAX_DELAY_MS, 'ms')
  expectEqual('Sites in the lists of the two servers that differ from their last save', different, 0)

  log('Records are merged, archived and erased at one server, and read at the other …')
  const { headers } = await signInAt(first, 1)
  const [here, there] = servers.map(({ send: sendTo }) => callAs(sendTo, { ...headers, host })) as [CallServer, CallServer]
  const { missing: notShown, slowestMs } = await followLives(here, there, LIVES, 10 * MAX_DELAY_MS)
  expectNone('Merges, undos, archivings and erasures that the other server did not show', notShown)
  expectAtMost('Longest time until it showed one', Math.round(slowestMs), MAX_DELAY_MS, 'ms')
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  expectNone('Lists of a past day in which the servers differ', await comparePastDay(here, there, yesterday))
  const { slug } = await db.selectFrom('charter').innerJoin('charter_affair', 'charter_affair.charter', 'charter._id').select('charter.slug').executeTakeFirstOrThrow() // prettier-ignore
  const download = async (path: string) => Buffer.from(await (await fetch(`${second.url}${path}`, { headers })).arrayBuffer())
  const answer = await verifyDossierOfOther(here, there, download, slug)
  expectNone('Dossiers of one server, downloaded from the other, that it does not know', answer === 'unchanged' ? [] : [answer])
})
