// Two servers on one database, under a steady load of saves and reads for ten minutes: each save is stored exactly once, no user reads a record
// older than their own save, and the other server follows. `--minutes N` for a shorter run.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { createRandom } from '../../sample/random.ts'
import { readConfiguration } from '../../src/platform/server/configuration.ts'
import { openConfiguredDatabase } from '../../src/platform/server/database.ts'
import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { toDatabaseUrl } from '../support/database.setup.ts'
import { getFreePort } from '../support/free-port.ts'
import { openHttpClient } from '../support/http-requests.ts'
import { readNumberOptions, runProof } from '../support/proof.ts'
import { startHomeroom } from '../support/server-process.ts'
import { signInAt } from '../support/sessions.ts'
import { createTemporaryFolder, removeFolder } from '../support/temporary-folder.ts'

const SITES = 200
const WRITERS = 20
const SAVES_A_SECOND = 40
const READS_A_SAVE = 4
/** Every this many saves, one is looked up on the other server. */
const LOOKED_FOR = 20
const MAX_DELAY_MS = 1000
const { minutes } = readNumberOptions({ minutes: 10 })

interface Site {
  readonly _id: string
  readonly version: number
  readonly address: { readonly phone: string | null }
}

await runProof('servers', async ({ log, report, expectEqual, expectAtMost }) => {
  const folder = await createTemporaryFolder()
  const database = await startPrivateDatabase({ dataDir: join(folder, 'database'), as: 'guest', writeLine: () => {} })
  const DATABASE_URL = toDatabaseUrl(database.connection)
  const ports = [await getFreePort(), await getFreePort()] as const
  const dataDirs = ports.map((port) => join(folder, String(port)))
  for (const dataDir of dataDirs) await mkdir(dataDir)
  const PUBLIC_URL = `http://127.0.0.1:${ports[0]}`
  const environments = ports.map((port, at) => ({
    DATABASE_URL,
    PUBLIC_URL,
    PORT: String(port),
    DATA_DIR: dataDirs[at] ?? '',
    SAMPLE: at === 0 ? String(SITES) : 'none',
    LOG_LEVEL: 'error',
  }))
  const servers = []
  for (const environment of environments) {
    const server = startHomeroom(environment)
    await server.waitForLine(/^Ready: /m)
    servers.push(server)
  }
  const configuration = readConfiguration({ ...environments[0], SAMPLE: 'none' })
  const opened = await openConfiguredDatabase(configuration, 'guest', () => {})
  const clients = ports.map((port) => openHttpClient(`http://127.0.0.1:${port}`, { maxSockets: 100 }))
  const failures = new Map<string, number>()

  const send = async (server: 0 | 1, method: string, path: string, headers: Record<string, string>, payload?: object): Promise<unknown> => {
    const options = { headers: { ...headers, host: new URL(PUBLIC_URL).host }, body: payload }
    const { status, body } = await clients[server]!.send(method, path, options)
    if (status !== 200) throw new Error(`${status} ${body.slice(0, 200)}`)
    return JSON.parse(body)
  }

  try {
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, async () => ({ ...(await signInAt({ db: opened.db, configuration }, 6)).headers })),
    )
    const { rows: sites } = await sql<{ _id: string; slug: string }>`select _id, slug from site order by _id`.execute(opened.db)
    const { rows: start } = await sql<{ last: string }>`select coalesce(max(_id), 0)::text as last from change`.execute(opened.db)
    const random = createRandom('servers', 1)
    const saved: { readonly site: string; readonly phone: string; readonly version: number }[] = []
    let [reads, older, missing, slowest] = [0, 0, 0, 0]

    const follow = async (server: 0 | 1, site: Site, headers: Record<string, string>): Promise<void> => {
      const since = performance.now()
      for (;;) {
        const { version } = (await send(server, 'GET', `/locations-api/siteslugprograms/${site._id}`, headers)) as Site
        const delay = performance.now() - since
        if (version >= site.version) return void (slowest = Math.max(slowest, delay))
        if (delay > 10 * MAX_DELAY_MS) return void missing++
        await pause(20)
      }
    }
    const save = async (at: number): Promise<void> => {
      const headers = writers[at % WRITERS] ?? {}
      const site = sites[random.int(0, sites.length - 1)]?._id ?? ''
      const server = random.int(0, 1) === 0 ? 0 : 1
      const phone = `${209 + Math.floor(at / 10_000_000)}-${200 + (Math.floor(at / 10_000) % 800)}-${String(at % 10_000).padStart(4, '0')}`
      const answer = (await send(server, 'PATCH', `/locations-api/sites/${site}`, headers, { address: { phone } })) as Site
      saved.push({ site, phone, version: answer.version })
      for (let read = 0; read < READS_A_SAVE; read++) {
        const shown = (await send(server, 'GET', `/locations-api/siteslugprograms/${site}`, headers)) as Site
        reads++
        if (shown.version < answer.version || (shown.version === answer.version && shown.address.phone !== phone)) older++
      }
      if (at % LOOKED_FOR === 0) await follow(server === 0 ? 1 : 0, answer, headers)
    }

    log(`${SAVES_A_SECOND} saves and ${SAVES_A_SECOND * READS_A_SAVE} reads a second at two servers for ${minutes} minutes …`)
    const pending = new Set<Promise<void>>()
    const startedAt = performance.now()
    const all = Math.round(SAVES_A_SECOND * minutes * 60)
    for (let at = 0; at < all; at++) {
      await pause(Math.max(0, startedAt + (at * 1000) / SAVES_A_SECOND - performance.now()))
      const work = save(at).catch((error: Error) => void failures.set(error.message, (failures.get(error.message) ?? 0) + 1))
      pending.add(work)
      void work.finally(() => pending.delete(work))
    }
    await Promise.all(pending)

    const { rows: kept } = await sql<{ record: string; phone: string; version: number }>`
      select record, after ->> 'phone' as phone, (after ->> 'version')::integer as version
      from change where "table" = 'site' and action = 'update' and _id > ${start[0]?.last ?? '0'}::bigint`.execute(opened.db)
    const counts = new Map<string, number>()
    for (const { record, phone } of kept) counts.set(`${record} ${phone}`, (counts.get(`${record} ${phone}`) ?? 0) + 1)
    const timesReached = saved.map(({ site, phone }) => counts.get(`${site} ${phone}`) ?? 0)
    const last = new Map<string, (typeof saved)[number]>()
    for (const one of saved) if (one.version > (last.get(one.site)?.version ?? 0)) last.set(one.site, one)
    await pause(MAX_DELAY_MS)
    let different = 0
    for (const server of [0, 1] as const) {
      const list = (await send(server, 'GET', '/locations-api/sites_pop', writers[0] ?? {})) as Site[]
      const shown = new Map(list.map((site) => [site._id, site]))
      for (const { site, phone, version } of last.values()) {
        const one = shown.get(site)
        if (one?.version !== version || one.address.phone !== phone) different++
      }
    }

    report('Saves, and reads after them', `${saved.length.toLocaleString('en-US')}, ${reads.toLocaleString('en-US')}`)
    for (const [what, count] of failures) report(`Failed: ${what}`, count)
    expectEqual(
      'Saves and reads that failed',
      [...failures.values()].reduce((sum, count) => sum + count, 0),
      0,
    )
    expectEqual('Saves that are not in the history', timesReached.filter((count) => count === 0).length, 0)
    expectEqual('Saves that are in it twice', timesReached.filter((count) => count > 1).length, 0)
    expectEqual('Changes in the history without a notification', kept.length - saved.length, 0)
    expectEqual('Reads older than the save before them, at the same server', older, 0)
    expectEqual('Saves missing on the other server after ten seconds', missing, 0)
    expectAtMost('Longest time until the other server had one', Math.round(slowest), MAX_DELAY_MS, 'ms')
    expectEqual('Sites in the lists of the two servers that differ from their last save', different, 0)
  } finally {
    for (const client of clients) client.close()
    await opened.stop()
    for (const server of servers) server.child.kill('SIGTERM')
    await Promise.all(servers.map(({ ended }) => ended))
    await database.stop()
    await removeFolder(folder)
  }
})
