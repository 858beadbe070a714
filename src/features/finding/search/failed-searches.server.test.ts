import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { countFailedSearch, deleteOldFailedSearches, MAX_FAILED_SEARCHES, MAX_COUNT } from './mutations.server.ts'
import { getFailedSearches } from './queries.server.ts'

let net: TestApp
beforeAll(async () => {
  net = await startApp()
})
beforeEach(() => sql`truncate search_miss`.execute(net.context.db))

const later = () => sql`update search_miss set at = at - interval '1 minute'`.execute(net.context.db)
const failedSearches = async () => (await getFailedSearches(net.context.db)).map(({ query, count }) => [query, count])
const numberOfRows = async () => (await net.context.db.selectFrom('search_miss').select('_id').execute()).length

test('a repeated search by one visitor is one row with a count', async () => {
  const { db } = net.context
  for (let n = 0; n < 3; n++) {
    await countFailedSearch(db, 'a', 'zebra')
    await later()
  }
  await countFailedSearch(db, 'b', 'zebra')
  expect(await failedSearches()).toEqual([['zebra', 4]])
  expect(await numberOfRows()).toBe(2)
  await sql`update search_miss set times = ${MAX_COUNT}`.execute(db)
  await later()
  await countFailedSearch(db, 'b', 'zebra')
  expect(await failedSearches()).toEqual([['zebra', 2 * MAX_COUNT]])
})

test('continued typing does not reduce the count of an earlier search', async () => {
  const { db } = net.context
  await countFailedSearch(db, 'a', 'zebra')
  await later()
  for (const query of ['ze', 'zebra', 'zebra crossing']) await countFailedSearch(db, 'a', query)
  expect(await failedSearches()).toEqual([
    ['zebra crossing', 1],
    ['zebra', 1],
  ])
})

test('the number of searches per visitor and of all rows is limited', async () => {
  const { db } = net.context
  await sql`insert into search_miss (query, visitor) select 'search ' || n, 'a' from generate_series(1, ${MAX_FAILED_SEARCHES}::int) as n`.execute(
    db,
  )
  await countFailedSearch(db, 'a', 'one too many')
  await countFailedSearch(db, 'b', 'of another')
  expect(await numberOfRows()).toBe(MAX_FAILED_SEARCHES + 1)
  expect((await failedSearches()).map(([query]) => query)).not.toContain('one too many')
  await deleteOldFailedSearches(db, 90, 10)
  expect(await numberOfRows()).toBe(10)
  expect((await failedSearches()).map(([query]) => query)).toContain('of another')
})
