import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { loadSample } from '../../../sample/load.server.ts'
import { type SignedInCaller, startApp, type TestApp } from '../../../test/support/app.ts'
import { buildColumnFilter, parseColumnFilters } from '../../contract/column-filters.ts'
import type { ListColumn } from '../../contract/lists.ts'
import type { SiteSummary } from '../../contract/references.ts'
import { isActive } from '../../contract/status.ts'
import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import { type Charter, listCharters } from '../../records/charters/contract.ts'
import { buildCharterFilter, CHARTER_LIST } from '../../records/charters/list.ts'
import { listPeople, listPeopleOfGroup, listRoles, type Person } from '../../records/people/contract.ts'
import { buildStaffFilter, STAFF_LIST } from '../../records/people/list.ts'
import { listSites, listSiteSummaries, type Site } from '../../records/sites/contract.ts'
import { buildSiteFilter, SITE_LIST } from '../../records/sites/list.ts'
import { type CoveredSite, listCoverage } from '../coverage/contract.ts'
import { listVacantRoles } from '../coverage/rules.ts'
import { type Insight, type InsightQuery, listInsights, readInsight } from './contract.ts'

const TIME_ZONE = 'America/Los_Angeles'
let app: TestApp
let reader: SignedInCaller

beforeAll(async () => {
  app = await startApp({ TIME_ZONE })
  await loadSample({ db: app.context.db, sites: 60 })
  app.context.readModel.invalidateAll()
  reader = app.as(1)
}, 120_000)
afterAll(() => app.stop())

const read = (name: string, query: InsightQuery = {}): Promise<Insight> => reader.send(readInsight, { params: { name }, query })

/** The lists by their address: nothing changes here. */
const lists = new Map<string, readonly unknown[]>()
const readList = async <T>(path: string, on: string | undefined): Promise<readonly T[]> => {
  const address = `${path}${on === undefined ? '' : `?on=${on}`}`
  const rows: readonly unknown[] = lists.get(address) ?? (await reader.request('GET', address)).json()
  lists.set(address, rows)
  return rows as readonly T[]
}

/** How many records the list of a link shows. */
const countListed = async (link: string): Promise<number> => {
  const { pathname, searchParams } = new URL(link, 'https://homeroom.example')
  const { on, where, status, role, ...filters } = Object.fromEntries(searchParams)
  const count = <T>(records: readonly T[], columns: readonly ListColumn<T>[], filter: (record: T) => boolean): number => {
    const matches = buildColumnFilter(parseColumnFilters(where, columns), columns, TIME_ZONE)
    return records.filter((record) => filter(record) && matches(record)).length
  }
  switch (pathname) {
    case '/locations': {
      const details = new Map((await readList<Site>(listSites.path, on)).map((site) => [site._id, site]))
      const sites = (await readList<SiteSummary>(listSiteSummaries.path, on)).map((site) => ({ ...details.get(site._id), ...site }))
      return count(sites, SITE_LIST.columns, buildSiteFilter({ ...filters, status: status as 'active' }, TIME_ZONE))
    }
    case '/charters':
      return count(await readList<Charter>(listCharters.path, on), CHARTER_LIST.columns, buildCharterFilter({ status: status as 'active' }))
    case '/coverage': {
      const roles = (await reader.send(listRoles)).filter(({ name }) => role?.split(',').includes(name))
      const sites = (await readList<CoveredSite>(listCoverage.path, on)).filter((site) => isActive(site.status))
      return sites.filter(
        (site) => (filters['region'] ?? site.region?.slug) === site.region?.slug && listVacantRoles(site, roles).length > 0,
      ).length
    }
    case '/staff':
    case '/leadership': {
      const people = await readList<Person>(
        pathname === '/staff' ? listPeople.path : listPeopleOfGroup.path.replace(':group', 'LEADERSHIP'),
        on,
      )
      const sites = await readList<SiteSummary>(listSiteSummaries.path, on)
      const ofRegion = new Set(sites.flatMap((site) => (site.region?.slug === filters['region'] ? [site._id] : [])))
      return count(
        people,
        STAFF_LIST.columns,
        buildStaffFilter({ role }, filters['region'] === undefined ? null : (site) => ofRegion.has(site)),
      )
    }
    default:
      throw new Error(`No list is known for ${link}`)
  }
}

describe('the links of insights lead to exactly what was counted', () => {
  let filters: InsightQuery[]
  beforeAll(async () => {
    const [site] = (await reader.send(listSites)).filter(({ status, charter }) => status === 'ACTIVE' && charter !== null)
    const charter = (await reader.send(listCharters)).find(({ _id }) => _id === site?.charter?._id)
    const past = addDays(new Date().toISOString().slice(0, 10), -100)
    filters = [
      {},
      { region: site?.region?.slug },
      { brand: charter?.brand },
      { charter: charter?.slug },
      { type: site?.category ?? undefined },
      { to: past, region: site?.region?.slug },
    ]
  })

  test('from the title of each insight that says how many records there are', async () => {
    const said = new Set<string>()
    const insights = await reader.send(listInsights, { query: { titles: 'no' } })
    for (const filter of filters)
      for (const { name } of insights) {
        const { records, link } = await read(name, filter)
        if (records === null) continue
        said.add(name)
        expect(await countListed(link), `${name} ${JSON.stringify(filter)} ${link}`).toBe(records)
      }
    expect([...said].toSorted()).toEqual([
      'charter-expirations',
      'charter-terms',
      'checked-share',
      'lease-ends',
      'lease-map',
      'lease-open-ended',
      'lease-parties',
      'principal-changes',
      'site-load',
      'site-openings',
      'site-pending',
      'site-status',
      'site-types',
      'student-change',
      'student-share',
      'students',
      'vacancies',
      'vacancy-age',
    ])
  }, 60_000)

  test.each([
    ['site-status', 'status'],
    ['site-status', 'region'],
    ['site-status', 'brand'],
    ['site-status', 'charter'],
    ['site-status', 'type'],
    ['site-types', 'type'],
    ['vacancies', 'role'],
    ['lease-ends', 'year'],
    ['lease-open-ended', 'brand'],
    ['lease-parties', 'holder'],
    ['lease-parties', 'guarantor'],
  ])(
    'from the series of %s by %s',
    async (name, by) => {
      for (const filter of filters) {
        const { series } = await read(name, { ...filter, by })
        const linked = series.filter(({ link }) => link)
        expect(linked.length).toBeGreaterThanOrEqual(Math.min(series.length, 1))
        for (const { label, link, points } of linked)
          expect(await countListed(link ?? ''), `${label} ${JSON.stringify(filter)} ${link}`).toBe(points.at(-1)?.value)
      }
    },
    60_000,
  )

  test.each([
    ['site-openings', {}],
    ['staff-moves', {}],
    ['staff-moves', { by: 'joined' }],
    ['staff-moves', { by: 'moved' }],
    ['staff-moves', { by: 'left' }],
    ['lease-ends', { by: 'region' }],
    ['charter-expirations', { by: 'authorizer' }],
    ['charter-expirations', { by: 'brand' }],
  ])(
    'from the bars of %s %o',
    async (name, query) => {
      const { series } = await read(name, query)
      const points = series.flatMap((one) => one.points.filter(({ link }) => link))
      expect(points.length).toBeGreaterThan(1)
      for (const { link, value } of points) expect(await countListed(link ?? ''), link ?? '').toBe(value)
    },
    60_000,
  )
})
