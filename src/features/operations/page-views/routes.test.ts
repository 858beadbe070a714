import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'

import { network, startApp } from '../../../../test/support/app.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import { readUser } from '../../access/session/contract.ts'
import { readUsage, recordPageView } from './contract.ts'
import { deleteOldViews, MAX_VIEWS_PER_VISITOR } from './mutations.server.ts'

test('a page view is stored as a path pattern with a pseudonym that is the same for one person on one day', async () => {
  const { as, context } = await network()
  const [one, other] = [as(10), as(10)]
  for (const caller of [one, one, other]) await caller.send(recordPageView, { body: { page: '/location/{id}' } })
  const views = await context.db.selectFrom('page_view').selectAll().orderBy('_id').execute()
  expect(views.map(({ page, views: count }) => [page, count])).toEqual([
    ['/location/{slug}', 2],
    ['/location/{slug}', 1],
  ])
  expect(views[0]?.visitor).not.toBe(views[1]?.visitor)
  const { _id, azureID, name } = await one.send(readUser)
  expect(JSON.stringify(views)).not.toMatch(new RegExp([_id, azureID, name].join('|')))
})

test.each(['/staff/dana.whitlock', '/location/fresno', '//', 'location'])('%s is not a path pattern and is refused', async (page) => {
  const { as } = await network()
  expect((await as(10).trySend(recordPageView, { body: { page } })).statusCode).toBe(422)
})

test('usage counts views by page and by day in the organization’s time zone, including days without any', async () => {
  const own = await startApp({ TIME_ZONE: 'America/Los_Angeles' })
  const { db } = own.context
  const today = toIsoDay(new Date(), 'America/Los_Angeles')
  const at = (days: number, time: string) => sql<Date>`(${today}::date - ${days}::int + ${time}::time) at time zone 'America/Los_Angeles'`
  const view = (page: string, visitor: string, when: RawBuilder<Date>) =>
    sql`insert into page_view (page, visitor, at) values (${page}, ${visitor}, ${when})`.execute(db)
  await view('/', 'a', at(0, '00:00:01'))
  await view('/locations', 'a', at(0, '00:00:02'))
  await view('/locations', 'b', at(0, '00:00:03'))
  // Late evening in California is already the next day in UTC.
  await view('/locations', 'a', at(2, '23:59:59'))
  await view('/locations', 'c', at(7, '12:00'))
  const usage = await own.as(1).send(readUsage, { query: { days: 7 } })
  expect(usage.days.map(({ views }) => views)).toEqual([0, 0, 0, 0, 1, 0, 3])
  expect(usage.days.map(({ visitors }) => visitors)).toEqual([0, 0, 0, 0, 1, 0, 2])
  expect(usage.days.at(-1)?.day).toBe(today)
  expect(usage.pages).toEqual([
    { page: '/locations', views: 3, daily: [0, 0, 0, 0, 1, 0, 2] },
    { page: '/', views: 1, daily: [0, 0, 0, 0, 0, 0, 1] },
  ])
  expect((await own.as(1).send(readUsage)).days).toHaveLength(30)
})

test('page views older than thirteen months are deleted', async () => {
  const own = await startApp()
  const { db } = own.context
  for (const days of [-1, 1])
    await sql`insert into page_view (page, visitor, at)
      values ('/', 'a', now() - interval '13 months' - make_interval(days => ${days}))`.execute(db)
  await deleteOldViews(db, 13)
  expect(await db.selectFrom('page_view').selectAll().execute()).toHaveLength(1)
})

test('each person is one row per page and day, however often they visit; the number of rows is limited', async () => {
  const own = await startApp()
  const { db } = own.context
  const caller = own.as(10)
  const see = (page: string) => caller.send(recordPageView, { body: { page } })
  await see('/')
  await sql`update page_view set views = ${MAX_VIEWS_PER_VISITOR} - 1`.execute(db)
  for (const page of ['/', '/', '/brand']) await see(page)
  const { pages, days } = await own.as(1).send(readUsage, { query: { days: 1 } })
  expect(pages.map(({ page, views }) => [page, views])).toEqual([
    ['/', MAX_VIEWS_PER_VISITOR],
    ['/brand', 1],
  ])
  expect(days).toMatchObject([{ views: MAX_VIEWS_PER_VISITOR + 1, visitors: 1 }])
  await deleteOldViews(db, 13, 1)
  expect(await db.selectFrom('page_view').select('page').execute()).toEqual([{ page: '/brand' }])
})
