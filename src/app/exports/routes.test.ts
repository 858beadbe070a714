import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { network, startApp, type TestApp } from '../../../test/support/app.ts'
import { readWorkbook, type ReadSheet } from '../../../test/support/workbooks.ts'
import { affairSections, districtFields, memberFields } from '../../records/charter-affairs/contract.ts'
import { affairLabels, districtLabels, memberLabels, sectionTitles } from '../../records/charter-affairs/fields.ts'
import { facilityLabels } from '../../records/facility/fields.ts'
import { personLabels } from '../../records/people/fields.ts'
import { siteLabels } from '../../records/sites/fields.ts'
import { downloads, EXPORT_KINDS, EXPORTS, type ExportKind, listDownloads, previews } from './contract.ts'

type Net = Awaited<ReturnType<typeof network>>

/** The sheets of a kind, parsed. */
const download = async ({ as }: Pick<TestApp, 'as'>, kind: ExportKind, level = 6): Promise<ReadSheet[]> => {
  const response = await as(level).trySend(downloads[kind])
  expect(response.statusCode, response.body.slice(0, 300)).toBe(200)
  return readWorkbook(response.rawPayload)
}
const rowOf = (sheet: ReadSheet | undefined, head: string, value: string) => sheet?.rows.find((row) => row[head] === value)

/** A distinct value for each column of a table; by label, the expected cell of the workbook. */
const filledIn = async ({ context }: Net, table: string, labels: Readonly<Record<string, string>>, own: Record<string, unknown> = {}) => {
  const { rows } = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name = any(${Object.keys(labels)})`.execute(context.db)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(labels).toSorted())
  const written: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const [at, { name, type }] of rows.entries()) {
    const day = `2026-03-${String(at + 1).padStart(2, '0')}`
    const value = name in own ? own[name] : type === 'date' ? day : type === 'boolean' ? true : `0${at} ${name} é "<x>"`
    written[name] = value
    expected[labels[name] ?? ''] = type === 'date' && value !== null ? { day: value } : type === 'boolean' ? (value ? 'Yes' : 'No') : value
  }
  return { written, expected }
}

const without = <T extends object, K extends keyof T>(of: T, ...names: K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(of).filter(([name]) => !names.some((one) => one === name))) as Omit<T, K>

const NOT_CHECKED = { Checked: null, 'Checked by': null }

describe('Facilities', () => {
  test('has a row for each site, with every field of its facility and its address', async () => {
    const net = await network()
    const labels = without(siteLabels, 'slug', 'photo', 'latitude', 'longitude', 'directory_id', 'charter', 'region', 'status')
    const site = await filledIn(net, 'site', labels, { displayName: 'Every Facility', zip: '01234', finance_id: '00417' })
    // Still the day before in Los Angeles.
    const own = {
      charter: net.charter._id,
      status: 'CLOSED - TEMPORARILY',
      checkedAt: '2026-03-15T06:00:00Z',
      checkedBy: 'Ana Ruiz',
    } as const
    const { _id } = await net.make.site({ ...site.written, ...own })
    const facility = await filledIn(net, 'facility', facilityLabels, { lease_end_open: false })
    await net.make.facility(_id, facility.written)
    const [sheet] = await download(net, 'facilities', 10)
    expect(rowOf(sheet, 'Display name', 'Every Facility')).toEqual({
      ...site.expected,
      ...facility.expected,
      Charter: net.charter.name,
      Brand: net.brand.brandName,
      Region: 'California',
      Status: 'Closed - Temporarily',
      Checked: { day: '2026-03-14' },
      'Checked by': 'Ana Ruiz',
    })
  })

  test('shows that a lease is open-ended, with an empty end date', async () => {
    const net = await network()
    await net.make.facility(net.site._id, { lease_start: '1999-12-31', lease_end_open: true })
    const [sheet] = await download(net, 'facilities')
    const expected = { 'Lease start': { day: '1999-12-31' }, 'Lease end': null, 'Lease open-ended': 'Yes', Partnership: 'No' }
    expect(rowOf(sheet, 'Display name', net.site.displayName)).toMatchObject(expected)
  })

  test('includes a site without charter, brand and region', async () => {
    const net = await network()
    await net.make.site({ displayName: 'Nobody’s Site', charter: null, region: null })
    for (const kind of ['facilities', 'finance'] as const) {
      const [sheet] = await download(net, kind)
      expect(rowOf(sheet, 'Display name', 'Nobody’s Site')).toMatchObject({ Charter: null, Brand: null, Region: null })
    }
  })
})

test('Finance has a row for each site with its name and address, and the lease with its amounts', async () => {
  const net = await network()
  const address = { address_1: '1 Main St', address_2: 'Suite 2', city: 'Lodi', state: 'CA', zip: '09524' }
  const postal = { 'Address line 1': '1 Main St', 'Address line 2': 'Suite 2', City: 'Lodi', State: 'CA', 'ZIP code': '09524' }
  const { _id } = await net.make.site({ displayName: 'Paid Site', charter: net.charter._id, finance_id: '007', ...address })
  const facility = await filledIn(net, 'facility', facilityLabels, { lease_end_open: false })
  await net.make.facility(_id, facility.written)
  const [sheet] = await download(net, 'finance', 10)
  const premises = ['county', 'apn', 'sq_footage', 'phone_2', 'partnership', 'signage_language', 'fac_notes'] as const
  const money = without(facility.expected, ...premises.map((field) => facilityLabels[field]))
  expect(Object.keys(money)).toContain('Base rent')
  expect(rowOf(sheet, 'Display name', 'Paid Site')).toEqual({
    ...money,
    'Finance number': '007',
    'Display name': 'Paid Site',
    Charter: net.charter.name,
    Brand: net.brand.brandName,
    Region: 'California',
    Status: 'Active - Permanent',
    ...postal,
  })
})

test.each([
  ['site_leadership', 'Principal', 'Counselor'],
  ['student_support', 'Counselor', 'Principal'],
] as const)('%s has a row for each person and role of its group, with contact information', async (kind, role, otherRole) => {
  const net = await network()
  const contact = without(personLabels, 'slug', 'leftAt')
  const person = await filledIn(net, 'person', contact, { name: `Somebody in ${kind}`, email: `${kind}@x.test`, sql_person_id: `0${kind}` })
  const { _id } = await net.make.person(person.written)
  const sites = await Promise.all([net.make.site({ phone: '209-555-0142', fax: '0209', zip: '00501' }), net.make.site()])
  for (const { _id: site } of sites) for (const name of [role, otherRole]) await net.make.sitePerson(site, name, _id)
  if (kind === 'site_leadership') await net.make.sitePerson(sites[0]._id, 'Area Superintendent', _id)
  const [sheet] = await download(net, kind, 10)
  const rows = sheet?.rows.filter((row) => row['Name'] === `Somebody in ${kind}`) ?? []
  const held = rows.map((row) => [row['Display name'], row['Role']])
  const expected = sites.map(({ displayName }) => [displayName, role])
  if (kind === 'site_leadership') expected.push([sites[0].displayName, 'Area Superintendent'])
  expect(held).toHaveLength(expected.length)
  expect(held).toEqual(expect.arrayContaining(expected))
  for (const row of rows) expect(row).toMatchObject(person.expected)
  expect(rows.find((row) => row['Display name'] === sites[0].displayName)).toMatchObject({
    'Site phone': '209-555-0142',
    'Site fax': '0209',
    'Site status': 'Active - Permanent',
    'ZIP code': '00501',
    Region: 'California',
  })
})

describe('Charter Affairs', () => {
  test('has a row for each charter with every field of every section, and its members and districts on separate sheets', async () => {
    const net = await network()
    const charter = await net.make.charter({ name: 'Every Affair', abbreviation: 'EA', brand: net.brand._id })
    const sections = Object.entries(affairSections).map(
      ([name, section]) => [name, Object.fromEntries(Object.keys(section.shape).map((field) => [field, `0${name} ${field}`]))] as const,
    )
    const { _id } = await net.make.affair({
      charter: charter._id,
      ...Object.fromEntries(sections.map(([name, section]) => [name, JSON.stringify(section)])),
    })
    const fieldsOf = (of: typeof memberFields | typeof districtFields) =>
      Object.fromEntries(Object.keys(of.shape).map((field) => [field, `0 its ${field}`]))
    await net.make.member({ ...fieldsOf(memberFields), charter_affair: _id })
    await net.make.district({ ...fieldsOf(districtFields), charter_affair: _id })
    const [main, members, districts] = await download(net, 'charter_affairs')
    const underLabels = sections.flatMap(([name, section]) =>
      Object.entries(section).map(([field, value]) => {
        const labels: Record<string, string> = affairLabels[name as keyof typeof affairLabels]
        return [`${sectionTitles[name as keyof typeof affairSections]}: ${labels[field]}`, value]
      }),
    )
    expect(rowOf(main, 'Charter', 'Every Affair')).toEqual({
      Charter: 'Every Affair',
      Abbreviation: 'EA',
      Brand: net.brand.brandName,
      Status: 'Active - Permanent',
      ...Object.fromEntries(underLabels),
      ...NOT_CHECKED,
    })
    const partOf = (labels: Readonly<Record<string, string>>) => ({
      Charter: 'Every Affair',
      ...Object.fromEntries(Object.entries(labels).map(([field, label]) => [label, `0 its ${field}`])),
    })
    expect([members?.name, districts?.name]).toEqual(['Authorizer Board Members', 'Center District'])
    expect(rowOf(members, 'Charter', 'Every Affair')).toEqual(partOf(memberLabels))
    expect(rowOf(districts, 'Charter', 'Every Affair')).toEqual(partOf(districtLabels))
  })

  test('includes a charter without an affair; free text stays text, even if it is a date', async () => {
    const net = await network()
    await net.make.affair({ charter: net.charter._id, overview: JSON.stringify({ next_board_meeting: '2026-11-20' }) })
    const bare = await net.make.charter()
    const [main] = await download(net, 'charter_affairs')
    expect(rowOf(main, 'Charter', net.charter.name)).toMatchObject({ 'Overview: Next board meeting': '2026-11-20' })
    expect(rowOf(main, 'Charter', bare.name)).toMatchObject({ 'Overview: Next board meeting': null })
  })

  test('needs level 6 or lower, however the request is written', async () => {
    const { as, anonymous } = await network()
    for (const level of [7, 10]) {
      expect((await as(level).trySend(downloads.charter_affairs)).statusCode).toBe(403)
      expect((await as(level).trySend(previews.charter_affairs)).statusCode).toBe(403)
      for (const address of ['charter_affairs/', 'charter%5Faffairs', 'CHARTER_AFFAIRS', './charter_affairs'])
        expect([403, 404]).toContain((await as(level).request('GET', `/api/exports/excel/${address}`)).statusCode)
    }
    expect((await as(6).trySend(downloads.charter_affairs)).statusCode).toBe(200)
    for (const kind of EXPORT_KINDS) expect((await anonymous.trySend(downloads[kind])).statusCode).toBe(401)
    expect((await as(6).request('GET', '/api/exports/excel/payroll')).statusCode).toBe(404)
  })
})

describe('every workbook', () => {
  test.each(EXPORT_KINDS)('%s: its header row is frozen, can filter, and has no duplicates', async (kind) => {
    const net = await network()
    for (const { heads, rows, frozenRows, filtered } of await download(net, kind)) {
      expect(frozenRows).toBe(1)
      expect(filtered).toMatch(new RegExp(`^A1:[A-Z]+${rows.length + 1}$`))
      expect(new Set(heads).size).toBe(heads.length)
    }
  })

  test.each(EXPORT_KINDS)('%s: the file name has the name of the export and the organization’s date and time', async (kind) => {
    const { as } = await network()
    const { headers } = await as(6).trySend(downloads[kind])
    const disposition = String(headers['content-disposition'])
    const name = decodeURIComponent(/filename\*=UTF-8''(\S+)/.exec(disposition)?.[1] ?? '')
    expect(name).toMatch(new RegExp(`^${EXPORTS[kind].name} - \\d\\d-\\d\\d-\\d{4}_\\d\\d:\\d\\d[AP]M\\.xlsx$`))
    expect(disposition).toContain(`attachment; filename="${name.replace(':', '-')}"`)
    expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(headers['cache-control']).toBe('no-store')
  })

  test('stores what looks like a formula as text, and keeps every character', async () => {
    const net = await network()
    const unusualTexts = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\ttab',
      '\nline',
      '=HYPERLINK("http://x.example")',
      '0012',
      '1e5',
      'TRUE',
      '𝔘 & <b> "q" ]]>',
      '_x000B_',
      'a\u000bb',
    ]
    for (const [at, text] of unusualTexts.entries()) {
      const { _id } = await net.make.site({ displayName: `Odd ${at}` })
      await net.make.facility(_id, { fac_notes: text, lease_holder: text })
    }
    const { _id } = await net.make.site({ displayName: 'Return' })
    await net.make.facility(_id, { fac_notes: '\r=1', lease_notes: 'one\r\ntwo' })
    const long = await net.make.site({ displayName: 'Long' })
    await net.make.facility(long._id, { fac_notes: 'x'.repeat(40_000) })
    const [sheet] = await download(net, 'facilities')
    for (const [at, text] of unusualTexts.entries())
      expect(rowOf(sheet, 'Display name', `Odd ${at}`)).toMatchObject({ 'Facility notes': text, 'Lease holder': text })
    expect(rowOf(sheet, 'Display name', 'Return')).toMatchObject({ 'Facility notes': '\n=1', 'Lease notes': 'one\ntwo' })
    // The maximum that a cell of Excel can contain.
    expect(rowOf(sheet, 'Display name', 'Long')?.['Facility notes']).toBe(`${'x'.repeat(32_766)}…`)
  })
})

test('a preview has the number of rows and the first of them, and the approximate size once one was downloaded', async () => {
  const app = await startApp()
  const site = await app.make.site({ displayName: 'Only Site' })
  await app.make.facility(site._id, { lease_start: '2026-03-09' })
  const preview = await app.as(10).send(previews.facilities)
  expect(preview).toMatchObject({ rows: 1, bytes: null })
  const { rawPayload } = await app.as(10).trySend(downloads.facilities)
  await expect.poll(async () => (await app.as(10).send(previews.facilities)).bytes).toBe(rawPayload.length)
  const [sheet] = await readWorkbook(rawPayload)
  expect(preview.first).toHaveLength(1)
  expect(preview.first[0]?.[0]).toBe('Only Site')
  expect(preview.first[0]?.[sheet?.heads.indexOf('Lease start') ?? -1]).toBe('2026-03-09')
  expect(await app.as(10).send(previews.student_support)).toEqual({ rows: 0, bytes: null, first: [] })
})

describe('the download history', () => {
  test('records a download before the first byte is sent, and how it ended; level 1 can read it', async () => {
    const app = await startApp()
    await app.make.site()
    const caller = app.as(10)
    const { rawPayload } = await caller.trySend(downloads.finance)
    await app.as(6).trySend(downloads.charter_affairs)
    const { account: _, headers: __, ...who } = await caller.who()
    await expect.poll(async () => (await app.as(1).send(listDownloads)).map(({ outcome }) => outcome)).toEqual(['whole', 'whole'])
    const [affairs, finance] = await app.as(1).send(listDownloads)
    expect(finance).toMatchObject({ kind: 'finance', ...who, rows: 1, bytes: rawPayload.length, at: expect.stringMatching(/^2\d{3}-.*Z$/) })
    expect(affairs).toMatchObject({ kind: 'charter_affairs' })
    for (const level of [2, 6, 10]) expect((await app.as(level).trySend(listDownloads)).statusCode).toBe(403)
  })

  test('does not count a refused download or a HEAD request', async () => {
    const app = await startApp()
    await app.as(10).trySend(downloads.charter_affairs)
    const { host } = new URL(app.context.configuration.publicUrl)
    const headers = await app.as(10).headers()
    const head = await app.app.inject({ method: 'HEAD', url: downloads.finance.path, authority: host, headers })
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
    expect(await app.as(1).send(listDownloads)).toEqual([])
  })
})
