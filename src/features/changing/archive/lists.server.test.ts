import { expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { connectDevice } from '../../../../test/support/dav.ts'
import { listCoverage } from '../../../app/coverage/contract.ts'
import { readCounts } from '../../../app/home/contract.ts'
import { readBrand } from '../../../records/brands/contract.ts'
import { listCharters, readStudentTotal } from '../../../records/charters/contract.ts'
import { downloadList } from '../../../records/list-download/contract.ts'
import { listSiteLocations } from '../../../records/map/contract.ts'
import { listPeople, listPeopleOfGroup } from '../../../records/people/contract.ts'
import { readRegion } from '../../../records/regions/contract.ts'
import { listSisSites } from '../../../records/sis-sites/contract.ts'
import { listSites, listSiteSummaries } from '../../../records/sites/contract.ts'
import { readOffline } from '../../access/offline/contract.ts'
import { createCalendar } from '../../deadlines/calendars/contract.ts'
import { listDeadlines, createDeadline } from '../../deadlines/deadlines/contract.ts'
import { addFavorite, listFavorites } from '../../finding/favorites/contract.ts'
import { search } from '../../finding/search/contract.ts'
import { listChecks } from '../checks/contract.ts'
import { archiveRecord, type ArchiveState, restoreRecord } from './contract.ts'

type Caller = ReturnType<TestApp['as']>
type Kind = ArchiveState['kind']
const archive = (caller: Caller, kind: Kind, _id: string, headers: Record<string, string> = {}) =>
  caller.trySend(archiveRecord, { body: { kind, _id, reason: 'Made by mistake' }, headers })
const restore = (caller: Caller, kind: Kind, id: string) => caller.trySend(restoreRecord, { params: { kind, id } })

test('an archived site and charter leave every list, and come back', { timeout: 30_000 }, async () => {
  const app = await startApp()
  const { make, as } = app
  const manager = as(5)
  const [region, brand] = [await make.region(), await make.brand({ brandName: 'Quartz' })]
  const charter = await make.charter({ name: 'Quartz', brand: brand._id, studentCount: 40 })
  const site = await make.site({ displayName: 'Quartz', charter: charter._id, region: region._id, latitude: 38, longitude: -121 })
  const person = await make.person({ name: 'Quartz' })
  await make.person({ name: 'Ruth Alder' })
  await make.sisSite({ site: site._id, name: 'Quartz' })
  await make.sisSite({ name: 'Another' })
  await manager.send(createDeadline, { body: { site: site._id, kind: 'lease', title: 'Quartz', date: '2031-05-05' } } as never)
  for (const [kind, { _id }] of [
    ['site', site],
    ['person', person],
    ['charter', charter],
  ] as const)
    await manager.send(addFavorite, { params: { kind, id: _id } })
  const device = await connectDevice(app, manager)
  const second = await app.startSecond()
  const { url } = await manager.send(createCalendar, { body: { name: 'Deadlines' } })
  /** What has no ids: the number of rows of a workbook, the titles of a calendar feed, and the number of students. */
  const readOthers = async () => ({
    facilities: (await manager.request('GET', '/api/exports/preview/facilities')).json<{ rows: number }>().rows,
    affairs: (await manager.request('GET', '/api/exports/preview/charter_affairs')).json<{ rows: number }>().rows,
    calendar: (await app.anonymous.request('GET', new URL(url).pathname)).body.includes('Quartz'),
    students: (await manager.send(readStudentTotal)).total,
    file: (await manager.trySend(downloadList, { body: { list: 'sites', format: 'csv' } } as never)).body.includes('Quartz'),
  })
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    sites: () => manager.send(listSites),
    summaries: () => manager.send(listSiteSummaries),
    charters: () => manager.send(listCharters),
    brand: () => manager.send(readBrand, { params: { id: brand._id } }),
    region: () => manager.send(readRegion, { params: { slug: region.slug } }),
    people: () => manager.send(listPeople),
    sis: () => manager.send(listSisSites),
    coverage: () => manager.send(listCoverage),
    favorites: () => manager.send(listFavorites),
    checks: () => manager.send(listChecks, { query: {} }),
    deadlines: () => manager.send(listDeadlines, { query: {} }),
    search: () => manager.send(search, { query: { q: 'quartz' } }),
    places: () => manager.send(listSiteLocations),
    offline: async () => (await manager.send(readOffline, { query: {} })).rows,
    contacts: async () => (await device.propfind(`${device.home}all-staff/`, '<D:getetag/>', '1')).map(({ href }) => href),
    region_contacts: async () => (await device.propfind(`${device.home}favorites/`, '<D:getetag/>', '1')).map(({ href }) => href),
    second_server: async () => (await second.asAccount((await manager.who()).account).request('GET', '/locations-api/sites_pop')).json(),
  }
  const readAll = async () => {
    const found: Record<string, string> = {}
    for (const [name, read] of Object.entries(calls)) found[name] = JSON.stringify(await read())
    return found
  }
  const ids = [site._id, charter._id, person._id]
  const listMissing = (found: Record<string, string>): string[] =>
    Object.keys(found).filter((name) => !ids.some((_id) => found[name]?.includes(_id)))
  expect(listMissing(await readAll())).toEqual([])
  const others = await readOthers()
  expect(others).toMatchObject({ calendar: true, students: 40, file: true })
  const counts = await manager.send(readCounts)
  const copy = await manager.send(readOffline, { query: {} })

  for (const [kind, { _id }] of [
    ['site', site],
    ['charter', charter],
    ['person', person],
  ] as const)
    expect((await archive(manager, kind, _id)).statusCode).toBe(200)
  for (const [name, text] of Object.entries(await readAll()))
    expect(
      ids.filter((_id) => text.includes(_id)),
      name,
    ).toEqual([])
  expect(await readOthers()).toEqual({
    ...others,
    facilities: others.facilities - 1,
    affairs: others.affairs - 1,
    calendar: false,
    students: 0,
    file: false,
  })
  const archivedCsv = await manager.trySend(downloadList, { body: { list: 'sites', format: 'csv', archived: '1', filters: {} } } as never)
  expect(archivedCsv.body).toContain('Quartz')
  expect(await manager.send(readCounts)).toEqual({
    ...counts,
    sites: counts.sites - 1,
    charters: counts.charters - 1,
  })
  const changed = await manager.send(readOffline, { query: { since: copy.token } })
  expect(changed.isWhole).toBe(false)
  expect(changed.removed).toMatchObject({ site: [site._id], person: [person._id], facility: [site._id], sis_site: [expect.any(String)] })
  expect(
    Object.values(changed.rows)
      .flat()
      .filter((row) => ids.includes(String(row['_id']))),
  ).toEqual([])
  expect((await manager.send(listPeopleOfGroup, { params: { group: 'LEADERSHIP' } })).length).toBe(0)
  const leadership = await manager.request('GET', '/locations-api/people_sites_divide/LEADERSHIP?archived=1')
  expect(leadership.json()).toMatchObject([{ _id: person._id }])

  for (const [kind, { _id }] of [
    ['charter', charter],
    ['site', site],
    ['person', person],
  ] as const)
    expect((await restore(manager, kind, _id)).statusCode).toBe(200)
  expect(listMissing(await readAll())).toEqual([])
  const back = await manager.send(readOffline, { query: { since: changed.token } })
  for (const table of ['sis_site', 'facility']) expect(back.rows[table], table).toContainEqual(expect.objectContaining({ site: site._id }))
  expect(await manager.send(readCounts)).toEqual(counts)
  expect(await readOthers()).toEqual(others)
})
