import type { Pool } from 'pg'
import { beforeAll, expect, test } from 'vitest'

import { loadSample } from '../../../../sample/load.server.ts'
import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { SEARCH_EXPECTATIONS } from '../../../../test/support/search-expectations.ts'
import { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { archiveRecord } from '../../changing/archive/contract.ts'
import { searchEarly } from './early-search.server.ts'
import { searchRecords } from './queries.server.ts'

const OPTIONS = { only: undefined, maxPerKind: 5, withAffairs: false }

let net: TestApp
beforeAll(async () => {
  net = await startApp()
  await loadSample({ db: net.context.db, sites: 300 })
  net.context.lists.invalidateAll(true)
})

/** A search while the records are still being read, which takes until `finish` is called. */
const searchAtStart = (typed: string) => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const connect = () => finished.then(() => net.context.pool.connect())
  const readModel = new ReadModel({ connect } as unknown as Pool)
  readModel.isFollowing = true
  return { found: searchRecords({ ...net.context, readModel }, typed, OPTIONS), finish }
}

const getBest = ({ groups }: Awaited<ReturnType<typeof searchRecords>>) =>
  groups.toSorted((a, b) => (b.hits[0]?.score ?? 0) - (a.hits[0]?.score ?? 0))[0]?.hits[0]?.hit

test('names, places and phone numbers are found before all records are read, with the lines that they have later', async () => {
  const early = (
    await Promise.all(SEARCH_EXPECTATIONS.map(async ([typed]) => ((await searchEarly(net.context, typed, OPTIONS)) ? typed : [])))
  ).flat()
  expect(early.length).toBeGreaterThan(50)
  await Promise.all(
    early.map(async (typed) => {
      const [atStart, later] = await Promise.all([searchAtStart(typed).found, searchRecords(net.context, typed, OPTIONS)])
      expect(getBest(atStart), typed).toEqual(getBest(later))
      expect(
        atStart.groups.every(({ more }) => more),
        typed,
      ).toBe(true)
    }),
  )
})

test('a misspelled name is found once the records are read', async () => {
  const { found, finish } = searchAtStart('hanna ashwerth')
  finish()
  expect(getBest(await found)?.name).toBe('Hannah Ashworth')
})

test('an archived record is not found before all records are read', async () => {
  const { _id } = await net.make.person({ name: 'Quillon Zephyrine' })
  const find = async () => (await searchEarly(net.context, 'quillon zephyrine', OPTIONS))?.result.groups.flatMap(({ hits }) => hits) ?? []
  expect(await find()).toMatchObject([{ _id }])
  await net.as(6).send(archiveRecord, { body: { kind: 'person', _id, reason: 'Added twice' } })
  expect(await find()).toEqual([])
})
