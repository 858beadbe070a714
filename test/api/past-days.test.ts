import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

import { createRandom } from '../../sample/random.ts'
import { calls } from '../../src/app/routes.server.ts'
import { type Call, type ResponseOf, takesDay } from '../../src/contract/call.ts'
import { formatDay, toIsoDay } from '../../src/contract/dates.ts'
import { setActor } from '../../src/database/connection.server.ts'
import { undoChangeset, undoSaves } from '../../src/features/changing/changesets/contract.ts'
import { readAffairPastDays, readPastDays } from '../../src/features/finding/past-days/contract.ts'
import { search } from '../../src/features/finding/search/contract.ts'
import { listSites, readSite } from '../../src/records/sites/contract.ts'
import { type SignedInCaller, startApp, type TestApp } from '../support/app.ts'
import { listReadPaths, readKnownValues } from '../support/read-paths.ts'

const WRITES = process.env['TEST_ALL'] === '1' ? 10_000 : 800
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-15', '2026-07-04']
const SITES = 20

/** Reads with tests of their own: searches find the best of many matches, and the days of a record are those of today. */
const OTHERS: readonly Call[] = [search, readPastDays, readAffairPastDays]
/** Reads of the directory, and of charter affairs, that answer with JSON. */
const READS = calls.filter(
  (call) => takesDay(call) && typeof call.response !== 'string' && !OTHERS.includes(call) && call.path !== '/openapi.json',
)

type Snapshots = ReadonlyMap<string, ReadonlyMap<string, unknown>>
/** A request sent by a form. */
type Write = readonly [method: 'PATCH' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object]

/** From now on, each transaction is of a moment of this day: the triggers read it where they otherwise read a setting of the transaction. */
const setDay = async ({ context: { pool } }: TestApp, day: string): Promise<void> => {
  const at = `timestamptz '${day}T20:00:00Z' + (pg_current_xact_id()::text::bigint % 10000000) * interval '1 ms'`
  await pool.query(`create or replace function setting_or_null(name text) returns text language sql stable as $$
    select case name when 'homeroom.at' then (${at})::text else nullif(current_setting(name, true), '') end $$`)
}

/** One of the first sites is never archived or merged into another, so that there is one to compare with each day. */
let lasting = ''
const makeNetwork = async ({ make, context }: TestApp) => {
  const brands = [await make.brand(), await make.brand()]
  const charters = await Promise.all(brands.map(({ _id: brand }) => make.charter({ brand })))
  const regions = await context.db.selectFrom('region').select('_id').orderBy('name').execute()
  for (let at = 0; at < SITES; at++) await make.site({ charter: charters[at % 2]?._id ?? '', region: regions[0]?._id ?? '' })
  for (let at = 0; at < SITES; at++) await make.person()
  lasting = (await context.db.selectFrom('site').select('_id').executeTakeFirstOrThrow())._id
}

/** Gives sites new addresses, as an import does; the former ones lead to them. */
const renameAddresses = async ({ context: { db } }: TestApp): Promise<void> => {
  await sql`insert into former_slug ("table", slug, record) select 'site', lower(slug), _id from site where "archivedAt" is null`.execute(
    db,
  )
  await db.transaction().execute(async (tx) => {
    await setActor(tx, { account: null, name: 'Import' })
    await sql`update site set slug = 'new-' || slug where "archivedAt" is null`.execute(tx)
  })
}

/** Sends random changes of every kind of record and of their parts, checks and undos. */
const changeAtRandom = async ({ context }: TestApp, caller: SignedInCaller, random: ReturnType<typeof createRandom>, count: number) => {
  const answers = new Map<string, number>()
  for (let at = 0; at < count; at++) {
    const { db } = context
    const pickFrom = async (
      table: 'site' | 'person' | 'charter' | 'brand' | 'region' | 'role' | 'program_type' | 'sis_site',
    ): Promise<string> => {
      const { rows: all } = await sql<{ _id: string }>`
        select _id from ${sql.table(table)} as t where to_jsonb(t) -> 'archivedAt' is null or to_jsonb(t) -> 'archivedAt' = 'null' order by _id`.execute(
        db,
      )
      return all[random.int(0, all.length - 1)]?._id ?? 'none'
    }
    const pickArchivedSite = async (): Promise<string> => {
      const all = await db.selectFrom('site').select('_id').where('archivedAt', 'is not', null).orderBy('_id').execute()
      return all[random.int(0, Math.max(0, all.length - 1))]?._id ?? 'none'
    }
    const toMerge = async (kind: 'site' | 'person' | 'charter') => {
      const all = await db.selectFrom(kind).select(['_id', 'version']).where('archivedAt', 'is', null).orderBy('_id').execute()
      const [keep, merge] = [all[random.int(0, all.length - 1)], all.filter(({ _id }) => _id !== lasting)[random.int(0, all.length - 2)]]
      return { kind, keep: keep?._id, merge: merge?._id, version: keep?.version, mergedVersion: merge?.version }
    }
    const name = `Center ${[...String(random.int(0, 999_999))].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
    const phone = `209-555-${String(random.int(0, 9999)).padStart(4, '0')}`
    const [site, person, charter, brand] = [
      await pickFrom('site'),
      await pickFrom('person'),
      await pickFrom('charter'),
      await pickFrom('brand'),
    ]
    const role = await pickFrom('role')
    const member = (await db.selectFrom('authorizer_board_member').select('_id').limit(1).execute())[0]?._id ?? 'none'
    const writes: Write[] = [
      ['PATCH', `/locations-api/sites/${site}`, { displayName: name }],
      ['PATCH', `/locations-api/sites/${site}`, { address: { phone } }],
      ['PATCH', `/locations-api/sites/${site}`, { charter, region: await pickFrom('region') }],
      ['PATCH', `/locations-api/site_fac_updates/${site}`, { county: name }],
      ['PATCH', `/locations-api/site_enroll_updates/${site}`, { programTypes: [await pickFrom('program_type')] }],
      ['POST', `/locations-api/site_people/${site}`, { person, role_match: role }],
      ['PATCH', `/locations-api/site_remove_staff/${site}`, { person_id: person, role_id: role }],
      ['PUT', `/locations-api/people/${person}`, { name }],
      ['PUT', `/locations-api/people/${person}`, { phone }],
      ['POST', '/locations-api/people', { name, email: `${name.replace(' ', '')}${at}@factory.test` }],
      ['PUT', `/locations-api/charterview/${charter}`, { name }],
      ['PUT', `/locations-api/brandview/${brand}`, { brandName: name }],
      ['POST', '/locations-api/sis', { name, site }],
      ['DELETE', `/locations-api/sis/${await pickFrom('sis_site')}`],
      [
        'POST',
        '/locations-api/site',
        {
          displayName: name,
          name,
          charter,
          region: await pickFrom('region'),
          category: 'Resource Center',
          status: 'ACTIVE',
          address: {},
          enrollment_info: {},
        },
      ],
      ['PUT', `/locations-api/charter_affair/${charter}`, { overview: { cds_code: String(random.int(1e13, 9e13)) } }],
      ['POST', `/locations-api/charter_affair/${charter}/member`, { board_member_name: name }],
      ['PUT', `/locations-api/charter_affair/${charter}/member`, { _id: member, board_position: name }],
      ['DELETE', `/locations-api/charter_affair/${charter}/member/${member}`],
      ['POST', `/locations-api/charter_affair/${charter}/district`, { center_name: name }],
      ['POST', '/api/checks', { kind: 'site', _id: site }],
      ['POST', '/api/checks', { kind: 'person', _id: person }],
      ['DELETE', `/api/checks/site/${site}`],
      ['POST', `/api/people/${person}/leaving`, {}],
      ['POST', '/api/merges', await toMerge('person')],
      ['POST', '/api/merges', await toMerge((['person', 'site', 'charter'] as const)[random.int(0, 2)] ?? 'person')],
      ['POST', '/api/archive', { kind: 'person', _id: person, reason: name }],
      ['POST', '/api/archive', { kind: 'site', _id: site === lasting ? 'none' : site, reason: name }],
      ['DELETE', `/api/archive/site/${await pickArchivedSite()}`],
      ['DELETE', `/api/archive/person/${person}`],
      ['DELETE', `/api/archive/site/${site}`],
    ]
    const [method, url, payload] = writes[random.int(0, writes.length - 1)] as Write
    const saved = await caller.request(method, url, payload ? { payload } : {})
    const key = `${method} ${url.replace(/[0-9a-f-]{20,}/g, ':id')}`
    if (saved.statusCode < 300) answers.set(key, (answers.get(key) ?? 0) + 1)
    const id = saved.headers['x-request-id']
    const { changeset } = url === '/api/merges' && saved.statusCode === 200 ? saved.json() : { changeset: null }
    // Where rows of a record moved away and back, the time of its last change is that of the one before.
    const hasRows = payload !== undefined && 'kind' in payload && payload.kind !== 'person'
    if (changeset && !hasRows && random.int(0, 2) === 0) await caller.trySend(undoChangeset, { params: { id: changeset._id }, body: {} })
    if (saved.statusCode < 300 && method === 'PATCH' && random.int(0, 9) === 0)
      await caller.trySend(undoSaves, { body: { saves: [String(id)] } })
  }
  return answers
}

/** Gives sites that were there on every day, and are still, another name, phone number and principal: what differs does not depend on chance. */
const changeRemaining = async ({ context: { db }, make }: TestApp, caller: SignedInCaller, taken: Snapshots): Promise<void> => {
  const principal = await make.person()
  const role = await db.selectFrom('role').select('_id').where('name', '=', 'Principal').executeTakeFirstOrThrow()
  const sites = taken.get(DAYS[0] ?? '')?.get('/locations-api/sites_pop') as { _id: string }[]
  for (const [at, { _id }] of sites.entries()) {
    await caller.request('DELETE', `/api/archive/site/${_id}`)
    const row = await db.selectFrom('site').select('mergedInto').where('_id', '=', _id).executeTakeFirstOrThrow()
    if (row.mergedInto !== null) continue
    const phone = `530-555-${String(at).padStart(4, '0')}`
    await caller.request('PATCH', `/locations-api/sites/${_id}`, { payload: { displayName: `Remaining site ${at}`, address: { phone } } })
    await caller.request('POST', `/locations-api/site_people/${_id}`, { payload: { person: principal._id, role_match: role._id } })
  }
}

/** What every read answers at present, by path. */
const readAll = async ({ context: { db } }: TestApp, caller: SignedInCaller) => {
  const known = await readKnownValues(db)
  const paths = READS.flatMap((call) => [...listReadPaths(call, known)])
  const answers = await Promise.all(paths.map(async (path) => [path, (await caller.request('GET', path)).json()] as const))
  return new Map<string, unknown>(answers)
}

const withDay = (path: string, day: string): string => `${path}${path.includes('?') ? '&' : '?'}on=${day}`

let net: TestApp
beforeAll(async () => {
  net = await startApp()
})

describe('after changes of four days', () => {
  let snapshots: Snapshots
  const changes = new Map<string, number>()

  beforeAll(async () => {
    const caller = net.as(1)
    const random = createRandom('past days', 1)
    const taken = new Map<string, ReadonlyMap<string, unknown>>()
    for (const [at, day] of DAYS.entries()) {
      await setDay(net, day)
      if (at === 0) await makeNetwork(net)
      const made = await changeAtRandom(net, caller, random, WRITES / DAYS.length)
      for (const [call, count] of made) changes.set(call, (changes.get(call) ?? 0) + count)
      taken.set(day, await readAll(net, caller))
    }
    await setDay(net, '2026-11-01')
    await renameAddresses(net)
    await changeAtRandom(net, caller, random, WRITES / DAYS.length)
    await changeRemaining(net, caller, taken)
    snapshots = taken
  }, 600_000)

  test('changes of every kind were made', () => {
    expect([...changes.keys()].length).toBeGreaterThanOrEqual(18)
    expect(changes.get('POST /api/merges')).toBeGreaterThan(1)
  })

  test.each(DAYS)('every read of the end of %s answers as it did then, field by field', { timeout: 300_000 }, async (day) => {
    const caller = net.as(1)
    const snapshot = snapshots.get(day) ?? new Map()
    expect(snapshot.size).toBeGreaterThan(100)
    for (const [path, answer] of snapshot) {
      const read = await caller.request('GET', withDay(path, day))
      expect(read.json(), path).toEqual(answer)
    }
  })

  test('a day without changes shows those before it', async () => {
    const caller = net.as(10)
    const path = '/locations-api/sites_pop'
    const between = await caller.request('GET', withDay(path, '2026-05-05'))
    expect(between.json()).toEqual(snapshots.get('2026-03-15')?.get(path))
  })

  test('a search finds the records of that day by their names of that day', async () => {
    const caller = net.as(10)
    const sites = snapshots.get('2026-03-01')?.get('/locations-api/sites_pop') as { _id: string; displayName: string }[]
    const now = new Map((await caller.send(listSites)).map(({ _id, displayName }) => [_id, displayName]))
    const renamed = sites.find(({ _id, displayName }) => displayName.startsWith('Center') && now.get(_id) !== displayName)
    expect(renamed).toBeDefined()
    const { groups } = await caller.send(search, { query: { q: renamed?.displayName ?? '', on: '2026-03-01' } })
    expect(groups[0]?.hits[0]).toMatchObject({ _id: renamed?._id, name: renamed?.displayName })
  })

  test('a search that names a day finds the records of that day, and says so', async () => {
    const caller = net.as(10)
    const sites = snapshots.get('2026-03-15')?.get('/locations-api/sites_pop') as { _id: string; displayName: string }[]
    const now = new Map((await caller.send(listSites)).map(({ _id, displayName }) => [_id, displayName]))
    const renamed = sites.find(({ _id, displayName }) => displayName.startsWith('Center') && now.get(_id) !== displayName)
    const name = renamed?.displayName ?? ''
    const named = await caller.send(search, { query: { q: `${name} March 2026` } })
    expect(named).toMatchObject({ on: '2026-03-31', query: `${name} March 2026` })
    expect(named.groups[0]?.hits[0]).toMatchObject({ _id: renamed?._id, name })
    expect(await caller.send(search, { query: { q: name } })).toMatchObject({ on: null })
  })

  test('a list of that day is downloaded with its names and numbers, and its file is named after the day', async () => {
    const caller = net.as(10)
    const sites = snapshots.get('2026-03-01')?.get('/locations-api/sites_pop') as ResponseOf<typeof listSites>
    const file = await caller.request('POST', '/api/exports/list?on=2026-03-01', {
      payload: { list: 'sites', format: 'csv', columns: ['name', 'phone'] },
    })
    expect(file.statusCode).toBe(200)
    expect(file.headers['content-disposition']).toContain('03-01-2026_11')
    const lines = file.body.trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.replaceAll('"', '').split(',')[0]).toSorted()).toEqual(
      sites.map(({ displayName }) => displayName).toSorted(),
    )
  })

  test.each(DAYS)('each record of %s lists exactly the fields that differ today', async (day) => {
    const caller = net.as(10)
    const before = snapshots.get(day)?.get('/locations-api/sites_pop') as ResponseOf<typeof listSites>
    const now = new Map((await caller.send(listSites)).map((site) => [site._id, site]))
    const holders = ({ people }: (typeof before)[number]) => Map.groupBy(people, ({ role_match }) => role_match.name)
    const found = { phones: 0, roles: 0 }
    for (const site of before) {
      const { today, days } = (await caller.request('GET', withDay(`/api/past-days/site/${site._id}`, day))).json<
        ResponseOf<typeof readPastDays>
      >()
      const present = now.get(site._id)
      // Archived, or merged into another one.
      if (!present) continue
      const differs = (path: string) => today.find((one) => one.path === path)
      const pick = ({ displayName, address, facility_info }: typeof site) => ({
        displayName,
        'address.phone': address.phone,
        'facility_info.county': facility_info.county,
      })
      const [then, values] = [Object.entries(pick(site)), Object.values(pick(present))]
      for (const [at, [path, value]] of then.entries())
        expect(differs(path)?.value, path).toEqual(value === values[at] ? undefined : values[at])
      const [rolesThen, rolesNow] = [holders(site), holders(present)]
      const nameAll = (roles: ReturnType<typeof holders>, role: string) =>
        (roles.get(role) ?? []).map(({ person }) => person._id).toSorted()
      const changed = [...new Set([...rolesThen.keys(), ...rolesNow.keys()])].filter(
        (role) => nameAll(rolesThen, role).join() !== nameAll(rolesNow, role).join(),
      )
      const listed = today.filter(({ path }) => path.startsWith('roles.'))
      expect(listed.map(({ label }) => label).toSorted()).toEqual(changed.toSorted())
      if (differs('address.phone')) found.phones++
      found.roles += listed.length
      expect(days.map((one) => one.day).toSorted()).toEqual(days.map((one) => one.day))
    }
    expect(found.phones).toBeGreaterThan(0)
    expect(found.roles).toBeGreaterThan(0)
  })

  test('a charter affair lists what differs today, for who may read it', async () => {
    const day = '2026-03-01'
    const caller = net.as(5)
    const charters = await net.context.db.selectFrom('charter').select('_id').execute()
    let differences = 0
    for (const { _id } of charters) {
      const path = `/locations-api/charter_affair/${_id}`
      const read = (answer: unknown) =>
        (answer as { charter_affair_info: { overview: { cds_code: string | null } }[] }).charter_affair_info[0]?.overview.cds_code ?? null
      const then = read(snapshots.get(day)?.get(path))
      const now = read((await caller.request('GET', path)).json())
      const { today } = (await caller.request('GET', withDay(`/api/past-days/charter_affair/${_id}`, day))).json<
        ResponseOf<typeof readPastDays>
      >()
      expect(today.find((one) => one.path === 'overview.cds_code')?.value ?? null).toBe(then === now ? null : now)
      if (then !== now) differences++
      expect((await net.as(7).request('GET', withDay(`/api/past-days/charter_affair/${_id}`, day))).statusCode).toBe(403)
    }
    expect(differences).toBeGreaterThan(0)
  })

  test('the present address of a site leads to it on a day when it had another', async () => {
    const caller = net.as(10)
    const before = snapshots.get('2026-03-01')?.get('/locations-api/sites_pop') as { _id: string; slug: string }[]
    const now = await caller.send(listSites)
    const moved = now.find(({ _id, slug }) => before.some((site) => site._id === _id && site.slug !== slug))
    expect(moved).toBeDefined()
    const read = await caller.request('GET', `/locations-api/siteslugprograms/${moved?.slug}?on=2026-03-01`)
    expect(read.json()).toMatchObject({ _id: moved?._id, slug: before.find(({ _id }) => _id === moved?._id)?.slug })
  })

  test('a charter affair of a past day needs the same level as today', async () => {
    const charter = (await net.context.db.selectFrom('charter').select('_id').executeTakeFirstOrThrow())._id
    const path = withDay(`/locations-api/charter_affair/${charter}`, '2026-03-01')
    expect((await net.as(10).request('GET', path)).statusCode).toBe(403)
    expect((await net.as(5).request('GET', path)).statusCode).toBe(200)
  })
})

test.each([
  ['2999-01-01', 'The day must not be in the future'],
  ['2026-02-30', 'Must be a day such as 2026-03-01'],
  ['yesterday', 'Must be a day such as 2026-03-01'],
])('the day %s is refused with the reason', async (day, message) => {
  const read = await net.as(10).request('GET', withDay('/locations-api/sites_pop', day))
  expect(read.statusCode).toBe(422)
  expect(read.json()).toMatchObject({ errors: [{ path: 'on', message }] })
})

test('a day before the history says when the history begins', async () => {
  const app = await startApp()
  await app.make.site()
  const { rows } = await sql<{ first: Date }>`select min(at) as first from change`.execute(app.context.db)
  const first = toIsoDay(rows[0]?.first ?? new Date(), app.context.configuration.timeZone)
  const read = await app.as(10).request('GET', withDay('/locations-api/sites_pop', '2001-01-01'))
  expect(read.json()).toMatchObject({ errors: [{ path: 'on', message: `The history begins on ${formatDay(first)}` }] })
})

test('a write with a day changes the present: only reads take one', async () => {
  const { slug } = await net.make.site()
  const site = await net.as(10).send(readSite, { params: { slug } })
  const saved = await net
    .as(6)
    .request('PATCH', withDay(`/locations-api/sites/${site._id}`, '2026-03-01'), { payload: { address: { phone: '209-555-0100' } } })
  expect(saved.statusCode).toBe(200)
})
