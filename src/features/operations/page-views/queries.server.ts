import { createHmac, randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import { toIsoDay } from '../../../contract/dates.ts'
import type { Db, Queryable } from '../../../database/connection.server.ts'
import { deleteAllButLatest, deleteInBatches } from '../../../database/delete-rows.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { Usage } from './contract.ts'

/** The key of the daily pseudonyms: created once, shared by all servers of a database. */
const getVisitorKey = async (db: Db): Promise<Buffer> => {
  const find = () => db.selectFrom('secret').select('value').where('name', '=', 'visitor').executeTakeFirst()
  const found = await find()
  if (found) return found.value
  await db
    .insertInto('secret')
    .values({ name: 'visitor', value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await find())?.value ?? randomBytes(32)
}

/** The pseudonym of an account for today: the same on every server, and different tomorrow. */
export const toVisitor = async ({ db, configuration }: AppContext, account: string): Promise<string> =>
  createHmac('sha256', await getVisitorKey(db))
    .update(`${toIsoDay(new Date(), configuration.timeZone)} ${account}`)
    .digest('base64url')
    .slice(0, 22)

/** Views by page and by day in the organization's time zone, today last; days without views have a zero. */
export const getUsage = async ({ db, configuration: { timeZone } }: AppContext, length: number): Promise<Usage> => {
  const today = toIsoDay(new Date(), timeZone)
  const since = sql<Date>`(${today}::date - ${length - 1}::int)::timestamp at time zone ${timeZone}`
  const [days, views] = await Promise.all([
    sql<Usage['days'][number]>`
      select day::date::text as day, coalesce(views, 0)::int as views, coalesce(visitors, 0)::int as visitors
      from generate_series(${today}::date - ${length - 1}::int, ${today}::date, interval '1 day') as day
      left join (
        select (at at time zone ${timeZone})::date as on_day, sum(views) as views, count(distinct visitor) as visitors
        from page_view where at >= ${since} group by 1
      ) as counted on on_day = day::date
      order by day`.execute(db),
    sql<{ page: string; place: number; views: number }>`
      select page, ${length - 1}::int - (${today}::date - (at at time zone ${timeZone})::date) as place, sum(views)::int as views
      from page_view where at >= ${since} group by 1, 2`.execute(db),
  ])
  const pages = new Map<string, number[]>()
  for (const { page, place, views: count } of views.rows) {
    const daily = pages.get(page) ?? Array.from({ length }, () => 0)
    if (place >= 0 && place < length) daily[place] = count
    pages.set(page, daily)
  }
  return {
    days: days.rows,
    pages: [...pages]
      .map(([page, daily]) => ({ page, views: daily.reduce((sum, count) => sum + count, 0), daily }))
      .toSorted((a, b) => b.views - a.views || a.page.localeCompare(b.page)),
  }
}

/** The maximum views of a page counted per visitor and day: more than anyone makes. */
export const MAX_VIEWS_PER_VISITOR = 1000
/** The maximum number of rows in total. */
const MAX_STORED_VIEWS = 5_000_000

/** Counts a page view, in one row per visitor, page and day. */
export const insertPageView = async (db: Queryable, visitor: string, page: string): Promise<void> => {
  await sql`
    with again as (
      update page_view set views = least(views + 1, ${MAX_VIEWS_PER_VISITOR})
      where _id = (select _id from page_view where visitor = ${visitor} and page = ${page} limit 1) returning 1)
    insert into page_view (page, visitor) select ${page}, ${visitor} where not exists (select from again)`.execute(db)
}

/** Deletes views at the end of their retention period, and the oldest beyond `most`. */
export const deleteOldViews = async (db: Queryable, months: number, most: number = MAX_STORED_VIEWS): Promise<void> => {
  await deleteInBatches(db, 'page_view', sql<boolean>`at < now() - make_interval(months => ${months})`)
  await deleteAllButLatest(db, 'page_view', most)
}
