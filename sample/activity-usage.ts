import { ACTORS } from './accounts.ts'
import { type ActivityContext, type Member, listBusySites } from './activity-people.ts'
import { DAY } from './calendar.ts'
import { getPersonId } from './people.ts'
import { createRandom, generateId } from './random.ts'
import { insertActivity, type Write } from './rows.ts'

/** What people keep for themselves, and the logs of their visits. */
export const listUsageWrites = (context: ActivityContext): Write[] => [
  ...toOwnWrites(context),
  insertActivity('page_view', listPageViews(context)),
  insertActivity('search_miss', listFailedSearches(context)),
  insertActivity('error_log', listErrors(context)),
  insertActivity('audit_event', listDownloads(context)),
]

const before = ({ plan }: ActivityContext, hours: number): Date => new Date(plan.day.getTime() - hours * 3_600_000)

/** Favorites, visited records and saved views of people who use the program daily. */
const toOwnWrites = (context: ActivityContext): Write[] => {
  const { plan, members } = context
  const people = ['Marisol Vance', ACTORS.facilities, ACTORS.affairs, ACTORS.founder] as const
  const own = people.map((name) => members.office(name))
  const [staff, facilities, affairs, founder] = own as [Member, Member, Member, Member]
  const sites = listBusySites(plan)
  const records = own.map((_, turn) => [
    ...sites.slice(turn, turn + 3).map(({ _id }) => ({ kind: 'site' as const, record: _id })),
    ...sites
      .slice(turn + 1, turn + 2)
      .map(({ firstEmployee }) => ({ kind: 'person' as const, record: getPersonId(plan.seed, firstEmployee) })),
    ...plan.charters.slice(turn, turn + 2).map(({ _id }) => ({ kind: 'charter' as const, record: _id })),
  ])
  const listKept = own.flatMap(({ account }, turn) => (records[turn] ?? []).map((record) => ({ account, ...record })))
  const toView = (member: Member, name: string, page: string, search: string, shared: boolean) => ({
    _id: generateId(plan.seed, 'view', member.account, name),
    account: member.account,
    name,
    page,
    search,
    shared,
    createdAt: before(context, 20 * 24),
  })
  return [
    insertActivity(
      'favorite',
      listKept.filter((_, turn) => turn % 2 === 0).map((kept, turn) => ({ ...kept, createdAt: before(context, 200 + turn) })),
    ),
    insertActivity(
      'recently_viewed',
      listKept.map((kept, turn) => ({ ...kept, viewedAt: before(context, 3 + turn * 5) })),
    ),
    insertActivity('saved_view', [
      toView(staff, 'Coming soon', '/locations', 'status=pending', false),
      toView(facilities, 'Closed sites', '/locations', 'status=closed', true),
      toView(affairs, 'Closed charters', '/charters', 'status=closed', true),
      toView(founder, 'Ohio', '/locations', 'region=ohio', false),
    ]),
  ]
}

/** The pages that people open, the most visited first. */
const VISITED = ['/', '/locations', '/location/{slug}', '/leadership', '/staff/{slug}', '/charters', '/charterview/{id}', '/deadlines', '/coverage', '/region/{id}/calls', '/requests', '/activity'] // prettier-ignore
const USAGE_DAYS = 30

const listPageViews = ({ plan }: ActivityContext) =>
  Array.from({ length: USAGE_DAYS }, (_, turn) => {
    const at = new Date(plan.day.getTime() - (turn + 0.3) * DAY)
    const random = createRandom(plan.seed, 'visits', turn)
    const isWeekend = [0, 6].includes(at.getUTCDay())
    return Array.from({ length: isWeekend ? random.int(0, 3) : random.int(9, 22) }, (_, visitor) =>
      VISITED.filter((_, rank) => random.chance(0.9 / (1 + rank * 0.4))).map((page) => ({
        at,
        page,
        visitor: generateId(plan.seed, 'visitor', turn, visitor),
        views: random.int(1, 6),
      })),
    ).flat()
  }).flat()

const FAILED_SEARCHES: readonly (readonly [query: string, times: number])[] = [['payroll', 4], ['shuttle bus', 2], ['holiday calendar', 3], ['w-2', 1], ['copier help', 2]] // prettier-ignore

const listFailedSearches = (context: ActivityContext) =>
  FAILED_SEARCHES.map(([query, times], turn) => ({
    at: before(context, 5 + turn * 31),
    query,
    times,
    visitor: generateId(context.plan.seed, 'visitor', turn, 0),
  }))

/** A phone that lost its connection: the usual error of a browser. */
const listErrors = (context: ActivityContext) =>
  [4, 29, 53].map((hours) => {
    const { account } = context.members.office(ACTORS.facilities)
    return {
      at: before(context, hours),
      account,
      timestamp: before(context, hours).toISOString(),
      context: 'Loading a page',
      errorMessage: 'Load failed',
      errorName: 'TypeError',
      stackTrace: null,
      errorLocation: '/locations',
      requestData: null,
      responseData: null,
      source: 'account' as const,
      sender: account,
    }
  })

const listDownloads = (context: ActivityContext) => {
  const download = (name: (typeof ACTORS)[keyof typeof ACTORS], what: string, hours: number, rows: number) => {
    const member = context.members.office(name)
    return {
      at: before(context, hours),
      kind: 'download.finished',
      account: member.account,
      actor: member.getAddress(),
      name: member.name,
      record: String(hours),
      after: { what, rows, bytes: rows * 210, outcome: 'whole', startedAt: before(context, hours).toISOString() },
    }
  }
  return [download(ACTORS.facilities, 'finance', 170, context.plan.sites.length), download(ACTORS.affairs, 'charter_affairs', 98, 60)]
}
