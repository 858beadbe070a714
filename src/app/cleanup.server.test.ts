import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { startApp } from '../../test/support/app.ts'
import { deleteInBatches } from '../database/delete-rows.server.ts'
import { deleteExpiredLogs } from './cleanup.server.ts'

test('page views, errors and searches are deleted when their retention period ends, not a day earlier', async () => {
  const { context } = await startApp({ KEEP_PAGE_VIEWS_MONTHS: '2', KEEP_ERRORS_DAYS: '10', KEEP_SEARCHES_DAYS: '5' })
  const { db } = context
  const rows = [
    ["page_view (page, visitor, at) values ('/', 'a', ", "interval '2 months'"],
    ['error_log ("errorMessage", at) values (\'x\', ', "interval '10 days'"],
    ["search_miss (query, visitor, at) values ('x', 'a', ", "interval '5 days'"],
  ]
  for (const [into, age] of rows)
    for (const more of ["- interval '1 hour'", "+ interval '1 hour'"])
      await sql.raw(`insert into ${into} now() - ${age} ${more})`).execute(db)
  await deleteExpiredLogs(context)
  for (const table of ['page_view', 'error_log', 'search_miss'] as const)
    expect((await db.selectFrom(table).selectAll().execute()).length, table).toBe(1)
})

test('many rows are deleted in batches', async () => {
  const { db } = (await startApp()).context
  await sql`insert into page_view (page, visitor) select '/', 'v' || n from generate_series(1, 25) as n`.execute(db)
  expect(await deleteInBatches(db, 'page_view', sql<boolean>`visitor <> 'v7'`, 10)).toBe(24)
  expect(await db.selectFrom('page_view').select('visitor').execute()).toEqual([{ visitor: 'v7' }])
})
