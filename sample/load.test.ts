import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

import { STATUSES } from '../src/contract/status.ts'
import type { Db } from '../src/database/connection.server.ts'
import { listPermissions } from '../src/features/access/permissions/contract.ts'
import { listBrands } from '../src/records/brands/contract.ts'
import {
  affairSections,
  type CharterAffair,
  districtFields,
  memberFields,
  readCharterAffair,
} from '../src/records/charter-affairs/contract.ts'
import { type Charter, listCharters } from '../src/records/charters/contract.ts'
import { listPeople, listRoles } from '../src/records/people/contract.ts'
import { listRegions } from '../src/records/regions/contract.ts'
import { listSisSites } from '../src/records/sis-sites/contract.ts'
import { listSites, type Site } from '../src/records/sites/contract.ts'
import { FACILITY_TYPES } from '../src/records/sites/fields.ts'
import { startApp, type TestApp } from '../test/support/app.ts'
import { DAY } from './calendar.ts'
import { loadSample } from './load.server.ts'

const NOW = new Date()

const startWith = async (sites: number): Promise<TestApp> => {
  const app = await startApp()
  await loadSample({ db: app.context.db, sites, now: NOW })
  app.context.lists.invalidateAll(true)
  return app
}

const distinct = (values: readonly unknown[]): unknown[] => [...new Set(values)].toSorted()

/** All texts of records, current or in their history. */
const textsOf = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ text: string }>`
    select to_jsonb(t)::text as text from hr_person t
    union all select after::text from change t where after is not null
    union all select before::text from change t where before is not null`.execute(db)
  return rows.map(({ text }) => text).join('\n')
}

describe('the sample network of 300 sites', () => {
  let app: TestApp
  let sites: Site[]
  let charters: Charter[]
  let history: { at: Date; by: string; parent: string; action: string }[]
  let texts: string
  beforeAll(async () => {
    app = await startWith(300)
    // Read before anyone signs in, which adds records.
    history = await app.context.db
      .selectFrom('change')
      .select(['at', 'actorName as by', 'parent', 'action'])
      .where('actorName', '!=', 'Homeroom')
      .orderBy('_id')
      .$narrowType<{ by: string }>()
      .execute()
    texts = await textsOf(app.context.db)
    sites = await app.as(10).send(listSites)
    charters = await app.as(10).send(listCharters)
  }, 300_000)

  test('has 8 brands and 60 charters, five regions with most sites in California', async () => {
    expect(sites).toHaveLength(300)
    expect(charters).toHaveLength(60)
    expect(await app.as(10).send(listBrands)).toHaveLength(8)
    const counts = (await app.as(10).send(listRegions)).map((region) => [region.name, region.sites.length] as const)
    expect(counts).toHaveLength(5)
    for (const [, count] of counts) expect(count).toBeGreaterThan(0)
    expect(counts.toSorted((a, b) => b[1] - a[1])[0]?.[0]).toBe('California')
  })

  test('uses every status, every facility type and all 26 roles', async () => {
    expect(distinct(sites.map(({ status }) => status))).toEqual([...STATUSES].toSorted())
    expect(distinct(charters.map(({ status }) => status))).toEqual([...STATUSES].toSorted())
    expect(distinct(sites.map(({ category }) => category))).toEqual([...FACILITY_TYPES].toSorted())
    const roles = await app.as(10).send(listRoles)
    expect(roles).toHaveLength(26)
    expect(distinct(sites.flatMap(({ people }) => people.map(({ role_match }) => role_match._id)))).toEqual(
      distinct(roles.map(({ _id }) => _id)),
    )
  })

  test('has ten people per site on average: some at many sites, some with two roles at one site, some at none', async () => {
    const staff = sites.reduce((sum, { people }) => sum + people.length, 0)
    expect(staff / 300).toBeGreaterThan(9)
    expect(staff / 300).toBeLessThan(12.5)
    const people = await app.as(10).send(listPeople)
    expect(Math.max(...people.map((person) => person.sites.length))).toBeGreaterThan(10)
    expect(people.some(({ locations }) => new Set(locations.map(({ site }) => site._id)).size < locations.length)).toBe(true)
    expect(people.some(({ locations }) => locations.length === 0)).toBe(true)
    const names = new Set(people.map(({ name }) => name))
    expect(names.size).toBeLessThan(people.length) // some people share a name
    expect(people.some(({ name }) => name.length === 60)).toBe(true)
    const oddities = [/[’-]/, /“\w+”/, /[éñøÞü]/, /\p{Script=Han}/u, /\p{Script=Hebrew}/u]
    expect(oddities.filter((oddity) => !people.some(({ name }) => oddity.test(name)))).toEqual([])
  })

  test('leaves the fields empty that real records leave empty', () => {
    const empty: Record<string, (site: Site) => boolean> = {
      photo: ({ photo }) => photo === null,
      phone: ({ address }) => address.phone === null,
      fax: ({ address }) => address.fax === null,
      hours: ({ address }) => address.start_time === null,
      description: ({ address }) => address.description === null,
      'finance number': ({ finance_id }) => finance_id === null,
      staff: ({ people }) => people.length === 0,
      'SIS sites': ({ sis_sites }) => sis_sites.length === 0,
      programs: ({ enrollment_info }) => enrollment_info.programTypes.length === 0,
      principal: ({ principal }) => principal === null,
    }
    const counts = Object.entries(empty).map(([what, missing]) => [what, sites.filter(missing).length] as const)
    expect(counts.filter(([, count]) => count === 0 || count === 300)).toEqual([])
    const withoutPhoto = sites.filter(({ photo }) => photo === null).length
    expect(withoutPhoto).toBeGreaterThan(30)
    expect(withoutPhoto).toBeLessThan(75)
    expect(charters.some((charter) => charter.sites.length === 0)).toBe(true)
    expect(charters.some((charter) => charter.charter_affair_info.length === 0)).toBe(true)
  })

  test('satisfies the rules of the site and charter forms: lengths, ZIP codes, hours, web addresses', () => {
    for (const { name, displayName, finance_id, address } of sites) {
      expect(displayName.length).toBeLessThanOrEqual(60)
      expect(name?.length).toBeLessThanOrEqual(50)
      expect(address.zip).toMatch(/^\d{5}$/)
      expect(finance_id ?? '0').toMatch(/^\d{1,20}$/)
      expect(address.start_time ?? '7:00AM').toMatch(/^(7|8|9|10|11|12|1):[03]0[AP]M$/)
      expect(address.end_time ?? '7:00PM').toMatch(/^(11|12|1|2|3|4|5|6|7):[03]0[AP]M$/)
    }
    expect(sites.some(({ displayName }) => displayName.length === 60)).toBe(true)
    expect(sites.some(({ finance_id }) => finance_id?.startsWith('0'))).toBe(true)
    for (const { charterWebsite, schoolTypeUrls, studentCount } of charters) {
      for (const url of [charterWebsite, ...schoolTypeUrls.map((entry) => entry.url)])
        expect(url).toMatch(/^https:\/\/[\w.-]+\.example[\w/-]*$/)
      expect(Math.max(charterWebsite?.length ?? 0, ...schoolTypeUrls.map(({ url }) => url.length))).toBeLessThanOrEqual(50)
      expect(studentCount).toBeLessThanOrEqual(99_999)
    }
  })

  test('fills every column of the parts of a site at some site, with both values of every yes/no field', async () => {
    const tables = ['site', 'facility', 'enrollment', 'sis_site', 'person', 'brand'] as const
    const never: string[] = []
    for (const table of tables) {
      const { rows } = await sql<{ row: Record<string, unknown> }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(
        app.context.db,
      )
      for (const column of Object.keys(rows[0]?.row ?? {})) {
        const seen = new Set(rows.map(({ row }) => JSON.stringify(row[column])))
        const empty = [...seen].every((value) => ['null', '""', '[]'].includes(value))
        if (empty || seen.has('true') !== seen.has('false')) never.push(`${table}.${column}`)
      }
    }
    const isOfArchived = (name: string): boolean => /\.(archivedAt|archivedReason|mergedInto)$/.test(name)
    // The importer sets this one.
    expect(never.filter((name) => !isOfArchived(name))).toEqual(['site.directory_id'])
    const open = sites.filter(({ facility_info }) => facility_info.lease_end_open)
    expect(open.length).toBeGreaterThan(0)
    for (const { facility_info } of open) expect(facility_info.lease_end).toBeNull()
    const days = sites.map(({ enrollment_info }) => enrollment_info.orientation.recurring_dates)
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const)
      expect(days.some((week) => week[day].set)).toBe(true)
    expect(distinct(sites.map(({ sis_sites }) => sis_sites.length))).toEqual([0, 1, 2, 3, 4])
    const { sis_sites } = sites.find((site) => site.sis_sites.length === 4) as Site
    expect(await app.as(10).send(listSisSites)).toContainEqual(sis_sites[0])
  })

  test('fills every field of every section in some charter affair', async () => {
    const affairs: CharterAffair[] = []
    for (const { slug } of charters) {
      affairs.push(...(await app.as(6).send(readCharterAffair, { params: { id: slug } })).charter_affair_info)
    }
    expect(affairs.length).toBeGreaterThan(40)
    const fields = Object.entries(affairSections).flatMap(([section, { shape }]) =>
      Object.keys(shape).map((field) => [section, field] as const),
    )
    expect(fields.length).toBe(99)
    const values = (section: string, field: string): unknown[] => affairs.map((affair) => Reflect.get(Reflect.get(affair, section), field))
    expect(fields.filter(([section, field]) => !values(section, field).some(Boolean))).toEqual([])
    expect(fields.filter(([section, field]) => !values(section, field).includes(null))).toEqual([])
    const members = affairs.map(({ authorizer_board_member }) => authorizer_board_member)
    const districts = affairs.map(({ center_district }) => center_district)
    expect(Object.keys(memberFields.shape).filter((field) => !members.flat().some((row) => Reflect.get(row, field)))).toEqual([])
    expect(Object.keys(districtFields.shape).filter((field) => !districts.flat().some((row) => Reflect.get(row, field)))).toEqual([])
    for (const [lists, most] of [
      [members, 9],
      [districts, 12],
    ] as const) {
      // prettier-ignore
      expect(lists.some((list) => list.length === 0)).toBe(true)
      expect(Math.max(...lists.map((list) => list.length))).toBe(most)
    }
  })

  test('has only phone numbers of the form 555-01xx and only invented street addresses', () => {
    const phones = texts.match(/(?<![\w-])\d{3}-\d{3}-\d{4}(?![\w-])/g) ?? []
    expect(phones.length).toBeGreaterThan(1000)
    expect(phones.filter((phone) => !/^[2-9]\d{2}(-555-01|55501)\d{2}$/.test(phone))).toEqual([])
    const hosts = texts.match(/(?<=@|https:\/\/)[\w.-]+/g) ?? []
    expect(hosts.length).toBeGreaterThan(1000)
    expect(hosts.filter((host) => !/\.example$|^sample\.test$/.test(host))).toEqual([])
  })

  test('includes the sample accounts with their permission records, and a dozen more administrators', async () => {
    const permissions = await app.as(6).send(listPermissions, { params: { appId: 'homeroom' } })
    const levelOf = (address: string) => permissions.find(({ personID }) => personID.azureID === address)
    expect(levelOf('super@sample.test')).toMatchObject({ accessLevel: 1, accessName: 'Super Admin', superAdmin: true, personID: { name: 'Dana Whitlock' } }) // prettier-ignore
    expect(levelOf('affairs@sample.test')).toMatchObject({ accessLevel: 5, accessName: 'Admin', superAdmin: false })
    expect(levelOf('manager@sample.test')).toMatchObject({ accessLevel: 6, accessName: 'Manager' })
    expect(levelOf('staff@sample.test')).toBeUndefined()
    expect(permissions.length).toBeGreaterThanOrEqual(12)
    const people = await app.as(10).send(listPeople)
    for (const name of ['super', 'affairs', 'manager', 'staff']) {
      expect(people.some(({ email }) => email === `${name}@sample.test`)).toBe(true)
    }
  })

  test('has HR rows for its people and for employees outside the directory, some without an email address', async () => {
    const { rows } = await sql<{ known: boolean; missing: number; count: number }>`
      select p._id is not null as known, count(*) filter (where "Hris_EmailAddress" is null or "EmailAddress" is null) as missing, count(*) as count
      from hr_person left join person p on p.sql_person_id = "PersonID" group by 1 order by 1`.execute(app.context.db)
    const people = await app.as(10).send(listPeople)
    expect(rows[0]?.known).toBe(false)
    expect(rows[0]?.count).toBeGreaterThan(people.length)
    expect(rows[0]?.missing).toBeGreaterThan(20)
    const withNumber = people.filter(({ sql_person_id }) => sql_person_id !== null).length
    expect(rows[1]).toMatchObject({ known: true, count: withNumber })
  })

  test('has three years of history by several people, in chronological order', () => {
    const moments = history.map(({ at }) => at.getTime())
    const daysAgo = (moment: number): number => (NOW.getTime() - moment) / DAY
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
    expect(daysAgo(moments[0] ?? 0)).toBeGreaterThan(1125)
    expect(daysAgo(moments[0] ?? 0)).toBeLessThan(1150)
    expect(daysAgo(moments.at(-1) ?? 0)).toBeLessThanOrEqual(1)
    expect(daysAgo(moments.at(-1) ?? 0)).toBeGreaterThanOrEqual(0)
    expect(new Set(history.map(({ by }) => by)).size).toBeGreaterThanOrEqual(5)
    expect(new Set(history.map(({ at }) => at.toISOString().slice(0, 7))).size).toBeGreaterThanOrEqual(34)
  })

  test('changes each record from what the change before left', async () => {
    const { rows } = await sql`
      with version as (
        select "table", action, before - '{version,updatedAt,updatedBy,checkedAt,checkedBy,checkVersion}'::text[] as before,
          lag(after - '{version,updatedAt,updatedBy,checkedAt,checkedBy,checkVersion}'::text[]) over (partition by "table", record order by _id) as known
        from change where action in ('insert', 'update', 'delete') and "actorName" is distinct from 'Homeroom')
      select * from version where action <> 'insert' and known is not null and before is distinct from known`.execute(app.context.db)
    expect(rows).toEqual([])
  })

  test('has grown for three years, and lost many principals in the autumn of last year', async () => {
    const countAt = async (daysAgo: number): Promise<{ open: number; principals: number }> => {
      const at = new Date(NOW.getTime() - daysAgo * DAY)
      const { rows } = await sql<{ open: number; principals: number }>`
        with version as (
          select distinct on ("table", record) "table", record, action, after from change
          where "table" in ('site', 'site_person') and at <= ${at} and action in ('insert', 'update', 'delete') order by "table", record, _id desc),
        open as (select record from version where "table" = 'site' and action <> 'delete' and after ->> 'status' like 'ACTIVE%')
        select (select count(*)::int from open) as open, count(distinct after ->> 'site')::int as principals
        from version join role on role._id = after ->> 'role' and role.name = 'Principal'
        where action <> 'delete' and after ->> 'site' in (select record from open)`.execute(app.context.db)
      return rows[0] ?? { open: 0, principals: 0 }
    }
    const open = await Promise.all([1095, 730, 365, 1].map(async (daysAgo) => (await countAt(daysAgo)).open))
    expect(open).toEqual(open.toSorted((a, b) => a - b))
    expect(open.at(-1)).toBeGreaterThan(1.5 * (open[0] ?? 0))
    const { rows } = await sql<{ month: string; count: number }>`
      select to_char(at, 'YYYY-MM') as month, count(*)::int as count from change
        join role on role._id = before ->> 'role' and role.name = 'Principal'
        join site on site._id = before ->> 'site' and site.status like 'ACTIVE%'
      where "table" = 'site_person' and action = 'delete' group by 1 order by 2 desc limit 3`.execute(app.context.db)
    expect(rows.map(({ month }) => month.slice(5)).toSorted()).toEqual(['09', '10', '11'])
    expect(new Set(rows.map(({ month }) => month.slice(0, 4))).size).toBe(1)
  })

  test('had a brand that closed: some of its charters closed with it, others belong to other brands since', async () => {
    const { rows } = await sql<{ brand: string; status: string }>`
      select distinct before ->> 'brand' as brand, after ->> 'status' as status from change
      where "table" = 'charter' and action = 'update' and before ->> 'brand' <> after ->> 'brand'`.execute(app.context.db)
    const [closed] = (await app.as(10).send(listBrands)).filter(({ _id }) => rows.some(({ brand }) => brand === _id))
    expect(closed).toMatchObject({ brandName: 'North Lantern Education', status: 'CLOSED - PERMANENTLY' })
    expect(new Set(rows.map(({ status }) => status.startsWith('CLOSED')))).toEqual(new Set([true, false]))
    expect(charters.some(({ brand }) => brand === closed?._id)).toBe(false)
  })

  test('records who last changed each site and when, some within the last 7 days', () => {
    const changes = history.filter(({ action }) => action !== 'check')
    const lastOf = new Map(changes.map(({ at, by, parent }) => [parent, { updatedAt: at.toISOString(), updatedBy: by }]))
    const shown = new Map(sites.map(({ _id, updatedAt, updatedBy }) => [_id, { updatedAt, updatedBy }]))
    expect(shown).toEqual(new Map(sites.map(({ _id }) => [_id, lastOf.get(_id)])))
    const recent = sites.filter(({ updatedAt }) => NOW.getTime() - Date.parse(updatedAt) < 7 * DAY).length
    expect(recent).toBeGreaterThan(3)
    expect(recent).toBeLessThan(100)
  })

  test('shows student counts that changed over time', async () => {
    const { rows } = await sql<{ charter: string; counts: number }>`
      select record as charter, count(distinct after -> 'studentCount')::integer as counts from change where "table" = 'charter' group by 1`.execute(
      app.context.db,
    )
    expect(rows.filter(({ counts }) => counts >= 4).length).toBeGreaterThan(40)
  })

  test('renders each picture once, small and under the hash of its bytes', async () => {
    const { rows } = await sql<{ type: string; size: number; width: number; height: number; right: boolean }>`
      select type, length(bytes) as size, width, height, encode(sha256(bytes), 'hex') = _id as right from picture`.execute(app.context.db)
    expect(rows.length).toBeGreaterThan(40)
    for (const { type, size, right } of rows) expect([type, right, size < 60_000]).toEqual(['image/webp', true, true])
    expect(new Set(sites.map(({ photo }) => photo)).size).toBeGreaterThan(20)
  })
})

test.each([1, 2, 7])('a network of %i sites is complete too: every list satisfies its contract', async (count) => {
  const app = await startWith(count)
  const sites = await app.as(10).send(listSites)
  expect(sites).toHaveLength(count)
  for (const call of [listBrands, listCharters, listRegions, listPeople, listSisSites])
    expect(await app.as(10).send(call)).not.toHaveLength(0)
  const [charter] = await app.as(10).send(listCharters)
  const affair = await app.as(6).send(readCharterAffair, { params: { id: charter?.slug ?? '' } })
  expect(affair.charter_affair_info).toHaveLength(1)
})

test('a load that fails writes nothing', async () => {
  const { context } = await startApp()
  await context.db.insertInto('person').values({ slug: 'in-the-way', name: 'In the way', email: 'super@sample.test' }).execute()
  await expect(loadSample({ db: context.db, sites: 3 })).rejects.toThrow('person_email')
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from picture) + (select count(*) from person) + (select count(*) from charter) as left`.execute(context.db)
  expect(rows[0]?.left).toBe(1)
})

test('two servers that start on one empty database load the sample network once', async () => {
  const { context } = await startApp()
  const load = () => loadSample({ db: context.db, sites: 2 })
  await Promise.all([load(), load()])
  const { rows } = await sql<{ sites: number }>`select count(*) as sites from site`.execute(context.db)
  expect(rows[0]?.sites).toBe(2)
})
