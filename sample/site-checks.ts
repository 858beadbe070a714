import { ACTORS } from './accounts.ts'
import { DAY, pickOfficeHour, toWeek } from './calendar.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { createRandom } from './random.ts'
import { type Row, type Step, update } from './rows.ts'
import { toSiteRow } from './site-rows.ts'

/** A site as it is inserted: no one has checked it yet. */
export const toUncheckedSiteRow = (plan: Plan, site: PlannedSite, facades: readonly string[]): Row<'site'> => ({
  ...toSiteRow(plan, site, facades),
  checkedAt: null,
  checkedBy: null,
})

/** The days of earlier checks of a site: twice a year, less often in the first years. */
const listEarlierChecks = (plan: Plan, site: PlannedSite, last: number): number[] => {
  const random = createRandom(plan.seed, 'earlier checks', site.index)
  const days: number[] = []
  let daysAgo = last
  while (true) {
    daysAgo += random.int(95, daysAgo > 500 ? 420 : 240)
    if (daysAgo > site.entered - 12) return days
    days.push(toWeek(daysAgo))
  }
}

/** All checks of sites: the last of each by its principal, the earlier ones reported to the head office and entered there once a week. */
export const listCheckSteps = (plan: Plan): Step[] => {
  const weeks = new Map<number, string[]>()
  const last = plan.sites.flatMap((site): Step[] => {
    const { checkedAt, checkedBy } = toSiteRow(plan, site, [])
    const daysAgo = checkedAt === null ? 0 : Math.ceil((plan.day.getTime() - checkedAt.getTime()) / DAY)
    for (const week of checkedAt === null ? [] : listEarlierChecks(plan, site, daysAgo))
      weeks.set(week, [...(weeks.get(week) ?? []), site._id])
    return checkedAt === null || checkedBy === null
      ? []
      : [{ at: checkedAt, by: checkedBy, sites: 0, writes: () => [update('site', [{ _id: site._id, checkedAt, checkedBy }])] }]
  })
  const earlier = [...weeks].map(([week, sites]): Step => {
    const checkedAt = pickOfficeHour(createRandom(plan.seed, 'checks of a week', week), plan.day, week)
    const checkedBy = ACTORS.directory
    return {
      at: checkedAt,
      by: checkedBy,
      sites: 0,
      writes: () => [
        update(
          'site',
          sites.map((_id) => ({ _id, checkedAt, checkedBy })),
        ),
      ],
    }
  })
  return [...last, ...earlier]
}
