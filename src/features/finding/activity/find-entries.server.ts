import { type RawBuilder, sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { ACTIVITY_TABLES, SAME_ENTRY_MS } from './rules.ts'
import { dayEnd, dayStart, isInScope, isSameTransaction, type Scope } from './scope.server.ts'

/** A change without its values. */
export interface ChangeHead {
  readonly _id: number
  /** With microseconds, equal for all changes of a transaction. */
  readonly moment: string
  readonly ms: number
  readonly table: string
  readonly parent: string
  readonly actor: string | null
  readonly by: string | null
  readonly request: string | null
  readonly changeset: string | null
  /** Whether its transaction changed several records. */
  readonly isOfMany: boolean
  /** Whether it belongs to an entry of an earlier page. */
  readonly isContinued: boolean
}

/** The rows of one page: complete changes up to `upTo`, before the last entry of the previous page. */
export interface Range {
  readonly upTo: number
  readonly before: number | undefined
  /** Later changes only. */
  readonly after?: number
}

const FIRST_ROWS = 64
const MAX_ROWS = 512
/** The number of newest changes scanned before using the index by record, person or table. */
const NEAR_ROWS = 2000
const SAME_ENTRY = sql.lit(`${SAME_ENTRY_MS} milliseconds`)

const RECORD_TABLES = Object.entries(ACTIVITY_TABLES).flatMap(([table, { act, kind }]) =>
  act === 'change' && kind !== 'deadline' ? [table] : [],
)
/** Whether a change was saved together with others: in a changeset, or in a transaction that changed other records too. */
export const isOfMany = (c: string, other = 'other'): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${c}.changeset`)} is not null or ${sql.ref(`${c}.table`)} = any(${RECORD_TABLES}) and exists (
    select from change as ${sql.ref(other)}
    where ${isSameTransaction(other, c)} and ${sql.ref(`${other}.parent`)} <> ${sql.ref(`${c}.parent`)}
      and ${sql.ref(`${other}.table`)} = any(${RECORD_TABLES})))`

const isContinued = (c: string, scope: Scope, { upTo, before }: Range): RawBuilder<boolean> =>
  before === undefined
    ? sql<boolean>`false`
    : sql<boolean>`(case when "isOfMany" then exists (
        select from change as newer where ${isSameTransaction('newer', c)} and newer._id >= ${before} and newer._id <= ${upTo} and ${isInScope('newer', scope)})
      else exists (
        select from change as newer
        where newer.parent = ${sql.ref(`${c}.parent`)} and newer._id >= ${before} and newer._id <= ${upTo}
          and newer._id <= (select _id from change where at <= ${sql.ref(`${c}.at`)} + ${SAME_ENTRY}::interval order by at desc, _id desc limit 1)
          and newer.at <= ${sql.ref(`${c}.at`)} + ${SAME_ENTRY}::interval
          and newer."actorName" is not distinct from ${sql.ref(`${c}.actorName`)} and ${isInScope('newer', scope, true)} and not ${isOfMany('newer')}) end)`

/** A transaction that changed many records, with the properties shared by all its changes. */
type Transaction = Pick<ChangeHead, 'moment' | 'request' | 'by'>

export const toArrays = (transactions: readonly Transaction[]) => sql`unnest(
  ${transactions.map(({ moment }) => moment)}::timestamptz[], ${transactions.map(({ request }) => request)}::text[], ${transactions.map(({ by }) => by)}::text[])`

/** The newest changes of a scope below a number, using the index for its filter. */
const selectRows = (
  scope: Scope,
  below: number,
  { upTo, after = 0 }: Range,
  { without, limit, near }: { readonly without: readonly Transaction[]; readonly limit: number; readonly near: boolean },
): RawBuilder<unknown> => {
  const { records, actors, named, day, isOfKind, tables } = scope
  const columns = sql`change._id, change.at, change."table", change.parent, change.actor, change."actorName", change.request, change.changeset`
  const inDay =
    day === null
      ? sql``
      : sql`and change._id between (select min(_id) from (${selectDay(day)}) as of_day) and (select max(_id) from (${selectDay(day)}) as of_day)`
  const isBelow = sql`change._id < ${below} and change._id <= ${upTo} and change._id > ${after} ${inDay}`
  const isKnown =
    without.length === 0
      ? sql`false`
      : sql`exists (select from ${toArrays(without)} as known (at, request, "actorName") where ${isSameTransaction('known', 'change')})`
  const newest = sql`order by change._id desc limit ${limit}`
  if (near)
    return sql`(
      select ${columns} from (select * from change where ${isBelow} order by change._id desc limit ${NEAR_ROWS}) as change
      where ${isInScope('change', scope)} and not ${isKnown} ${newest})`
  const isWanted = sql`${isBelow} and ${isInScope('change', scope, true)} and not ${isKnown}`
  const lookups: (readonly [column: 'parent' | 'actorName' | 'table', keys: readonly string[]])[] =
    records !== null
      ? [['parent', records]]
      : actors !== null
        ? [['actorName', actors]]
        : named !== null
          ? [
              ['parent', named.records],
              ['actorName', named.actors],
            ]
          : isOfKind
            ? [['table', tables]]
            : []
  if (lookups.length === 0) return sql`(select ${columns} from change where ${isWanted} ${newest})`
  const selects = lookups.map(
    ([column, keys]) => sql`(
      select c.* from unnest(${keys}::text[]) as named (key)
      cross join lateral (select ${columns} from change where ${sql.ref(`change.${column}`)} = named.key and ${isWanted} ${newest}) as c
      order by c._id desc limit ${limit})`,
  )
  return sql`(select * from (${sql.join(selects, sql` union `)}) as change ${newest})`
}

/** The numbers of a day's changes, using the index by time. */
const selectDay = (day: NonNullable<Scope['day']>) =>
  sql`select _id from change where at >= ${dayStart(day)} and at < ${dayEnd(day)} offset 0`

/** The newest changes of a scope. If the newest changes overall contain enough of them, those are used; otherwise they are looked up by filter. */
export const readHeads = async (
  db: Queryable,
  scope: Scope,
  below: number,
  range: Range,
  { without = [], limit }: { readonly without?: readonly Transaction[]; readonly limit: number },
): Promise<ChangeHead[]> => {
  const read = async (near: boolean): Promise<ChangeHead[]> => {
    const { rows } = await sql<ChangeHead>`
      select c._id, c.at::text as moment, extract(epoch from c.at)::float8 * 1000 as ms, c."table", c.parent, c.actor, c."actorName" as by, c.request, c.changeset,
        "isOfMany", ${isContinued('c', scope, range)} as "isContinued"
      from ${selectRows(scope, below, range, { without, limit, near })} as c
      cross join lateral (select ${isOfMany('c')} as "isOfMany" offset 0) as many
      order by c._id desc`.execute(db)
    return rows
  }
  const isFiltered = scope.records !== null || scope.actors !== null || scope.named !== null || scope.isOfKind
  const rows = isFiltered ? await read(true) : []
  return rows.length === limit ? rows : read(false)
}

const toTransactionKey = ({ moment, request, by }: Transaction): string => JSON.stringify([moment, request, by])
const toSessionKey = ({ parent, by }: Pick<ChangeHead, 'parent' | 'by'>): string => JSON.stringify([parent, by])

/** The newest changes of each entry of a page, and whether there are earlier entries. */
export const findEntries = async (
  db: Queryable,
  scope: Scope,
  range: Range,
  limit: number,
): Promise<{ readonly heads: ChangeHead[]; readonly hasMore: boolean }> => {
  const heads: ChangeHead[] = []
  const transactions = new Map<string, Transaction>()
  /** The earliest moment so far in each person's session on a record. */
  const sessions = new Map<string, number>()
  const matches = (row: ChangeHead): boolean => {
    if (row.isOfMany) {
      const key = toTransactionKey(row)
      if (transactions.has(key)) return false
      transactions.set(key, row)
      return !row.isContinued
    }
    const key = toSessionKey(row)
    const last = sessions.get(key)
    sessions.set(key, row.ms)
    return !row.isContinued && (last === undefined || last - row.ms > SAME_ENTRY_MS)
  }
  for (let below = range.before ?? range.upTo + 1, size = FIRST_ROWS; ; size = Math.min(2 * size, MAX_ROWS)) {
    const rows = await readHeads(db, scope, below, range, { without: [...transactions.values()], limit: size })
    for (const row of rows) {
      if (!matches(row)) continue
      if (heads.length === limit) return { heads, hasMore: true }
      heads.push(row)
    }
    const last = rows.at(-1)
    if (rows.length < size || !last) return { heads, hasMore: false }
    below = last._id
  }
}
