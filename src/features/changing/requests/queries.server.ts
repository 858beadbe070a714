import { sql } from 'kysely'

import type { QueryOf } from '../../../contract/call.ts'
import { can } from '../../../contract/capabilities.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { readJsonRow, readJsonRows, toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import {
  type listRequests,
  MAX_REQUESTS,
  type Proposal,
  type RequestDetail,
  type RequestList,
  type RequestMail,
  type RequestRecord,
  type RequestState,
} from './contract.ts'
import { findStoredProposals, toProposals } from './proposal-queries.server.ts'

/** Requests that someone may decide; those about charter affairs only if they may edit those. */
const isDecidable = ({ accessLevel }: SignedIn) =>
  can(accessLevel, 'edit a charter affair')
    ? sql<boolean>`true`
    : sql<boolean>`not exists (select from proposal as other where other._id = request._id and other.kind = 'charter_affair')`

/** The numbers of requests that wait for a user's decision: in free text, and as suggested changes. */
export const countWaiting = async (
  { db }: Pick<AppContext, 'db'>,
  user: SignedIn,
): Promise<{ readonly requests: number; readonly suggestions: number }> => {
  if (!can(user.accessLevel, 'answer requests')) return { requests: 0, suggestions: 0 }
  const { rows } = await sql<{ requests: number; suggestions: number }>`
    select count(*) filter (where "openFields" is null)::int as requests, count(*) filter (where "openFields" is not null)::int as suggestions
    from request where state = 'open' and ${isDecidable(user)}`.execute(db)
  return rows[0] ?? { requests: 0, suggestions: 0 }
}

/** The suggested changes that have waited longest for a user's decision. */
export const findLongestWaiting = async (context: AppContext, user: SignedIn, limit: number): Promise<Proposal[]> => {
  if (!can(user.accessLevel, 'answer requests')) return []
  const condition = sql<boolean>`request._id = any(array(
    select request._id from request join proposal using (_id) where request.state = 'open' and ${isDecidable(user)}
    order by request."createdAt", request._id limit ${limit}))`
  return (await toProposals(context, user, await findStoredProposals(context.db, condition))).toReversed()
}

export { readRequestMessage } from './request-messages.server.ts'
export { findSentProposals, listProposalCharters, mayReadProposal, type SentProposal } from './proposal-queries.server.ts'

/** The last email of a kind about a request. Recipients and problem only if `isWhole`, for users who answer requests. */
const selectMail = (kind: 'request' | 'answer', isWhole: boolean) => sql<RequestMail | null>`(
  select json_build_object(
    'state', case when "sentAt" is not null then case "sentAs" when 'file' then 'written' else 'mailed' end
      when "failedAt" is not null then 'failed' when recipients = '{}' then 'unaddressed' else 'waiting' end,
    'sentAt', ${toIsoTimestamp(sql<Date | null>`"sentAt"`)},
    'recipients', case when ${sql.lit(isWhole)} then to_json(recipients) else '[]'::json end,
    'problem', case when ${sql.lit(isWhole)} then problem end)
  from mail where mail.request = request._id and kind = ${sql.lit(kind)} order by "createdAt" desc, _id limit 1)`

const selectRequests = (db: Queryable, isWhole: boolean) =>
  db
    .selectFrom('request')
    .leftJoin('site', 'site._id', 'request.site')
    .select([
      'request._id',
      'request.kind',
      'request.state',
      'request.text',
      'request.location',
      sql<RequestRecord['site']>`case when site._id is not null
        then json_build_object('_id', site._id, 'slug', site.slug, 'displayName', site."displayName") end`.as('site'),
      'request.name',
      'request.email',
      sql<boolean>`request.account is not null`.as('isSignedIn'),
      toIsoTimestamp(sql<Date>`request."createdAt"`).as('createdAt'),
      'request.openFields',
      'request.word',
      'request.answeredBy',
      toIsoTimestamp(sql<Date | null>`request."answeredAt"`).as('answeredAt'),
      selectMail('request', isWhole).as('mail'),
      selectMail('answer', isWhole).as('answerMail'),
      'request.version',
      toIsoTimestamp(sql<Date>`request."updatedAt"`).as('updatedAt'),
      'request.updatedBy',
    ])
    .orderBy('request.createdAt', 'desc')
    .orderBy('request._id')

/** Whether a request is not about charter affairs, which need a higher access level. */
const isNotAboutAffair = sql<boolean>`not exists (select from proposal where proposal._id = request._id and kind = 'charter_affair')`

type RequestFilter = QueryOf<typeof listRequests>

/** Whether a request contains a word, ignoring case and accents. */
const containsWord = (word: string) => sql<boolean>`position(lower(unaccent(${word})) in
  lower(unaccent(concat_ws(' ', request.text, request.location, site."displayName", request.name, request.email, request.word)))) > 0`

/** All requests, for users who answer them. */
export const findRequests = async (db: Queryable, level: number, { state, kind, q = '' }: RequestFilter): Promise<RequestList> => {
  const words = q.split(/\s+/).filter((word) => word !== '')
  const isVisible = can(level, 'edit a charter affair') ? sql<boolean>`true` : isNotAboutAffair
  let rows = selectRequests(db, true).where(isVisible)
  if (state) rows = rows.where('request.state', '=', state)
  if (kind) rows = rows.where('request.kind', '=', kind)
  for (const word of words) rows = rows.where(containsWord(word))
  const requests = await readJsonRows(db, rows.limit(MAX_REQUESTS))
  const counted = (wanted: RequestState) => sql<number>`count(*) filter (where state = ${wanted})::int`.as(wanted)
  const counts = await db
    .selectFrom('request')
    .select([counted('open'), counted('done'), counted('declined')])
    .where(isVisible)
    .executeTakeFirstOrThrow()
  const matching =
    requests.length < MAX_REQUESTS
      ? requests.length
      : await rows
          .clearSelect()
          .clearOrderBy()
          .select(sql<number>`count(*)::int`.as('count'))
          .executeTakeFirstOrThrow()
          .then(({ count }) => count)
  return { requests, matching, counts }
}

/** The requests of one account. */
export const findOwnRequests = async (db: Queryable, account: string, level: number): Promise<RequestRecord[]> =>
  readJsonRows(
    db,
    selectRequests(db, false)
      .where('request.account', '=', account)
      .where(can(level, 'read a charter affair') ? sql<boolean>`true` : isNotAboutAffair)
      .limit(MAX_REQUESTS),
  )

/** One request that a user of this level may read: any if they answer requests, otherwise only those of their `account`. */
export const findRequest = async (db: Queryable, _id: string, level: number, account: string): Promise<RequestRecord | undefined> => {
  const canAnswer = can(level, 'answer requests')
  let rows = selectRequests(db, canAnswer).where('request._id', '=', _id)
  const isOwn = sql<boolean>`request.account = ${account}`
  if (!canAnswer) rows = rows.where(isOwn)
  if (!can(level, 'edit a charter affair'))
    rows = rows.where(can(level, 'read a charter affair') ? sql<boolean>`(${isNotAboutAffair} or ${isOwn})` : isNotAboutAffair)
  return readJsonRow(db, rows)
}

/** The answers of a request, from its history. */
export const listAnswers = async (db: Queryable, _id: string): Promise<RequestDetail['history']> => {
  const { rows } = await sql<RequestDetail['history'][number]>`
    select ${toIsoTimestamp(sql<Date>`at`)} as at, "actorName" as by, after ->> 'state' as state, after ->> 'word' as word from change
    where record = ${_id} and "table" = 'request' and action = 'update'
      and (after -> 'state' is distinct from before -> 'state' or after -> 'word' is distinct from before -> 'word')
    order by change._id desc`.execute(db)
  return rows
}
