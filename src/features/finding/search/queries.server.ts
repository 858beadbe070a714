import { type RawBuilder, sql } from 'kysely'

import type { RecordKind } from '../../../contract/records.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { createHitSource } from '../../../platform/server/read-model/record-hits.ts'
import { searchEarly } from './early-search.server.ts'
import { findTypedNumber } from './engine/numbers.ts'
import type { AffairNumber, EngineResult } from './engine/search-engine.ts'
import { getSearchEngine } from './live-engine.server.ts'
import { describeGroups, type ScoredGroup } from './search-answer.server.ts'

interface SearchOptions {
  readonly only?: RecordKind | undefined
  readonly maxPerKind: number
  /** Whether charter affairs are searched too, for callers who may read them. */
  readonly withAffairs: boolean
}

/** A large network takes seconds to index; this much of a wait goes unnoticed after a start. */
const WAIT_FOR_INDEX_MS = 500

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

/** The lines of a result's hits. The engine keeps a result only as long as nothing changes. */
const lines = new WeakMap<EngineResult, readonly ScoredGroup[]>()

/** Finds records for a typed text, with the words that matched. */
export const searchRecords = async (
  { db, pool, readModel, before }: Pick<AppContext, 'db' | 'pool' | 'readModel' | 'before'>,
  typed: string,
  { only, maxPerKind, withAffairs }: SearchOptions,
): Promise<{
  readonly groups: readonly ScoredGroup[]
  readonly marks: readonly string[]
  /** The charters among the hits whose affairs contain the typed number. */
  readonly ofAffairs: readonly string[]
}> => {
  const affairNumbers = withAffairs && !before ? await findAffairNumbers(db, typed) : []
  const options = { only, maxPerKind, affairNumbers }
  const engine = getSearchEngine(readModel)
  const early = before || (await engine.isBuiltWithin(WAIT_FOR_INDEX_MS)) ? undefined : await searchEarly({ db, pool }, typed, options)
  const result = early?.result ?? (await engine.search(typed, options))
  const groups = lines.get(result) ?? describeGroups(early?.source ?? createHitSource(readModel), typed, result.groups)
  lines.set(result, groups)
  const inAffairs = new Set(affairNumbers.map(({ charter }) => charter))
  return {
    marks: result.marks,
    ofAffairs: result.groups.flatMap(({ kind, hits }) =>
      kind === 'charter' ? hits.flatMap(({ _id }) => (inAffairs.has(_id) ? [_id] : [])) : [],
    ),
    groups,
  }
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
