import { sql } from 'kysely'

import type { ResponseOf } from '../../../contract/call.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { type ActivityFilter, COUNTED_DAYS, type countActivity } from './contract.ts'
import { isOfMany } from './find-entries.server.ts'
import { SAME_ENTRY_MS } from './rules.ts'
import { createScope, isInScope } from './scope.server.ts'

/** The number of entries on each of the last days; an entry counts on the day of its newest change. */
export const countByDay = async (
  context: AppContext,
  user: SignedIn,
  filter: ActivityFilter,
): Promise<ResponseOf<typeof countActivity>> => {
  const { db, configuration } = context
  const { timeZone } = configuration
  const scope = await createScope(context, user, filter)
  const { rows } = await sql<{ day: string; entries: number }>`
    with shown as materialized (
      select c._id, c.at, c."table", c.parent, c."actorName", c.request, c.changeset from change as c
      where c.at >= (((now() at time zone ${timeZone})::date - ${sql.lit(COUNTED_DAYS - 1)})::timestamp at time zone ${timeZone}) and ${isInScope('c', scope)}),
    member as (select shown.*, ${isOfMany('shown')} as "isOfMany" from shown),
    entry as (
      select at from (
        select at, lead(at) over (partition by parent, "actorName" order by _id) as next from member where not "isOfMany") as own
      where next is null or next - at > ${sql.lit(`${SAME_ENTRY_MS} milliseconds`)}::interval
      union all
      select at from member where "isOfMany" group by at, request, "actorName")
    select to_char(at at time zone ${timeZone}, 'YYYY-MM-DD') as day, count(*)::int as entries from entry group by 1 order by 1 desc`.execute(
    db,
  )
  return rows
}
