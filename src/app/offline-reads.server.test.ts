import { expect, test } from 'vitest'

import { loadSample } from '../../sample/load.server.ts'
import { startApp } from '../../test/support/app.ts'
import { callName } from '../contract/call.ts'
import { readOffline } from '../features/access/offline/contract.ts'
import { search } from '../features/finding/search/contract.ts'
import { createOfflineReads, OFFLINE_CALLS } from './offline-reads.server.ts'
import { calls } from './routes.server.ts'

const TYPED = [
  'principal lodi',
  'marisol',
  'calt',
  '209 555',
  'resource center',
  'chartr',
  'lodi staff',
  'vacant principal',
  'settings',
  'zzzz',
]

test('a browser answers each read from its copy as the server does, and finds the same in the same order', async () => {
  const { context, as } = await startApp()
  await loadSample({ db: context.db, sites: 12 })
  const reader = as(10)
  const { rows, accessLevel } = await reader.send(readOffline)
  const reads = createOfflineReads(new Map(Object.entries(rows)), accessLevel)
  const pick = async (table: 'site' | 'person' | 'charter' | 'brand' | 'region') =>
    context.db.selectFrom(table).select(['_id', 'slug']).orderBy('_id').limit(3).execute()
  const [sites, people, charters, brands, regions] = await Promise.all(
    (['site', 'person', 'charter', 'brand', 'region'] as const).map(pick),
  )
  const keysOf = { site: sites, person: people, charter: charters, brand: brands, region: regions }
  const listParams = (path: string): Record<string, string>[] => {
    if (path.includes(':group')) return [{ group: 'LEADERSHIP' }, { group: 'STUDENT_SUPPORT' }]
    const kind = (['person', 'charter', 'brand', 'region', 'site'] as const).find((one) => path.includes(one === 'person' ? 'people' : one))
    const [, parameter = ''] = /:(\w+)/.exec(path) ?? []
    if (parameter === '') return [{}]
    return (keysOf[path.includes('coverage') ? 'region' : (kind ?? 'site')] ?? []).flatMap(({ _id, slug }) => [
      { [parameter]: _id },
      { [parameter]: slug.toUpperCase() },
    ])
  }
  const compared = new Set<string>()
  for (const call of calls.filter((one) => OFFLINE_CALLS.includes(callName(one)) && one !== search))
    for (const params of listParams(call.path)) {
      const path = call.path.replace(/:(\w+)/, (_, name: string) => encodeURIComponent(params[name] ?? ''))
      const server = await reader.request('GET', path)
      // A site has a charter affair, or not: this is not on devices.
      const json = server.body.replaceAll(/"charter_affair_info":\[[^\]]*\]/g, '"charter_affair_info":[]')
      const own = await reads(call, { params })
      expect(server.statusCode, path).toBe(200)
      expect(JSON.parse(JSON.stringify(own?.answer)), path).toEqual(JSON.parse(json))
      compared.add(callName(call))
    }
  expect([...compared].toSorted()).toEqual(OFFLINE_CALLS.filter((name) => name !== callName(search)).toSorted())
  for (const q of TYPED) expect((await reads(search, { query: { q } }))?.answer, q).toEqual(await reader.send(search, { query: { q } }))
  await expect(
    reads(calls.find(({ path }) => path.endsWith('people_sites_slug/:slug')) ?? search, { params: { slug: 'nobody' } }),
  ).rejects.toMatchObject({ status: 404 })
})
