import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { countMiss, deleteOldMisses, missList, MOST_MISSES, MOST_TIMES } from './queries.server.ts'

let net: TestApp
beforeAll(async () => {
  net = await startApp()
})
beforeEach(() => sql`truncate search_miss`.execute(net.context.db))

const later = () => sql`update search_miss set at = at - interval '1 minute'`.execute(net.context.db)
const misses = async () => (await missList(net.context.db)).map(({ query, count }) => [query, count])
const numberOfRows = async () => (await net.context.db.selectFrom('search_miss').select('_id').execute()).length

test('the same search of the same visitor is one row, however often, and shows how often it was made', async () => {
  const { db } = net.context
  for (let n = 0; n < 3; n++) {
    await countMiss(db, 'a', 'zebra')
    await later()
  }
  await countMiss(db, 'b', 'zebra')
  expect(await misses()).toEqual([['zebra', 4]])
  expect(await numberOfRows()).toBe(2)
  await sql`update search_miss set times = ${MOST_TIMES}`.execute(db)
  await later()
  await countMiss(db, 'b', 'zebra')
  expect(await misses()).toEqual([['zebra', 2 * MOST_TIMES]])
})

test('letters typed on after a search that counted before take nothing from it', async () => {
  const { db } = net.context
  await countMiss(db, 'a', 'zebra')
  await later()
  for (const query of ['ze', 'zebra', 'zebra crossing']) await countMiss(db, 'a', query)
  expect(await misses()).toEqual([
    ['zebra crossing', 1],
    ['zebra', 1],
  ])
})

test('of one visitor so many different searches of a day are kept, and of everybody so many rows', async () => {
  const { db } = net.context
  await sql`insert into search_miss (query, visitor) select 'search ' || n, 'a' from generate_series(1, ${MOST_MISSES}::int) as n`.execute(
    db,
  )
  await countMiss(db, 'a', 'one too many')
  await countMiss(db, 'b', 'of another')
  expect(await numberOfRows()).toBe(MOST_MISSES + 1)
  expect((await misses()).map(([query]) => query)).not.toContain('one too many')
  await deleteOldMisses(db, 90, 10)
  expect(await numberOfRows()).toBe(10)
  expect((await misses()).map(([query]) => query)).toContain('of another')
})
