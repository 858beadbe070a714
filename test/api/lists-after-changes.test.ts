import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { routes } from '../../src/app/routes.server.ts'
import { setActor, readChangedRecords, type Tx } from '../../src/database/connection.server.ts'
import { ListCache } from '../../src/platform/server/list-cache.ts'
import { ReadModel } from '../../src/platform/server/read-model/read-model.ts'
import { listPeople } from '../../src/records/people/contract.ts'
import { listSites, updateSite } from '../../src/records/sites/contract.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { expectModelOfDatabase } from '../support/read-model.ts'
import { waitUntil } from '../support/wait-until.ts'

// Changes update the read model and the lists row by row. The result of any change must equal that of a server that reloads everything.

const LISTS = routes.flatMap((route) =>
  'list' in route && typeof route.list !== 'function' ? [{ path: route.call.path, source: route.list }] : [],
)

let app: TestApp
const SITES = 150
beforeAll(async () => {
  app = await startApp()
  const { make } = app
  const brand = await make.brand()
  const charters = [await make.charter({ brand: brand._id }), await make.charter({ brand: brand._id })]
  const region = await make.region()
  for (let at = 0; at < SITES; at++) {
    const site = await make.site({ charter: charters[at % 2]?._id ?? '', region: region._id })
    const person = await make.person()
    await make.sitePerson(site._id, at % 3 === 0 ? 'Registrar' : 'Principal', person._id)
  }
}, 60_000)

/** Reads every list as sent by the server, and as built from newly loaded data. */
const readBothWays = async () => {
  const reader = app.as(10)
  const reloaded = new ReadModel(app.context.pool)
  reloaded.isFollowing = true
  const lists = new ListCache(reloaded)
  return Promise.all(
    LISTS.map(async ({ path, source }) => {
      const sent = await reader.request('GET', path, { headers: { 'accept-encoding': 'identity' } })
      const { chunks: pieces } = await (await lists.get(path, source)).getForm('plain')
      return { path, sent: sent.payload, whole: Buffer.concat(pieces).toString() }
    }),
  )
}

const expectWhole = async () => {
  for (const { path, sent, whole } of await readBothWays()) expect(sent === whole, path).toBe(true)
  await app.catchUp()
  await expectModelOfDatabase(app.context)
}

/** Writes like a handler: the lists are invalidated before a response is sent. */
const write = async (work: (tx: Tx) => Promise<unknown>): Promise<void> => {
  const lines = await app.context.db.transaction().execute(async (tx) => {
    await setActor(tx, { account: null, name: 'Test' })
    await work(tx)
    return readChangedRecords(tx)
  })
  await app.context.lists.invalidate(lines)
}
const one = (table: string, at: number) => sql`(select _id from ${sql.table(table)} order by _id limit 1 offset ${at})`

const CHANGES: Record<string, (tx: Tx) => Promise<unknown>> = {
  'a site is renamed and moves in the list': (tx) => sql`update site set "displayName" = 'AAA' where _id = ${one('site', 70)}`.execute(tx),
  'a site takes another charter': (tx) =>
    sql`update site set charter = (select _id from charter where _id <> site.charter limit 1) where _id = ${one('site', 3)}`.execute(tx),
  'a lease ends': (tx) => sql`update facility set lease_end = '2030-01-01' where site = ${one('site', 5)}`.execute(tx),
  'an enrollment record changes': (tx) => sql`update enrollment set about = 'New' where site = ${one('site', 6)}`.execute(tx),
  'a person is renamed': (tx) => sql`update person set name = 'Zoe Last' where _id = ${one('person', 4)}`.execute(tx),
  'a person leaves a site': (tx) => sql`delete from site_person where _id = ${one('site_person', 9)}`.execute(tx),
  'a person gets a role at another site': (tx) =>
    sql`update site_person set site = ${one('site', 40)} where _id = ${one('site_person', 12)}`.execute(tx),
  'a role at a site goes to another person': (tx) =>
    sql`update site_person set person = ${one('person', 33)} where _id = ${one('site_person', 20)}`.execute(tx),
  'a role is renamed': (tx) => sql`update role set name = 'Head' where name = 'Principal'`.execute(tx),
  'a charter is renamed': (tx) => sql`update charter set name = 'Aspen' where _id = ${one('charter', 0)}`.execute(tx),
  'a brand is renamed': (tx) => sql`update brand set "brandName" = 'Maple' where _id = ${one('brand', 0)}`.execute(tx),
  'a region is renamed': (tx) => sql`update region set name = 'North' where _id = (select region from site limit 1)`.execute(tx),
  'a SIS site comes': (tx) => sql`insert into sis_site (name, site) values ('SIS', ${one('site', 8)})`.execute(tx),
  'a SIS site goes to another site': (tx) => sql`update sis_site set site = ${one('site', 9)}`.execute(tx),
  'a program type is given': (tx) =>
    sql`insert into site_program_type (site, program_type) select ${one('site', 10)}, _id from program_type limit 1`.execute(tx),
  'two sites go with everything they have': (tx) =>
    sql`delete from site where _id in (select _id from site order by "displayName" limit 2)`.execute(tx),
  'a person is deleted': async (tx) => {
    await sql`delete from site_person where person = ${one('person', 50)}`.execute(tx)
    await sql`delete from person where _id = ${one('person', 50)}`.execute(tx)
  },
  'everything changes at once': (tx) => sql`update site set "displayName" = "displayName" || ' x'`.execute(tx),
  'nothing changes': (tx) => sql`update site set name = name`.execute(tx),
}

describe('the cached lists equal those of a server that reads everything again', () => {
  test('at first', async () => {
    await expectWhole()
    expect((await readBothWays()).some(({ whole }) => whole.length > SITES)).toBe(true)
  })

  test.each(Object.entries(CHANGES))('after %s', async (_what, change) => {
    await write(change)
    await expectWhole()
  })

  test('after a record is added', async () => {
    const { charter, region } = (await app.context.db.selectFrom('site').select(['charter', 'region']).executeTakeFirst()) ?? {}
    const site = await app.make.site({ charter: charter ?? '', region: region ?? '' })
    await app.make.sitePerson(site._id, 'Registrar', (await app.make.person())._id)
    await expectWhole()
  })

  test.each(Object.entries(CHANGES).slice(0, 12))('after %s again, announced only by the database', async (_what, change) => {
    await readBothWays()
    const changed = new Promise<void>((done) => app.context.lists.onChange(() => done()))
    let lines: string[] = []
    await app.context.db.transaction().execute(async (tx) => {
      await sql`select set_config('homeroom.actor_name', 'Another server', true)`.execute(tx)
      await sql`update site set description = coalesce(description, '') || '.' where _id = ${one('site', 20)}`.execute(tx)
      await change(tx)
      lines = await readChangedRecords(tx)
    })
    expect(lines.length).toBeGreaterThan(0)
    await changed
    await expect.poll(async () => (await readBothWays()).every(({ sent, whole }) => sent === whole), { timeout: 20_000 }).toBe(true)
  })

  test('while many save concurrently, and each reads what it saved', async () => {
    const writer = app.as(6)
    const ids = (await app.context.db.selectFrom('site').select('_id').orderBy('_id').limit(12).execute()).map(({ _id }) => _id)
    const missed: string[] = []
    await Promise.all(
      ids.map(async (_id, worker) => {
        for (let round = 0; round < 6; round++) {
          const displayName = `Center ${'abcdefghijkl'[worker]} ${'uvwxyz'[round]}`
          const saved = await writer.request('PATCH', `/locations-api/sites/${_id}`, { payload: { displayName } })
          expect(saved.statusCode).toBe(200)
          const read = await writer.request('GET', '/locations-api/sites_pop')
          const site = (read.json() as { _id: string; displayName: string }[]).find((one) => one._id === _id)
          if (site?.displayName !== displayName) missed.push(displayName)
        }
      }),
    )
    expect(missed).toEqual([])
    await expectWhole()
  })
})

test('a long list that was just requested is updated after a save, without another request', async () => {
  const { as, make, context } = await startApp()
  const [site, person] = [await make.site(), await make.person()]
  await make.sitePerson(site._id, 'Principal', person._id)
  const reader = as(10)
  await reader.request('GET', listSites.path)
  await reader.request('GET', listPeople.path)
  const { builds } = context.lists
  await as(6).send(updateSite, { params: { id: site._id }, body: { displayName: 'Renamed' } })
  await waitUntil('both lists are updated', () => context.lists.builds === builds + 2)
  const lists = await Promise.all([listSites, listPeople].map(({ path }) => reader.request('GET', path)))
  for (const { body } of lists) expect(body).toContain('Renamed')
  expect(context.lists.builds).toBe(builds + 2)
})

test('a long list that was last requested more than ten seconds ago is updated by the next request, not by a save', async () => {
  const { as, make, context } = await startApp()
  const site = await make.site()
  const rename = (displayName: string) => as(6).send(updateSite, { params: { id: site._id }, body: { displayName } })
  await as(10).request('GET', listSites.path)
  const { builds } = context.lists
  // This update takes a few milliseconds, so the next one would follow within a fraction of a second.
  await rename('Renamed')
  await waitUntil('the list is updated', () => context.lists.builds === builds + 1)
  const later = performance.now() + 11_000
  vi.spyOn(performance, 'now').mockImplementation(() => later)
  onTestFinished(() => void vi.restoreAllMocks())
  await rename('Renamed again')
  await pause(1000)
  expect(context.lists.builds).toBe(builds + 1)
  expect((await as(10).request('GET', listSites.path)).body).toContain('Renamed again')
})
