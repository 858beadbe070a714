import { sql } from 'kysely'

import { toIsoDay } from '../../../contract/dates.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { Usage } from './contract.ts'

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
    sql<{ page: string; dayIndex: number; views: number }>`
      select page, ${length - 1}::int - (${today}::date - (at at time zone ${timeZone})::date) as "dayIndex", sum(views)::int as views
      from page_view where at >= ${since} group by 1, 2`.execute(db),
  ])
  const pages = new Map<string, number[]>()
  for (const { page, dayIndex, views: count } of views.rows) {
    const daily = pages.get(page) ?? Array.from({ length }, () => 0)
    if (dayIndex >= 0 && dayIndex < length) daily[dayIndex] = count
    pages.set(page, daily)
  }
  return {
    days: days.rows,
    pages: [...pages]
      .map(([page, daily]) => ({ page, views: daily.reduce((sum, count) => sum + count, 0), daily }))
      .toSorted((a, b) => b.views - a.views || a.page.localeCompare(b.page)),
  }
}
