import { type RawBuilder, sql } from 'kysely'

import type { RecordKind } from '../../../contract/records.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { deleteAllButLatest, deleteInBatches } from '../../../database/delete-rows.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getRecordHit } from '../../../platform/server/read-model/record-hits.ts'
import type { FoundRecord } from './contract.ts'
import { findTypedNumber } from './engine/numbers.ts'
import type { AffairNumber } from './engine/search-engine.ts'
import { normalize } from './engine/words.ts'
import { getSearchEngine } from './live-engine.server.ts'

/** A hit of a search, and how well it matches. */
export interface ScoredHit {
  readonly hit: FoundRecord
  readonly score: number
}

/** The hits of one kind, best first; `more` if there are more than were counted. */
export interface ScoredGroup {
  readonly kind: RecordKind
  readonly total: number
  readonly more: boolean
  readonly hits: readonly ScoredHit[]
}

interface SearchOptions {
  readonly only?: RecordKind | undefined
  readonly maxPerKind: number
  /** Whether charter affairs are searched too, for callers who may read them. */
  readonly withAffairs: boolean
}

/** CDS codes and charter numbers of charter affairs that contain the typed number. */
const findAffairNumbers = async (db: Queryable, typed: string): Promise<AffairNumber[]> => {
  const wanted = findTypedNumber(typed)?.text
  if (wanted === undefined) return []
  const toLetters = (value: RawBuilder<unknown>): RawBuilder<string> => sql`regexp_replace(lower(${value}), '[^a-z0-9]', '', 'g')`
  const { rows } = await sql<AffairNumber>`
    select a.charter, n.number from charter_affair as a, lateral (values
      (${toLetters(sql`a.overview ->> 'cds_code'`)}), (${toLetters(sql`a.overview ->> 'charter_number'`)}),
      (${toLetters(sql`a.charter_no_cds ->> 'cds_code'`)}), (${toLetters(sql`a.charter_no_cds ->> 'charter_number'`)}),
      (${toLetters(sql`a.funding ->> 'cds_code'`)}), (${toLetters(sql`a.funding ->> 'charter_number'`)})) as n(number)
    where position(${wanted} in n.number) > 0`.execute(db)
  return rows
}

/** Finds records for a typed text, with the words that matched. */
export const searchRecords = async (
  { db, readModel }: Pick<AppContext, 'db' | 'readModel'>,
  typed: string,
  { only, maxPerKind, withAffairs }: SearchOptions,
): Promise<{
  readonly groups: readonly ScoredGroup[]
  readonly marks: readonly string[]
  /** The charters among the hits whose affairs contain the typed number. */
  readonly ofAffairs: readonly string[]
}> => {
  const affairNumbers = withAffairs ? await findAffairNumbers(db, typed) : []
  const { groups, marks } = await getSearchEngine(readModel).search(typed, { only, maxPerKind, affairNumbers })
  const words = normalize(typed)
    .split(' ')
    .filter((word) => word.length > 1)
  const isSearchedPlace = (place: string): boolean => {
    const text = ` ${normalize(place)}`
    return words.some((word) => text.includes(` ${word}`))
  }
  const inAffairs = new Set(affairNumbers.map(({ charter }) => charter))
  return {
    marks,
    ofAffairs: groups.flatMap(({ kind, hits }) => (kind === 'charter' ? hits.flatMap(({ _id }) => (inAffairs.has(_id) ? [_id] : [])) : [])),
    groups: groups.map(({ hits, ...group }) => ({
      ...group,
      hits: hits.flatMap(({ kind, _id, role, score, match }) => {
        const hit = getRecordHit(readModel, kind, _id, { role, isSearchedPlace })
        return hit ? [{ hit: { ...hit, match }, score }] : []
      }),
    })),
  }
}

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
