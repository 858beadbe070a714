import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { deleteAllButLatest, deleteInBatches } from '../../../database/delete-rows.server.ts'

/** Queries within this time that continue each other count as one search. */
const SAME_SEARCH_SECONDS = 20

/** Limits per visitor and day: different failed searches, and the count of each. */
export const MAX_FAILED_SEARCHES = 200
export const MAX_COUNT = 100
/** Maximum number of rows over all visitors. */
const MAX_ROWS = 100_000

/**
 * Counts a search that found nothing, in one row for each visitor and search. Letters typed one after the other are one search: a recent search that
 * is a beginning or a continuation of this one is replaced.
 */
export const countFailedSearch = async (db: Queryable, visitor: string, query: string): Promise<void> => {
  const isRecent = sql<boolean>`at > now() - make_interval(secs => ${SAME_SEARCH_SECONDS})`
  const isSameSearch = sql<boolean>`visitor = ${visitor} and query <> ${query} and ${isRecent}
    and (starts_with(${query}, query) or starts_with(query, ${query}))`
  await sql`
    with gone as (delete from search_miss where ${isSameSearch} and times = 1),
    less as (update search_miss set times = times - 1 where ${isSameSearch} and times > 1),
    again as (
      update search_miss set at = now(), times = case when ${isRecent} then times else least(times + 1, ${MAX_COUNT}) end
      where visitor = ${visitor} and query = ${query} returning 1)
    insert into search_miss (query, visitor) select ${query}, ${visitor}
    where not exists (select from again) and (select count(*) from search_miss where visitor = ${visitor}) < ${MAX_FAILED_SEARCHES}`.execute(
    db,
  )
}

/** Deletes failed searches that are too old or too many. */
export const deleteOldFailedSearches = async (db: Queryable, days: number, most: number = MAX_ROWS): Promise<void> => {
  await deleteInBatches(db, 'search_miss', sql<boolean>`at < now() - make_interval(days => ${days})`)
  await deleteAllButLatest(db, 'search_miss', most)
}
