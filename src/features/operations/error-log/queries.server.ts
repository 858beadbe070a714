import { sql } from 'kysely'

import { toIsoDay } from '../../../contract/dates.ts'
import type { Db, Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type ErrorDetail, type ErrorGroup, CHART_DAYS } from './contract.ts'
import { redact } from './redact.ts'

const MAX_GROUPS = 500
const MAX_DETAILS = 20

const redactNullable = (text: string | null): string | null => (text === null ? null : redact(text))

/** The format of request ids, which error messages show to users. */
const REQUEST_ID = /^[\w-]{12}-[0-9a-z]{1,12}$/

/** Whether a group has an error of the request with this id. */
const hasErrorOfRequest = (q: string) =>
  REQUEST_ID.test(q)
    ? sql<boolean>`exists (select from error_log as one where one.fingerprint = counted.fingerprint
        and (strpos(one."requestData", ${q}) > 0 or strpos(one."responseData", ${q}) > 0))`
    : sql<boolean>`false`

type GroupRow = Omit<ErrorGroup, 'daily'>

/** The groups of the last days, latest first. The search looks at the latest error of each group. */
export const listErrorGroups = async ({ db, configuration }: AppContext, days: number, q: string): Promise<ErrorGroup[]> => {
  const { rows } = await sql<GroupRow>`
    with counted as (
      select fingerprint, count(*)::int as count, count(distinct account)::int as people,
        min(at) as "firstAt", max(at) as "lastAt", max(_id) as last
      from error_log
      where at > now() - make_interval(days => ${days}) and fingerprint is not null
      group by fingerprint
    )
    select counted.fingerprint, error."errorName", error."errorMessage", error."errorLocation", error.context, counted.count, counted.people,
      ${toIsoTimestamp(sql.ref<Date>('counted.firstAt'))} as "firstAt", ${toIsoTimestamp(sql.ref<Date>('counted.lastAt'))} as "lastAt",
      coalesce(seen.at >= counted."lastAt", false) as seen
    from counted join error_log as error on error._id = counted.last left join error_seen as seen on seen.fingerprint = counted.fingerprint
    where ${q.trim()} = '' or strpos(lower(concat_ws(' ', error."errorName", error."errorMessage", error."errorLocation", error.context)), lower(${q.trim()})) > 0
      or ${hasErrorOfRequest(q.trim())}
    order by counted."lastAt" desc, counted.last desc
    limit ${MAX_GROUPS}`.execute(db)
  const fingerprints = rows.map(({ fingerprint }) => fingerprint)
  const daily = await countByDay(db, configuration.timeZone, fingerprints)
  return rows.map((row) => ({
    ...row,
    errorName: redactNullable(row.errorName),
    errorMessage: redactNullable(row.errorMessage),
    errorLocation: redactNullable(row.errorLocation),
    context: redactNullable(row.context),
    daily: daily.get(row.fingerprint) ?? Array.from({ length: CHART_DAYS }, () => 0),
  }))
}

/** How often each group occurred on each of the last days, in the organization's time zone. */
const countByDay = async (db: Queryable, timeZone: string, fingerprints: readonly string[]): Promise<Map<string, number[]>> => {
  const today = toIsoDay(new Date(), timeZone)
  const { rows } = await sql<{ fingerprint: string; dayIndex: number; count: number }>`
    select fingerprint, ${CHART_DAYS - 1}::int - (${today}::date - (at at time zone ${timeZone})::date) as "dayIndex", count(*)::int as count
    from error_log
    where at >= (${today}::date - ${CHART_DAYS - 1}::int)::timestamp at time zone ${timeZone} and fingerprint = any(${fingerprints})
    group by 1, 2`.execute(db)
  const daily = new Map<string, number[]>()
  for (const { fingerprint, dayIndex, count } of rows) {
    const days = daily.get(fingerprint) ?? Array.from({ length: CHART_DAYS }, () => 0)
    if (dayIndex >= 0 && dayIndex < CHART_DAYS) days[dayIndex] = count
    daily.set(fingerprint, days)
  }
  return daily
}

export const listErrorsOfGroup = async (db: Db, fingerprint: string): Promise<ErrorDetail[]> => {
  const rows = await db
    .selectFrom('error_log')
    .leftJoin('account', 'account._id', 'error_log.account')
    .select((eb) => [
      sql<string>`error_log._id::text`.as('_id'),
      toIsoTimestamp(eb.ref('error_log.at')).as('at'),
      'account.name',
      'error_log.context',
      'error_log.errorName',
      'error_log.errorMessage',
      'error_log.errorLocation',
      'error_log.stackTrace',
      'error_log.requestData',
      'error_log.responseData',
    ])
    .where('error_log.fingerprint', '=', fingerprint)
    .orderBy('error_log._id', 'desc')
    .limit(MAX_DETAILS)
    .execute()
  return rows.map((row) => ({
    ...row,
    context: redactNullable(row.context),
    errorName: redactNullable(row.errorName),
    errorMessage: redactNullable(row.errorMessage),
    errorLocation: redactNullable(row.errorLocation),
    stackTrace: redactNullable(row.stackTrace),
    requestData: redactNullable(row.requestData),
    responseData: redactNullable(row.responseData),
  }))
}
