import { sql } from 'kysely'

import { can } from '../../contract/capabilities.ts'
import { DAY_MS } from '../../contract/dates.ts'
import { isActive } from '../../contract/status.ts'
import { getChecker, listRecordsToCheck } from '../../features/changing/checks/queries.server.ts'
import { listNewComments } from '../../features/changing/comments/queries.server.ts'
import { countWaiting, findLongestWaiting, findOwnRequests } from '../../features/changing/requests/queries.server.ts'
import { filterRows, getReadableDeadlines, toDeadlines } from '../../features/deadlines/deadlines/queries.server.ts'
import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import { findOwnRecords, listLatest, type OwnRecords } from '../../features/finding/activity/queries.server.ts'
import type { AppContext, SignedIn } from '../../platform/server/app-context.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { getSiteStaff, getVacantRoles, sortByTexts, toMoment } from '../../platform/server/read-model/references.ts'
import { LISTED_PER_PART } from './contract.ts'
import type { Home, VacantPosition, SiteFacts } from './response.ts'

/** Deadlines within this many days need attention. */
const DEADLINE_DAYS = 30
const ANSWER_DAYS = 14
const LATEST_ENTRIES = 4

const toFacts = (model: ReadModel, _id: string): SiteFacts | null => {
  const site = model.table('site').get(_id)
  if (!site) return null
  const { phone, fax, address_1, address_2, city, state, zip, start_day, end_day, start_time, end_time } = site
  const staff = getSiteStaff(model, _id)
  const vacant = getVacantRoles(model, site)
  const days = [start_day, end_day].filter(Boolean).join(' to ')
  const times = [start_time, end_time].filter(Boolean).join(' to ')
  return {
    phone,
    fax,
    address: [address_1, address_2, [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')].filter(
      (line): line is string => Boolean(line),
    ),
    hours: [days, times].filter(Boolean).join(', ') || null,
    leaders: ['Principal', 'Student Relations Manager']
      .map((name) => ({ role: name, people: staff.filter(({ role }) => role.name === name).map(({ person }) => person.name) }))
      .filter(({ role, people }) => people.length > 0 || vacant.includes(role)),
  }
}

const listChecks = async (context: AppContext, user: SignedIn): Promise<Home['checks']> => {
  const due = await listRecordsToCheck(context, await getChecker(context, user), { isDue: true, isOwn: true })
  return {
    count: due.length,
    first: due
      .slice(0, LISTED_PER_PART)
      .map((record) => ({ ...record, facts: record.kind === 'site' ? toFacts(context.readModel, record._id) : null })),
  }
}

const listSuggestions = async (context: AppContext, user: SignedIn): Promise<Pick<Home, 'suggestions' | 'requests'>> => {
  const { requests, suggestions } = await countWaiting(context, user)
  return {
    requests: { count: requests },
    suggestions: { count: suggestions, first: suggestions === 0 ? [] : await findLongestWaiting(context, user, LISTED_PER_PART) },
  }
}

const listAnswered = async ({ db, now }: AppContext, user: SignedIn): Promise<Home['answers']> => {
  const since = new Date(now().getTime() - ANSWER_DAYS * DAY_MS).toISOString()
  const answered = (await findOwnRequests(db, user.account, user.accessLevel)).filter(
    ({ state, answeredAt }) => state !== 'open' && answeredAt !== null && answeredAt > since,
  )
  const newest = answered.toSorted((a, b) => ((a.answeredAt ?? '') < (b.answeredAt ?? '') ? 1 : -1))
  return { count: answered.length, first: newest.slice(0, LISTED_PER_PART) }
}

const listDeadlines = async (context: AppContext, user: SignedIn, person: string | null): Promise<Home['deadlines']> => {
  if (person === null) return { count: 0, first: [], overdue: 0, next: null }
  const view = await getReadableDeadlines(context)
  const reader = { mayReadAffairs: can(user.accessLevel, 'read a charter affair'), person }
  const open = filterRows(view, reader, { responsible: 'me', state: 'open' })
  const end = addDays(view.today, DEADLINE_DAYS)
  const near = open.filter(({ date }) => date <= end)
  return {
    count: near.length,
    overdue: near.filter(({ date }) => date < view.today).length,
    first: toDeadlines(view, near.slice(0, LISTED_PER_PART)),
    next: toDeadlines(view, open.slice(near.length, near.length + 1))[0] ?? null,
  }
}

/** Since when a role at a site is vacant. */
const findVacantSince = async ({ db, readModel }: AppContext, role: string, site: string): Promise<string | null> => {
  const _id = [...readModel.table('role').all()].find(({ name }) => name === role)?._id ?? null
  const { rows } = await sql<{ at: string }>`
    select at::text as at from change
    where parent = ${site} and "table" = 'site_person' and action = 'delete' and before ->> 'role' = ${_id} order by _id desc limit 1`.execute(
    db,
  )
  return rows[0] ? toMoment(rows[0].at) : null
}

const listPositions = async (context: AppContext, { roleSites, regions }: OwnRecords): Promise<Home['positions']> => {
  const { readModel: model } = context
  const ids = new Set([
    ...roleSites,
    ...[...regions].flatMap((region) =>
      model
        .table('site')
        .where('region', region)
        .map(({ _id }) => _id),
    ),
  ])
  const sites = sortByTexts(
    [...ids].flatMap((_id) => model.table('site').get(_id) ?? []).filter(({ status }) => isActive(status)),
    ({ displayName }) => displayName,
    ({ _id }) => _id,
  )
  const vacant = sites.flatMap((site) =>
    getVacantRoles(model, site).map((role) => ({ role, site: { _id: site._id, slug: site.slug, name: site.displayName } })),
  )
  const first = vacant
    .slice(0, LISTED_PER_PART)
    .map(async (one): Promise<VacantPosition> => ({ ...one, since: await findVacantSince(context, one.role, one.site._id) }))
  return { count: vacant.length, first: await Promise.all(first) }
}

/** Everything that needs the user's attention, and the charters whose affairs are commented on there. */
export const getHome = async (context: AppContext, user: SignedIn) => {
  const own = await findOwnRecords(context, user)
  const [checks, waiting, answers, unseen, deadlines, positions, changes] = await Promise.all([
    listChecks(context, user),
    listSuggestions(context, user),
    listAnswered(context, user),
    listNewComments(context, user),
    listDeadlines(context, user, own.person),
    listPositions(context, own),
    listLatest(context, user, LATEST_ENTRIES),
  ])
  const comments = { count: unseen.comments.length, first: unseen.comments.slice(0, LISTED_PER_PART) }
  const home: Home = { checks, ...waiting, answers, comments, deadlines, positions, changes }
  return { home, commentedCharters: unseen.charters.slice(0, LISTED_PER_PART) }
}
