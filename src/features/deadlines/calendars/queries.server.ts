import { sql } from 'kysely'

import { Problem } from '../../../contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { accountLevel } from '../../access/levels/queries.server.ts'
import { isOpenAccount } from '../../access/session/queries.server.ts'
import { hashSecret } from '../../access/session/secrets.server.ts'
import type { Deadline, DeadlineSearch } from '../deadlines/contract.ts'
import { filterRows, getReadableDeadlines, getReader, toDeadlines } from '../deadlines/queries.server.ts'
import type { Calendar } from './contract.ts'
import { findReader, isInUse } from './rules.ts'

type CalendarContext = Pick<AppContext, 'db' | 'configuration'>

const selectCalendars = ({ db, configuration }: CalendarContext) =>
  db.selectFrom('calendar').innerJoin('account', 'account._id', 'calendar.account').where(isOpenAccount(configuration))

/** The deadlines in a calendar for its owner; none if its filter refers to a deleted record. */
const filterCalendarRows = (
  view: Awaited<ReturnType<typeof getReadableDeadlines>>,
  reader: Awaited<ReturnType<typeof getReader>>,
  filter: DeadlineSearch,
): ReturnType<typeof filterRows> => {
  try {
    return filterRows(view, reader, filter)
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return []
    throw error
  }
}

/** The calendars of an account, oldest first; of everyone if null. Only the user's own are counted. */
export const listCalendarsOf = async (context: AppContext, user: SignedIn, account: string | null): Promise<Calendar[]> => {
  const rows = await selectCalendars(context)
    .selectAll('calendar')
    .select('account.name as ownerName')
    .$if(account !== null, (query) => query.where('calendar.account', '=', account ?? ''))
    .orderBy('calendar.createdAt')
    .orderBy('calendar._id')
    .execute()
  if (rows.length === 0) return []
  const view = await getReadableDeadlines(context)
  const reader = await getReader(context, user)
  return rows.map(({ _id, name, filter, reminderDays, createdAt, lastUsedAt, userAgent, version, ownerName, account: owner }) => ({
    _id,
    name,
    filter: filter as DeadlineSearch,
    reminderDays,
    deadlines: owner === user.account ? filterCalendarRows(view, reader, filter as DeadlineSearch).length : null,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    reader: findReader(userAgent),
    isInUse: isInUse(createdAt, lastUsedAt, context.now()),
    owner: { _id: owner, name: ownerName },
    version,
  }))
}

/** The number of deadlines that a filter matches for the user; throws 404 for an unknown record. */
export const countFound = async (context: AppContext, user: SignedIn, filter: DeadlineSearch): Promise<number> => {
  const reader = await getReader(context, user)
  return filterRows(await getReadableDeadlines(context), reader, filter).length
}

export interface ReadableCalendar {
  readonly _id: string
  readonly name: string
  readonly filter: DeadlineSearch
  readonly reminderDays: number | null
  /** Its owner, at their current level. */
  readonly owner: SignedIn
}

/** The calendar with this URL, if its owner may sign in. */
export const findCalendar = async (context: CalendarContext, secret: string): Promise<ReadableCalendar | undefined> => {
  const row = await selectCalendars(context)
    .select([
      'calendar._id',
      'calendar.name',
      'calendar.filter',
      'calendar.reminderDays',
      'account._id as account',
      'account.name as ownerName',
      'account.azureID',
      accountLevel(context.configuration, sql.ref('account._id')).as('accessLevel'),
    ])
    .where('calendar.hash', '=', hashSecret(secret))
    .executeTakeFirst()
  if (!row) return undefined
  const { _id, name, filter, reminderDays, account, ownerName, azureID, accessLevel } = row
  return {
    _id,
    name,
    filter,
    reminderDays,
    owner: { account, name: ownerName, azureID, accessLevel, session: null, token: null },
  }
}

/** The deadlines of a calendar that its owner may read now. */
export const listDeadlinesOf = async (context: AppContext, { filter, owner }: ReadableCalendar): Promise<Deadline[]> => {
  const reader = await getReader(context, owner)
  const view = await getReadableDeadlines(context)
  return toDeadlines(view, filterCalendarRows(view, reader, filter))
}
