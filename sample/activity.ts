import { ACTORS } from './accounts.ts'
import { toCommentSteps } from './activity-comments.ts'
import { planDeparture } from './activity-departure.ts'
import { type ActivityContext, listBusySites, Members, toStep } from './activity-people.ts'
import { toRequestSteps } from './activity-requests.ts'
import { listUsageWrites } from './activity-usage.ts'
import { toIsoDay } from './calendar.ts'
import { getSiteFax } from './people.ts'
import type { Plan } from './plan.ts'
import { createRandom, generateId } from './random.ts'
import { insertActivity, type Step, update } from './rows.ts'
import { toSiteRow } from './site-rows.ts'

/**
 * What people did in the last weeks besides editing records: requests and suggestions, sheets, planned changes, a departure, and what each keeps
 * for themselves. So every page of a new installation has something on it.
 */
export const listActivity = (plan: Plan, addressOf: ActivityContext['addressOf']): Step[] => {
  const context: ActivityContext = { plan, members: new Members(plan), addressOf }
  const steps = [
    ...toRequestSteps(context),
    ...toCommentSteps(context),
    ...planDeparture(context),
    ...toSheetSteps(context),
    ...toPlanSteps(context),
  ]
  const founder = context.members.office(ACTORS.founder)
  // Created here, because the steps above name the members: the accounts are inserted before all of them.
  return [
    toStep(context, founder, ACCOUNTS_SINCE, 'accounts', () => context.members.write()),
    ...steps,
    toStep(context, founder, 1, 'usage', () => listUsageWrites(context)),
  ]
}

/** How many days ago the accounts are inserted: before everything that an account did. */
const ACCOUNTS_SINCE = 45

/** One sheet that was saved, and one that was saved by mistake and undone five minutes later. */
const toSheetSteps = (context: ActivityContext): Step[] => {
  const { plan, members } = context
  const facilities = members.office(ACTORS.facilities)
  const sites = listBusySites(plan)
  const random = createRandom(plan.seed, 'sheets')
  const saved = generateId(plan.seed, 'changeset', 'sheet')
  const mistaken = generateId(plan.seed, 'changeset', 'mistaken sheet')
  const undo = generateId(plan.seed, 'changeset', 'undo')
  const facts = { account: facilities.account, name: facilities.name, recordKind: 'site' }
  const toRows = (first: number, count: number, getFax: (index: number) => string | null) =>
    sites.slice(first, first + count).map((site, index) => ({ _id: site._id, fax: getFax(index) }))
  const faxes = sites.map((site) => getSiteFax(random, site.place))
  const title = `Sites ${toIsoDay(plan.day, -16)}.xlsx`
  const wrong = toStep(
    context,
    facilities,
    16,
    'mistaken sheet',
    (at) => [
      insertActivity('changeset', [{ ...facts, _id: mistaken, kind: 'sheet', title, at, undoes: null }]),
      update(
        'site',
        toRows(0, 9, () => faxes[0] ?? null),
      ),
    ],
    { changeset: mistaken },
  )
  const undoneAt = new Date(wrong.at.getTime() + 5 * 60_000)
  return [
    wrong,
    {
      ...wrong,
      at: undoneAt,
      changeset: undo,
      writes: () => [
        insertActivity('changeset', [{ ...facts, _id: undo, kind: 'undo', title, at: undoneAt, undoes: mistaken }]),
        update(
          'site',
          sites.slice(0, 9).map((site) => ({ _id: site._id, fax: toSiteRow(plan, site, []).fax })),
        ),
      ],
    },
    toStep(
      context,
      facilities,
      9,
      'sheet',
      (at) => [
        insertActivity('changeset', [
          { ...facts, _id: saved, kind: 'sheet', title: `Sites ${toIsoDay(plan.day, -9)}.xlsx`, at, undoes: null },
        ]),
        update(
          'site',
          toRows(9, 14, (index) => faxes[index + 9] ?? null),
        ),
      ],
      { changeset: saved },
    ),
  ]
}

/** Changes of next week: other hours of two sites, and the closing of a third for a day. */
const toPlanSteps = (context: ActivityContext): Step[] => {
  const { plan, members } = context
  const facilities = members.office(ACTORS.facilities)
  const sites = listBusySites(plan)
  const nextMonday = toIsoDay(plan.day, (8 - plan.day.getUTCDay()) % 7 || 7)
  const toPlan = (turn: number, changes: Readonly<Record<string, string>>, note: string, batch: string) => {
    const site = sites[turn % sites.length]
    if (site === undefined) return []
    const row = new Map<string, unknown>(Object.entries(toSiteRow(plan, site, [])))
    const before = Object.fromEntries(Object.keys(changes).map((path) => [path, row.get(path.replace('address.', '')) ?? null]))
    return [{ site, before, changes, note, batch: generateId(plan.seed, 'planned batch', batch), turn }]
  }
  const hours = { 'address.start_time': '8:00AM', 'address.end_time': '3:30PM' }
  const plans = [
    ...toPlan(30, hours, 'Winter hours', 'winter'),
    ...toPlan(31, hours, 'Winter hours', 'winter'),
    ...toPlan(32, { 'address.closures': 'Closed on Wednesday for the fire alarm test.' }, 'Fire alarm test', 'alarm'),
  ]
  return [
    toStep(context, facilities, 2, 'planned', (at) => [
      insertActivity(
        'planned_change',
        plans.map(({ site, before, changes, note, batch, turn }) => ({
          _id: generateId(plan.seed, 'planned change', turn),
          kind: 'site',
          record: site._id,
          day: nextMonday,
          batch,
          changes,
          before,
          note,
          account: facilities.account,
          name: facilities.name,
          createdAt: at,
        })),
      ),
    ]),
  ]
}
