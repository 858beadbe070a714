import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { network, startApp, type TestApp } from '../../../test/support/app.ts'
import { readWorkbook } from '../../../test/support/workbooks.ts'
import type { BodyOf } from '../../contract/call.ts'
import { buildColumnFilter, parseColumnFilters, parseGroup } from '../../contract/column-filters.ts'
import { getListFileName } from '../../contract/file-names.ts'
import { sortByDefault, parseSort, type RecordList, buildSearchText, sortByColumn } from '../../contract/lists.ts'
import { isInStatusGroup, type Status } from '../../contract/status.ts'
import { createTextMatcher } from '../../contract/text-match.ts'
import { readBrand, listBrands } from '../../records/brands/contract.ts'
import { BRAND_CHARTERS_LIST, BRAND_LIST } from '../../records/brands/list.ts'
import { listCharters, readCharter } from '../../records/charters/contract.ts'
import { CHARTER_LIST } from '../../records/charters/list.ts'
import { downloadList } from '../../records/list-download/contract.ts'
import { listSiteLocations } from '../../records/map/contract.ts'
import { createAreaFilter, filterLocatedSites, parseArea } from '../../records/map/rules.ts'
import { listPeople, listPeopleOfGroup } from '../../records/people/contract.ts'
import { STAFF_LIST, buildStaffFilter } from '../../records/people/list.ts'
import { listRegions, readRegion } from '../../records/regions/contract.ts'
import { REGION_LIST, buildRegionFilter } from '../../records/regions/list.ts'
import { listSiteSummaries } from '../../records/sites/contract.ts'
import { buildRegionSiteFilter, SITE_LIST, buildSiteFilter } from '../../records/sites/list.ts'
import { listDownloads } from './contract.ts'
import { formatCsvCell } from './send-list.server.ts'

/** A request without its format. */
type Shown = BodyOf<typeof downloadList> extends infer B ? (B extends unknown ? Omit<B, 'format'> : never) : never

const ZONE = 'America/Los_Angeles'

/** Parses CSV strictly according to RFC 4180. */
const readCsv = (bytes: Buffer): string[][] => {
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const rows: string[][] = [[]]
  for (const [, quoted, bare = '', end] of bytes
    .subarray(3)
    .toString()
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  expect(rows.pop()).toEqual([])
  return rows
}

/** Downloads are rate limited per account. */
const OF_ONE_ACCOUNT = 25
const callers = new WeakMap<TestApp['app'], { caller: ReturnType<TestApp['as']>; asked: number }>()
const callerOf = ({ app, as }: Pick<TestApp, 'app' | 'as'>): ReturnType<TestApp['as']> => {
  const known = callers.get(app)
  const one = known && known.asked < OF_ONE_ACCOUNT ? known : { caller: as(10), asked: 0 }
  one.asked++
  callers.set(app, one)
  return one.caller
}

const fileOf = async (app: Pick<TestApp, 'app' | 'as'>, shown: Shown): Promise<string[][]> => {
  const response = await callerOf(app).trySend(downloadList, { body: { ...shown, format: 'csv' } })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  return readCsv(response.rawPayload)
}

/** What a page shows of the records in its call's response, computed the way the page does it. */
const pageOf = <T>(
  list: RecordList<T>,
  records: readonly T[],
  { search = '', sort, group, where }: { search?: string | undefined; sort?: string | undefined; group?: string; where?: string },
  passes: (record: T) => boolean,
): string[][] => {
  const asked = parseSort(sort, list.columns)
  const own = sortByDefault(list, records)
  const sorted = asked ? sortByColumn(own, asked.column, asked.isDescending, ZONE) : own
  const grouped = parseGroup(group, sort, list.columns)
  const ordered = grouped ? sortByColumn(sorted, grouped.column, grouped.isDescending, ZONE) : sorted
  const passesColumns = buildColumnFilter<T>(parseColumnFilters(where, list.columns), list.columns, ZONE)
  const isFound = createTextMatcher(search)
  const shown = ordered
    .filter((record) => isFound(buildSearchText(record, list.getSearchTexts)))
    .filter((record) => passes(record) && passesColumns(record))
  const columns = list.columns.filter(({ detailOf }) => detailOf === undefined)
  return [
    columns.map(({ label }) => label),
    ...shown.map((record) =>
      columns.map(({ text, day, isNumber }) =>
        formatCsvCell(
          String((day ?? text)(record, ZONE) ?? '')
            .replace(/\s+/g, ' ')
            .trim(),
          isNumber === true,
        )
          .replace(/^"(.*)"$/s, '$1')
          .replaceAll('""', '"'),
      ),
    ),
  ]
}

/** A network with difficult cases for lists: equal names, missing names, accents, every status, people at several sites. */
const createDifficultNetwork = async (): Promise<TestApp> => {
  const app = await startApp()
  const { make } = app
  const statuses: Status[] = ['ACTIVE', 'CLOSED - PERMANENTLY', 'PENDING', 'ACTIVE - TEMPORARY', 'CLOSED - TEMPORARILY']
  const names = ['Élan', 'elan', 'School 10', 'School 9', '=1+1', 'Zoë, "North"', 'Lodi', 'lodi', '-5', 'Östra']
  const region = await make.region('Ohio')
  const other = await make.region('Texas')
  const brand = await make.brand({ brandName: 'A brand' })
  await make.brand({ brandName: 'Closed brand', status: 'CLOSED - PERMANENTLY' })
  for (const [at, name] of names.entries()) {
    const status = statuses[at % 5] ?? 'ACTIVE'
    const charter = await make.charter({
      name,
      slug: `charter-${at}`,
      abbreviation: at % 3 ? `Ab ${name}` : null,
      brand: brand._id,
      status,
      studentCount: at % 4,
    })
    const site = await make.site({
      name,
      slug: `site-${at}`,
      displayName: name,
      status,
      charter: charter._id,
      region: at % 2 ? region._id : other._id,
      category: at % 3 ? 'Online' : 'Resource Center',
      zip: '00123',
      city: at % 4 ? 'Lodi' : null,
      latitude: 30 + at,
      longitude: -100,
    })
    const person = await make.person({ name: `${name} Smith`, slug: `person-${at}`, phone: at % 2 ? '209-555-0142' : null })
    await make.sitePerson(site._id, at % 2 ? 'Principal' : 'Counselor', person._id)
    await make.sitePerson(site._id, at % 2 ? 'Area Superintendent' : 'Registrar', person._id)
  }
  await sql`update charter set "charterWebsite" = '@evil' where name = 'Lodi'`.execute(app.context.db)
  return app
}

test('details of sites are in the file if their columns are named, and sort it', async () => {
  const app = await startApp()
  const { make } = app
  const hours = { start_day: 'Monday', end_day: 'Friday', start_time: '8:00AM', end_time: '4:30PM' }
  const [lodi, galt] = [await make.site({ displayName: 'Lodi', ...hours }), await make.site({ displayName: 'Galt' })]
  await make.facility(lodi._id, { county: 'San Joaquin', lease_end: '2030-06-30' })
  await make.facility(galt._id, { county: 'Sacramento' })
  const columns = ['name', 'hours', 'facility_info.county', 'facility_info.lease_end']
  const rows = await fileOf(app, { list: 'sites', columns, sort: '-facility_info.county' })
  expect(rows).toEqual([
    ['Name', 'Hours', 'County', 'Lease end'],
    ['Lodi', 'Monday to Friday, 8:00AM to 4:30PM', 'San Joaquin', '2030-06-30'],
    ['Galt', '', 'Sacramento', ''],
  ])
  const filters = { where: 'facility_info.county~joaquin' }
  expect(await fileOf(app, { list: 'sites', columns: ['name'], filters })).toEqual([['Name'], ['Lodi']])
  expect(await fileOf(app, { list: 'sites', columns: ['name'], group: 'facility_info.county' })).toEqual([['Name'], ['Galt'], ['Lodi']])
})

test('the file of every list contains exactly what its page shows, in the same order', async () => {
  const app = await createDifficultNetwork()
  const me = app.as(10)
  const [sites, charters, brands, regions, locations, leaders, support, staff] = await Promise.all([
    me.send(listSiteSummaries),
    me.send(listCharters),
    me.send(listBrands),
    me.send(listRegions),
    me.send(listSiteLocations),
    me.send(listPeopleOfGroup, { params: { group: 'LEADERSHIP' } }),
    me.send(listPeopleOfGroup, { params: { group: 'STUDENT_SUPPORT' } }),
    me.send(listPeople),
  ])
  expect([sites.length, charters.length, brands.length, leaders.length, support.length]).toEqual([10, 10, 2, 5, 5])
  const ohio = regions.find(({ slug }) => slug === 'ohio') ?? regions[0]
  const region = await me.send(readRegion, { params: { slug: ohio?._id ?? '' } })
  const charter = await me.send(readCharter, { params: { slug: charters[0]?._id ?? '' } })
  const brand = await me.send(readBrand, { params: { id: brands.find(({ charters: of }) => of.length > 0)?._id ?? '' } })
  const area = '-101,30,-99,34.5'
  const shows = createAreaFilter(parseArea(area), filterLocatedSites(locations))
  const inOhio = new Set(ohio?.sites.map(({ _id }) => _id))
  const isAny = () => true
  const states: [Shown, string[][]][] = []
  for (const look of [
    {},
    { sort: 'city' },
    { sort: '-name' },
    { sort: '-status', search: ' LODI ' },
    { search: 'elan' },
    { sort: 'type' },
  ]) {
    for (const filters of [
      {},
      { status: 'active' },
      { status: 'closed', type: 'Online' },
      { status: 'coming-soon' },
      { status: 'updated', region: 'ohio' },
    ] as const)
      states.push([{ list: 'sites', filters, ...look }, pageOf(SITE_LIST, sites, look, buildSiteFilter(filters, ZONE))])
    for (const filters of [{ status: 'all' }, { status: 'active', type: 'Online' }, { status: 'closed' }] as const)
      states.push([
        { list: 'region_sites', of: region._id, filters, ...look },
        pageOf(SITE_LIST, region.sites, look, buildRegionSiteFilter(filters)),
      ])
    const near = { status: 'all', area } as const
    states.push([
      { list: 'region_sites', of: region.slug, filters: near, ...look },
      pageOf(SITE_LIST, region.sites, look, (site) => buildRegionSiteFilter(near)(site) && shows(site._id)),
    ])
  }
  for (const [where, look] of [
    ['city!', { group: 'status', sort: '-name' }],
    ['name~elan;city:|Lodi, CA', {}],
    ['status:Closed - Permanently|Active - Permanent', { group: 'city', search: 'lodi' }],
    ['charter:-5|Zoë, "North"', { group: 'name', sort: '-name' }],
  ] as const)
    states.push([
      { list: 'sites', filters: { status: 'active', where }, ...look },
      pageOf(SITE_LIST, sites, { where, ...look }, buildSiteFilter({ status: 'active' }, ZONE)),
    ])
  states.push([
    { list: 'charters', filters: { where: 'students:0|2' }, group: 'students', sort: '-students' },
    pageOf(CHARTER_LIST, charters, { where: 'students:0|2', group: 'students', sort: '-students' }, isAny),
  ])
  states.push([
    { list: 'leadership', filters: { where: 'phone:' }, group: 'city' },
    pageOf(STAFF_LIST, leaders, { where: 'phone:', group: 'city' }, isAny),
  ])
  for (const status of ['all', 'active', 'closed'] as const) {
    const ofGroup = (record: { status: Status }) => isInStatusGroup(status, record.status)
    for (const look of [{}, { sort: 'students' }, { sort: '-students' }, { sort: '-counted', search: 'lodi' }, { sort: 'abbreviation' }])
      states.push([{ list: 'charters', filters: { status }, ...look }, pageOf(CHARTER_LIST, charters, look, ofGroup)])
    for (const look of [{}, { search: 'ab ' }])
      states.push([
        { list: 'brand_charters', of: brand._id, filters: { status }, ...look },
        pageOf(BRAND_CHARTERS_LIST, brand.charters, look, ofGroup),
      ])
    states.push([{ list: 'charter_sites', of: charter.slug, filters: { status } }, pageOf(SITE_LIST, charter.sites, {}, ofGroup)])
    for (const look of [{}, { sort: '-charters' }])
      states.push([{ list: 'brands', filters: { status }, ...look }, pageOf(BRAND_LIST, brands, look, ofGroup)])
  }
  states.push([{ list: 'regions' }, pageOf(REGION_LIST, regions, {}, isAny)])
  states.push([{ list: 'regions', filters: { area } }, pageOf(REGION_LIST, regions, {}, buildRegionFilter(shows))])
  for (const look of [{}, { sort: '-phone' }, { sort: 'site', search: 'smith' }, { sort: '-role' }])
    for (const [list, people, role] of [
      ['leadership', leaders, 'Principal'],
      ['support', support, 'Counselor'],
      ['staff', staff, 'Counselor'],
    ] as const)
      for (const filters of [{}, { role }, { region: 'ohio' }, { role, region: 'ohio' }])
        states.push([
          { list, filters, ...look },
          pageOf(STAFF_LIST, people, look, buildStaffFilter(filters, 'region' in filters ? (site) => inOhio.has(site) : null)),
        ])
  for (const [shown, page] of states) expect([shown, await fileOf(app, shown)]).toEqual([shown, page])
  // The results differ, and are not empty.
  expect(new Set(states.map(([, page]) => JSON.stringify(page))).size).toBeGreaterThan(40)
})

test('a list is a workbook: text with its zeros, real dates and numbers, never a formula', async () => {
  const { as, make } = await network()
  const brand = await make.brand({ brandName: '=Brand' })
  await make.charter({ brand: brand._id, name: '=1+1 of a workbook', studentCount: 42, charterContactnumber: '001-555-0142' })
  await sql`update charter set "studentCountUpdatedAt" = '2026-11-21T05:00:00Z' where name = '=1+1 of a workbook'`.execute(
    (await network()).context.db,
  )
  const response = await as(10).trySend(downloadList, { body: { list: 'charters', format: 'xlsx', search: 'of a workbook' } })
  expect(decodeURIComponent(String(response.headers['content-disposition']))).toMatch(
    /filename\*=UTF-8''Charters - \d\d-\d\d-\d{4}_\d\d:\d\d[AP]M\.xlsx$/,
  )
  const [sheet] = await readWorkbook(response.rawPayload)
  expect([sheet?.name, sheet?.heads]).toEqual(['Charters', CHARTER_LIST.columns.map(({ label }) => label)])
  expect(sheet?.rows).toEqual([
    expect.objectContaining({
      Name: '=1+1 of a workbook',
      Brand: '=Brand',
      Students: { number: 42 },
      Phone: '001-555-0142',
      'Count changed': { day: '2026-11-20' },
    }),
  ])
})

test('a CSV cell that a spreadsheet would evaluate begins with an apostrophe, except numbers', () => {
  expect(['=1+1', '+1', '-5', '@A', 'a,"b"', ' a', 'plain'].map((text) => formatCsvCell(text, false))).toEqual([
    `"'=1+1"`,
    `"'+1"`,
    `"'-5"`,
    `"'@A"`,
    '"a,""b"""',
    '" a"',
    'plain',
  ])
  expect(['-5', '-5.5', '=5'].map((text) => formatCsvCell(text, true))).toEqual(['-5', '-5.5', `"'=5"`])
})

test('the columns are those requested, in that order', async () => {
  const app = await network()
  const rows = await fileOf(app, { list: 'sites', columns: ['zip', 'name'], search: app.site.displayName })
  expect(rows).toEqual([
    ['ZIP code', 'Name'],
    [app.site.zip ?? '', app.site.displayName],
  ])
})

test('an empty list is only its header', async () => {
  const app = await network()
  const { as } = app
  const body = { list: 'brands', search: 'nothing is called like this' } as const
  expect(await fileOf(app, body)).toHaveLength(1)
  const [sheet] = await readWorkbook((await as(10).trySend(downloadList, { body: { ...body, format: 'xlsx' } })).rawPayload)
  expect(sheet?.rows).toEqual([])
})

test('the log records the list, its filters and the number of rows', async () => {
  const app = await network()
  const caller = app.as(10)
  const body = { list: 'charter_sites', of: app.charter.slug, format: 'csv', filters: { status: 'active' }, search: ' A ' } as const
  const response = await caller.trySend(downloadList, { body })
  const { azureID } = await caller.who()
  const mine = async () => (await app.as(1).send(listDownloads)).find((one) => one.azureID === azureID)
  await expect.poll(mine).toMatchObject({
    kind: `List: Sites of ${app.charter.name} (CSV), status: active, search: A`,
    rows: readCsv(response.rawPayload).length - 1,
    bytes: response.rawPayload.length,
    outcome: 'whole',
  })
})

test('an unknown list, column, filter or record is a field error', async () => {
  const { as, site } = await network()
  const wrong: [object, string][] = [
    [{ list: 'charter_affairs' }, 'list'],
    [{ list: 'sites', rows: [['mine']] }, 'rows'],
    [{ list: 'sites', format: 'pdf' }, 'format'],
    [{ list: 'sites', columns: ['fein'] }, 'columns.0'],
    [{ list: 'sites', columns: [] }, 'columns'],
    [{ list: 'sites', columns: ['name', 'name'] }, 'columns'],
    [{ list: 'sites', sort: 'fein' }, 'sort'],
    [{ list: 'sites', group: 'fein' }, 'group'],
    [{ list: 'sites', filters: { where: 'fein:1' } }, 'filters.where'],
    [{ list: 'sites', filters: { brand: 'x' } }, 'filters.brand'],
    [{ list: 'sites', filters: { status: 'open' } }, 'filters.status'],
    [{ list: 'sites', filters: { region: 'atlantis' } }, 'filters.region'],
    [{ list: 'sites', filters: { type: 'Castle' } }, 'filters.type'],
    [{ list: 'leadership', filters: { role: 'Counselor' } }, 'filters.role'],
    [{ list: 'regions', filters: { area: '1,2,3' } }, 'filters.area'],
    [{ list: 'region_sites' }, 'of'],
    [{ list: 'region_sites', of: 'atlantis' }, 'of'],
    [{ list: 'charter_sites', of: site._id }, 'of'],
    [{ list: 'brand_charters', of: 'nobody' }, 'of'],
  ]
  for (const [body, path] of wrong) {
    const response = await as(10).request('POST', downloadList.path, { payload: { format: 'csv', ...body } })
    expect([body, response.statusCode, response.json().errors?.[0]?.path]).toEqual([body, 422, path])
  }
})

test('the name of a list’s file is a valid file name', () => {
  expect(getListFileName('North/South: "1"?', 'csv', new Date('2026-11-21T01:05:00Z'), 'America/Los_Angeles')).toBe(
    'North South 1 - 11-20-2026_05:05PM.csv',
  )
})

test('a list can have any name, and its file also has an ASCII name for clients that need one', async () => {
  const { as, make, brand } = await network()
  const { _id } = await make.charter({ brand: brand._id, name: 'O’Brien “Łódź” (中文)' })
  const response = await as(10).trySend(downloadList, { body: { list: 'charter_sites', of: _id, format: 'csv' } })
  expect(response.statusCode).toBe(200)
  const disposition = String(response.headers['content-disposition'])
  expect(disposition).toMatch(/^attachment; filename="[ -~]+\.csv"; filename\*=UTF-8''[\w.%~!$&+^`|-]+$/)
  expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toMatch(/^Sites of O’Brien “Łódź” \(中文\) - /)
})
