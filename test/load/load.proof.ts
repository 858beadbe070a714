// 200 requests a second for ten minutes, 90 % of them reads, on 1,000 sites and 10,000 people: nothing fails, and memory stops growing after two
// minutes. `--minutes N` for a shorter run.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import { type ConstantRateRequest, sendAtConstantRate } from '../../bench/constant-rate.ts'
import { startNetwork } from '../../bench/network.ts'
import { renames } from '../../bench/saves.ts'
import { createRandom } from '../../sample/random.ts'
import { readNumberOptions, runProof } from '../support/proof.ts'
import { startProgram } from '../support/server-process.ts'
import { signInAt } from '../support/sessions.ts'
import { createTemporaryFolder, removeFolder } from '../support/temporary-folder.ts'

const RATE = 200
const READERS = 40
const WRITERS = 10
const SITES_SAVED = 200
const BARE_SECONDS = 60
const SETTLED_MINUTES = 2
const { minutes } = readNumberOptions({ minutes: 10 })
const LISTS = ['sites_pop', 'site_summaries', 'people', 'charters_pop', 'regions_pop', 'brand'] as const
const SEARCHES = ['marisol', 'principal lodi', 'srm michigan', 'lodi', '209-555', 'resource center fresno', 'rosa', 'counselor dayton']

await runProof('load', async ({ log, report, expectEqual, expectAtMost }) => {
  const network = await startNetwork(1000, 10_000, log)
  const folder = await createTemporaryFolder()
  try {
    const { db, configuration, port } = network
    const headersAtLevel = async (level: number) => ({ ...(await signInAt({ db, configuration }, level)).headers })
    const readers = await Promise.all(Array.from({ length: READERS }, () => headersAtLevel(10)))
    const writers = await Promise.all(Array.from({ length: WRITERS }, () => headersAtLevel(6)))
    const named = async (table: 'site' | 'person' | 'charter') =>
      (await sql<{ _id: string; slug: string }>`select _id, slug from ${sql.table(table)} order by _id`.execute(db)).rows
    const [sites, people, charters] = await Promise.all([named('site'), named('person'), named('charter')])
    const saves = renames(sites.slice(0, SITES_SAVED).map(({ _id }) => _id))
    const random = createRandom('load', 1)
    const pick = <T>(all: readonly T[]): T => all[random.int(0, all.length - 1)] as T
    const tags = new Map<string, string>()

    const read = (at: number): Omit<ConstantRateRequest, 'headers'> & { headers?: Record<string, string> } => {
      const share = random.int(1, 90)
      if (share <= 12) {
        const path = `/locations-api/${pick(LISTS)}`
        // Like a browser that already has the list, sends the last ETag it received.
        const key = `${at % READERS} ${path}`
        const tag = tags.get(key)
        return {
          method: 'GET',
          path,
          kind: 'a whole list',
          onTag: (etag) => tags.set(key, etag),
          ...(tag ? { headers: { 'if-none-match': tag } } : {}),
        }
      }
      if (share <= 47) return { method: 'GET', path: `/locations-api/siteslugprograms/${pick(sites).slug}`, kind: 'a site' }
      if (share <= 67) return { method: 'GET', path: `/locations-api/people_sites_slug/${pick(people).slug}`, kind: 'a person' }
      if (share <= 77) return { method: 'GET', path: `/locations-api/charterbyslug/${pick(charters).slug}`, kind: 'a charter' }
      return { method: 'GET', path: `/api/search?q=${encodeURIComponent(pick(SEARCHES))}`, kind: 'a search' }
    }
    const next = (at: number): ConstantRateRequest => {
      if (at % 10 === 0) {
        const { path, body } = saves((at / 10) % SITES_SAVED, at)
        return { method: 'PATCH', path, body, kind: 'a save', headers: writers[(at / 10) % WRITERS] ?? {} }
      }
      const before = read(at)
      return { ...before, headers: { ...readers[at % READERS], 'accept-encoding': 'gzip, deflate, br', ...before.headers } }
    }

    const one = await fetch(`${network.url}/locations-api/siteslugprograms/${sites[0]?.slug ?? ''}`, { headers: network.headers })
    const file = join(folder, 'body')
    await writeFile(file, Buffer.from(await one.arrayBuffer()))
    const bare = startProgram(process.execPath, ['bench/baseline-server.ts', file, ''], {})
    const barePort = Number((await bare.waitForLine(/Port: (\d+)/))[1])
    const beside = await sendAtConstantRate(barePort, RATE, BARE_SECONDS, () => ({ method: 'GET', path: '/', headers: {}, kind: 'bare' }))
    bare.child.kill()

    let settled = 0
    const settledAt = Math.min(SETTLED_MINUTES, minutes / 2) * 60
    log(`${RATE} requests a second for ${minutes} minutes …`)
    const result = await sendAtConstantRate(port, RATE, minutes * 60, next, async (second) => {
      if (second === settledAt) settled = await network.memory()
      if (second > 0 && second % 60 === 0) log(`minute ${second / 60}: ${Math.round(await network.memory())} MB`)
    })
    const memory = await network.memory()

    report('Sites, people', '1,000, 10,000')
    report('Requests a second, and minutes', `${RATE}, ${minutes}`)
    report('Answers', result.responses)
    for (const [what, count] of result.errors) report(`Failed: ${what}`, count)
    expectEqual(
      'Answers of 4xx or 5xx and broken connections',
      [...result.errors.values()].reduce((sum, count) => sum + count, 0),
      0,
    )
    for (const [kind, { p50, p95, p99, count }] of result.times) {
      report(
        kind === 'all' ? 'All of them' : kind,
        `${count.toLocaleString('en-US')} times; half within ${p50} ms, 95 % within ${p95} ms, 99 % within ${p99} ms`,
      )
    }
    const there = beside.times.get('all')
    report(
      'A bare node:http server with the bytes of one site, at the same rate',
      `half within ${there?.p50} ms, 95 % within ${there?.p95} ms`,
    )
    report('Memory after two minutes, and at the end', `${Math.round(settled)} MB, ${Math.round(memory)} MB`)
    expectAtMost('Memory at the end beside that after two minutes', Math.round((memory / settled) * 1000) / 10, 110, '%')
  } finally {
    await network.stop()
    await removeFolder(folder)
  }
})
