import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { Database } from '../../src/database/schema.ts'
import { listPermissions } from '../../src/features/access/permissions/contract.ts'
import { readBrand } from '../../src/records/brands/contract.ts'
import { affairSections, districtFields, memberFields, readCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { viewCharter } from '../../src/records/charters/contract.ts'
import { readPerson } from '../../src/records/people/contract.ts'
import { readRegion } from '../../src/records/regions/contract.ts'
import { readSisSite } from '../../src/records/sis-sites/contract.ts'
import { readSite } from '../../src/records/sites/contract.ts'
import { network } from '../support/app.ts'

// Writes a distinct value to every column of every record and looks for it in the API's response. The columns come from the database: a new
// one that is missing from the response fails the test.

type Net = Awaited<ReturnType<typeof network>>
type Values = Record<string, unknown>

const KEPT = new Set([
  '_id',
  'version',
  'updatedAt',
  'updatedBy',
  'studentCountUpdatedAt',
  'checkVersion',
  'archivedAt',
  'archivedReason',
  'mergedInto',
])

/** A distinct value for each column of a table. */
const valuesFor = async ({ context }: Net, table: keyof Database, own: Values): Promise<Values> => {
  const { rows } = await sql<{ name: string; type: string }>`
    select column_name as name, coalesce(domain_name, data_type) as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by ordinal_position`.execute(context.db)
  const values: Values = {}
  for (const [index, { name, type }] of rows.entries()) {
    if (KEPT.has(name)) continue
    const value: Record<string, unknown> = {
      text: `${name} ‘${index}’ é "x"`,
      integer: 100 + index,
      boolean: true,
      'timestamp with time zone': `2026-04-${String((index % 28) + 1).padStart(2, '0')}T10:00:00.000Z`,
      date: `2026-03-${String((index % 28) + 1).padStart(2, '0')}`,
      'double precision': 10 + index / 8,
      record_status: 'ACTIVE - TEMPORARY',
      yes_no: 'Yes',
      ARRAY: [`${name}@a.example`, `${name}@b.example`],
    }
    if (!(name in own) && !(type in value)) throw new Error(`No value for ${table}.${name} (${type})`)
    values[name] = name in own ? own[name] : value[type]
  }
  return values
}

const picture = async ({ context }: Net, letter: string): Promise<string> => {
  const _id = letter.repeat(64)
  await context.db
    .insertInto('picture')
    .values({ _id, type: 'image/png', width: 1, height: 1, bytes: Buffer.from('x') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return _id
}
const at = (_id: unknown): string => `/api/pictures/${String(_id)}`

/** The response must contain every written value, under the column's name unless `elsewhere` maps it to another field. */
const expectFields = (answer: object, written: Values, elsewhere: Record<string, (written: never) => Values> = {}): void => {
  const expected: Values = {}
  for (const [name, value] of Object.entries(written)) Object.assign(expected, elsewhere[name]?.(value as never) ?? { [name]: value })
  expect(answer).toMatchObject(expected)
}

test('every field of a brand is read', async () => {
  const net = await network()
  const written = await valuesFor(net, 'brand', {
    slug: 'every-brand',
    brandPhoto: await picture(net, 'a'),
    brandIcon: await picture(net, 'b'),
  })
  const { _id } = await net.make.brand(written)
  expectFields(await net.as(10).send(readBrand, { params: { id: _id } }), written, {
    brandPhoto: (photo) => ({ brandPhoto: at(photo) }),
    brandIcon: (icon) => ({ brandIcon: at(icon) }),
  })
})

test('every field of a charter is read', async () => {
  const net = await network()
  const schoolTypeUrls = [{ name: 'Home study', url: 'https://home.example' }]
  const written = await valuesFor(net, 'charter', {
    slug: 'Every Charter',
    brand: net.brand._id,
    photo: await picture(net, 'c'),
    schoolTypeUrls,
  })
  const { _id } = await net.make.charter({ ...written, schoolTypeUrls: JSON.stringify(schoolTypeUrls) })
  const answer = await net.as(10).send(viewCharter, { params: { id: _id } })
  expectFields(answer, written, { photo: (photo) => ({ photo: at(photo) }) })
  expect(answer).toMatchObject({ brandName: net.brand.brandName, studentCountUpdatedAt: expect.stringMatching(/^2\d{3}-.*Z$/) })
})

test('every field of a region is read', async () => {
  const net = await network()
  const { name, slug } = net.region
  expect(await net.as(10).send(readRegion, { params: { slug } })).toMatchObject({ _id: net.region._id, name, slug })
})

test('every field of a site and its address is read', async () => {
  const net = await network()
  const written = await valuesFor(net, 'site', {
    slug: 'every-site',
    charter: net.charter._id,
    region: net.region._id,
    photo: await picture(net, 'd'),
  })
  const { _id } = await net.make.site(written)
  const answer = await net.as(10).send(readSite, { params: { slug: 'every-site' } })
  const inAddress = (name: string) => (value: unknown) => ({ address: { [name]: value } })
  const address = Object.keys(answer.address)
  const { address: _, ...rest } = answer
  for (const name of address) expect(answer).toMatchObject(inAddress(name)(written[name]))
  const own = Object.fromEntries(Object.entries(written).filter(([name]) => !address.includes(name)))
  expectFields({ ...rest, _id }, own, {
    photo: (photo) => ({ photo: at(photo) }),
    charter: (charter) => ({ charter: { _id: charter, name: net.charter.name, brandName: net.brand.brandName } }),
    region: (region) => ({ region: { _id: region, name: 'California' } }),
  })
})

test('every field of a facility is read', async () => {
  const net = await network()
  const { site: _, ...written } = await valuesFor(net, 'facility', { site: net.site._id, lease_end_open: false })
  await net.make.facility(net.site._id, written)
  expectFields((await net.as(10).send(readSite, { params: { slug: net.site.slug } })).facility_info, written)
  await net.make.facility(net.site._id, { lease_end_open: true, lease_end: null })
  expect((await net.as(10).send(readSite, { params: { slug: net.site.slug } })).facility_info).toMatchObject({
    lease_end_open: true,
    lease_end: null,
  })
})

test('every field of an enrollment record is read, its lists sorted', async () => {
  const net = await network()
  const times = (n: number) => ({ start_time: `0${n}:00AM`, end_time: `0${n}:30PM` })
  const selected = [
    { date: '2026-12-02', ...times(1) },
    { date: '2026-12-01', ...times(2) },
  ]
  const recurring = Object.fromEntries(
    ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((day, n) => [day, { set: true, ...times(n + 1) }]),
  )
  const { site: _, ...written } = await valuesFor(net, 'enrollment', {
    site: net.site._id,
    selected_dates: JSON.stringify(selected),
    recurring_dates: JSON.stringify(recurring),
    blackout_dates: ['2026-12-25', '2026-11-26'],
  })
  await net.make.enrollment(net.site._id, written)
  const programs = [await net.make.programType({ name: 'Welding' }), await net.make.programType({ name: 'Art' })]
  for (const program of programs) await net.make.siteProgram(net.site._id, program._id)
  const answer = (await net.as(10).send(readSite, { params: { slug: net.site.slug } })).enrollment_info
  expectFields(answer, written, {
    virtual_orientation_link: (link) => ({ orientation: { virtual_orientation_link: link } }),
    selected_dates: () => ({}),
    recurring_dates: () => ({}),
    blackout_dates: () => ({}),
  })
  expect(answer.orientation).toMatchObject({
    selected_dates: selected.toReversed(),
    recurring_dates: recurring,
    blackout_dates: ['2026-11-26', '2026-12-25'],
  })
  expect(answer.programTypes.map(({ name }) => name)).toEqual(['Art', 'Welding'])
})

test('every field of a person is read, with sites and roles', async () => {
  const net = await network()
  const written = await valuesFor(net, 'person', { slug: 'every-person', leftAt: null })
  const { _id } = await net.make.person(written)
  const position = await net.make.sitePerson(net.site._id, 'Counselor', _id)
  const answer = await net.as(10).send(readPerson, { params: { slug: 'every-person' } })
  expectFields(answer, written)
  expect(answer).toMatchObject({
    sites: [{ _id: net.site._id }],
    roles: [{ name: 'Counselor' }],
    locations: [{ _id: position._id, site: { slug: net.site.slug }, role: { name: 'Counselor' } }],
  })
  const { people } = await net.as(10).send(readSite, { params: { slug: net.site.slug } })
  expect(people).toContainEqual({
    _id: position._id,
    person: { _id, slug: 'every-person', name: written['name'], phone: written['phone'], email: written['email'], version: 1 },
    role_match: { _id: position.role, name: 'Counselor' },
  })
})

test('every field of a SIS site is read', async () => {
  const net = await network()
  const written = await valuesFor(net, 'sis_site', { site: net.site._id })
  const { _id } = await net.make.sisSite(written)
  const elsewhere = { site: (site: string) => ({ site: { _id: site, slug: net.site.slug } }) }
  expectFields(await net.as(10).send(readSisSite, { params: { id: _id } }), written, elsewhere)
  const { sis_sites } = await net.as(10).send(readSite, { params: { slug: net.site.slug } })
  expectFields(sis_sites.find((sis) => sis._id === _id) ?? {}, written, elsewhere)
})

test('every field of every section of a charter affair, its members and its districts is read', async () => {
  const net = await network()
  const sections = Object.fromEntries(
    Object.entries(affairSections).map(([name, section]) => [
      name,
      Object.fromEntries(Object.keys(section.shape).map((field) => [field, `${name} ${field}`])),
    ]),
  )
  const { _id } = await net.make.affair({
    charter: net.charter._id,
    ...Object.fromEntries(Object.entries(sections).map(([name, section]) => [name, JSON.stringify(section)])),
  })
  const fieldsOf = (of: typeof memberFields | typeof districtFields) =>
    Object.fromEntries(Object.keys(of.shape).map((field) => [field, `its ${field}`]))
  await net.make.member({ ...fieldsOf(memberFields), charter_affair: _id })
  await net.make.district({ ...fieldsOf(districtFields), charter_affair: _id })
  const [affair] = (await net.as(6).send(readCharterAffair, { params: { id: net.charter.slug } })).charter_affair_info
  expect(affair).toMatchObject({
    _id,
    ...sections,
    authorizer_board_member: [fieldsOf(memberFields)],
    center_district: [fieldsOf(districtFields)],
  })
})

test('every field of a permission record is read, with the name of the person if there is one', async () => {
  const net = await network()
  const written = await valuesFor(net, 'permission', { applicationID: 'elsewhere', person: null, account: null, accessLevel: 5 })
  const elsewhere = {
    azureID: (azureID: string) => ({ personID: { _id: null, azureID, name: written['name'] } }),
    name: () => ({}),
    person: () => ({}),
    account: () => ({}), // the bound account is internal to the server
  }
  await net.make.permission(written)
  await net.make.permission({ applicationID: 'elsewhere 2', person: net.principal._id })
  const read = (appId: string) => net.as(6).send(listPermissions, { params: { appId } })
  expectFields((await read('elsewhere'))[0] ?? {}, written, elsewhere)
  expect((await read('elsewhere 2'))[0]).toMatchObject({ personID: { _id: net.principal._id, name: net.principal.name } })
})
