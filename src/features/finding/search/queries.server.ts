import { sql } from 'kysely'
import type { Pool } from 'pg'

import type { RecordHit, RecordKind } from '../../../contract/records.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { deleteAllButLatest, deleteInBatches } from '../../../database/delete-rows.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { FoundRecord } from './contract.ts'

/** A hit with the number of matches of its kind; `more` where there are more than were counted. */
export interface ScoredHit {
  readonly hit: FoundRecord
  readonly score: number
  readonly total: number
  readonly more: boolean
  /** The matched words, normalized; only on the first row. */
  readonly marks: readonly string[]
}

/**
 * What is searched with, under a name, so that PostgreSQL plans it once a connection. How it finds is told in the migration
 * 'searching'; hits come best first, at most `$3` of each kind. `$4` is whether numbers of charter affairs count.
 */
export const SEARCH_QUERY = {
  name: 'search',
  text: `select record_hit(found.kind, found.record, found.role, string_to_array(search_normalize($1), ' ')) as hit,
                found.match, found.score, found.total::int, found.more, case when row_number() over () = 1 then found.marks else '{}' end as marks
         from search_records($1, $2, $3, $4) as found`,
}

interface SearchOptions {
  readonly only?: RecordKind | undefined
  /** Maximum number of hits of each kind. */
  readonly most: number
  /** Whether charter affairs are searched too, for callers who may read them. */
  readonly withAffairs: boolean
}

export const searchRecords = async (pool: Pool, typed: string, { only, most, withAffairs }: SearchOptions): Promise<ScoredHit[]> => {
  const { rows } = await pool.query<Omit<ScoredHit, 'hit'> & { hit: RecordHit | null; match: FoundRecord['match'] }>({
    ...SEARCH_QUERY,
    values: [typed, only ?? null, most, withAffairs],
  })
  // A record may be deleted during the search.
  return rows.flatMap(({ hit, match, ...found }) => (hit === null ? [] : [{ ...found, hit: { ...hit, match } }]))
}

/** Queries within this time that continue each other count as one search. */
const SAME_SEARCH_SECONDS = 20

/** Limits per visitor and day: different failed searches, and the count of each. */
export const MAX_FAILED_SEARCHES = 200
export const MAX_COUNT = 100
/** Maximum number of rows over all visitors. */
const MAX_ROWS = 100_000

/**
 * Counts a search that found nothing, in one row for each visitor and search. Letters typed one after the other are one search: what began or
 * went on like this one is replaced.
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

/** How far back the report looks; retention is a setting. */
const REPORT_DAYS = 90

/** Failed searches, the most frequent first. */
export const getFailedSearches = (db: Queryable) =>
  db
    .selectFrom('search_miss')
    .select(['query', sql<number>`sum(times)::int`.as('count'), toIsoTimestamp(sql<Date>`max(at)`).as('lastAt')])
    .where('at', '>', sql<Date>`now() - make_interval(days => ${REPORT_DAYS})`)
    .groupBy('query')
    .orderBy('count', 'desc')
    .orderBy(sql`max(at)`, 'desc')
    .orderBy('query', inByteOrder)
    .limit(500)
    .execute()
