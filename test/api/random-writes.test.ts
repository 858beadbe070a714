import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { createRandom } from '../../sample/random.ts'
import { setActor } from '../../src/database/connection.server.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { expectModelOfDatabase } from '../support/read-model.ts'

const WRITERS = 8
const WRITES = process.env['TEST_ALL'] === '1' ? 10_000 : 1_000
const SITES = 60
/** Other servers follow within a second; a busy machine is given more. */
const MAX_DELAY_MS = 10_000

/** A request sent by a form. */
type Write = readonly [method: 'PATCH' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object]

const makeNetwork = async ({ make, context }: TestApp) => {
  const brands = [await make.brand(), await make.brand()]
  const charters = await Promise.all(brands.map(({ _id: brand }) => make.charter({ brand })))
  const regions = await context.db.selectFrom('region').select('_id').orderBy('name').execute()
  const sites = []
  for (let at = 0; at < SITES; at++) sites.push(await make.site({ charter: charters[at % 2]?._id ?? '', region: regions[0]?._id ?? '' }))
  const people = await Promise.all(Array.from({ length: SITES }, () => make.person()))
  const roles = await context.db.selectFrom('role').select('_id').orderBy('name').limit(6).execute()
  const programs = await context.db.selectFrom('program_type').select('_id').execute()
  return { brands, charters, regions, sites, people, roles, programs }
}

test('after random concurrent writes, two servers have every record as it is in the database', { timeout: 300_000 }, async () => {
  const servers = [await startApp()]
  const [first] = servers as [TestApp]
  const network = await makeNetwork(first)
  servers.push(await first.startSecond())
  let count = 0
  const answers = new Map<number, number>()
  const stale: string[] = []

  const toName = (): string => `Center ${[...String(++count)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
  const write = async (writer: number): Promise<void> => {
    const random = createRandom('random writes', writer)
    const callers = servers.map(({ app, as, context }) => ({
      app,
      authority: new URL(context.configuration.publicUrl).host,
      headers: as(1).headers(),
    }))
    for (let round = 0; round < WRITES / WRITERS; round++) {
      const pick = <T>(items: readonly T[]): T => items[random.int(0, items.length - 1)] as T
      const { app, authority, headers } = pick(callers)
      const [site, person, charter, brand] = [pick(network.sites), pick(network.people), pick(network.charters), pick(network.brands)]
      const role = pick(network.roles)._id
      const phone = `209-555-${String(random.int(0, 9999)).padStart(4, '0')}`
      const name = toName()
      const writes: Write[] = [
        ['PATCH', `/locations-api/sites/${site._id}`, { displayName: name }],
        ['PATCH', `/locations-api/sites/${site._id}`, { address: { phone } }],
        ['PATCH', `/locations-api/sites/${site._id}`, { charter: charter._id, region: pick(network.regions)._id }],
        ['PATCH', `/locations-api/sites/${site._id}`, { slug: `site-${writer}-${round}` }],
        ['PATCH', `/locations-api/site_fac_updates/${site._id}`, { county: name }],
        ['PATCH', `/locations-api/site_enroll_updates/${site._id}`, { programTypes: [pick(network.programs)._id] }],
        ['POST', `/locations-api/site_people/${site._id}`, { person: person._id, role_match: role }],
        ['PATCH', `/locations-api/site_remove_staff/${site._id}`, { person_id: person._id, role_id: role }],
        ['PUT', `/locations-api/people/${person._id}`, { name }],
        ['PUT', `/locations-api/people/${person._id}`, { phone }],
        ['POST', '/locations-api/people', { name }],
        ['PUT', `/locations-api/charterview/${charter._id}`, { name }],
        ['PUT', `/locations-api/brandview/${brand._id}`, { brandName: name }],
        ['POST', '/locations-api/sis', { name, site: site._id }],
        ['POST', '/locations-api/site', { displayName: name, charter: charter._id, region: pick(network.regions)._id }],
      ]
      if (random.int(0, 40) === 0) await writeAsProgram(first, site._id, name)
      const [method, url, payload] = pick(writes)
      const saved = await app.inject({ method, url, authority, headers: { ...(await headers) }, ...(payload ? { payload } : {}) })
      answers.set(saved.statusCode, (answers.get(saved.statusCode) ?? 0) + 1)
      if (saved.statusCode !== 200 || !url.startsWith('/locations-api/sites/')) continue
      const { version } = saved.json() as { version: number }
      const read = await app.inject({
        method: 'GET',
        authority,
        url: `/locations-api/siteslugprograms/${site._id}`,
        headers: { ...(await headers) },
      })
      const shown = (read.json() as { version: number }).version
      if (shown < version) stale.push(`${url}: ${shown} after ${version}`)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))

  expect(stale).toEqual([])
  expect([...answers.keys()].filter((status) => status >= 500)).toEqual([])
  expect(answers.get(200)).toBeGreaterThan(WRITES / 2)
  // Without further requests, each server receives what the others wrote.
  for (const { context } of servers)
    await expect
      .poll(() => expectModelOfDatabase(context).catch((error: unknown) => String(error)), { timeout: MAX_DELAY_MS })
      .toBe(undefined)
})

/** Writes directly to the database, like an import or `psql`. */
const writeAsProgram = async ({ context }: TestApp, site: string, description: string): Promise<void> => {
  for (const statement of [
    sql`update site set description = ${description} where _id = ${site}`,
    sql`delete from sis_site where _id = (select _id from sis_site order by _id limit 1)`,
  ])
    await context.db.transaction().execute(async (tx) => {
      await setActor(tx, { account: null, name: 'A program' })
      await statement.execute(tx)
    })
}
