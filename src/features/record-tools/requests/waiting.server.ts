import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { Proposal } from './contract.ts'
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
