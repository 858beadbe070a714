import { type RawBuilder, sql } from 'kysely'

import type { ResponseOf } from '../../../contract/call.ts'
import { can } from '../../../contract/capabilities.ts'
import { notFound } from '../../../contract/problem.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { findSource } from '../deadlines/fields.ts'
import { getHistoryCalls, type HistoryKind } from '../history/contract.ts'
import { type StoredChange, toChanges } from '../history/queries.server.ts'
import { findCompleteChange } from './complete-changes.server.ts'
import {
  type ActivityChange,
  type ActivityEntry,
  type ActivityFilter,
  type ActivityRecord,
  ENTRIES_PER_PAGE,
  MAX_CHANGES,
  MAX_LISTED_CHANGES,
  MAX_LISTED_RECORDS,
  type readActivity,
} from './contract.ts'
import { ACTIVITY_TABLES, type ActivityRecordKind, SAME_ENTRY_MS } from './rules.ts'
import { createScope, dayEnd, dayStart, isInScope, listActors, type Scope } from './scope.server.ts'

export { findOwnRecords, type OwnRecords } from './own-records.server.ts'

/** A change without what it changed. */
interface ChangeHead {
  readonly _id: number
  /** To the microsecond, as all changes of a transaction have it. */
  readonly moment: string
  readonly ms: number
  readonly table: string
  readonly parent: string
  readonly actor: string | null
  readonly by: string | null
  readonly request: string | null
  /** Whether its transaction changed several records. */
  readonly isOfMany: boolean
  /** Whether it belongs to an entry of an earlier page. */
  readonly isContinued: boolean
}

/** The rows of one page: changes up to `upTo`, which are all there, before the entry that the last page ended with. */
interface Range {
  readonly upTo: number
  readonly before: number | undefined
  /** Later changes only. */
  readonly after?: number
}

const FIRST_ROWS = 64
const MAX_ROWS = 512
/** So many of the newest changes are looked at before those of each record, person or table. */
const NEAR_ROWS = 2000
const SAME_ENTRY = sql.lit(`${SAME_ENTRY_MS} milliseconds`)

const isSameTransaction = (a: string, b: string): RawBuilder<unknown> => sql`
  ${sql.ref(`${a}.at`)} = ${sql.ref(`${b}.at`)} and ${sql.ref(`${a}.request`)} is not distinct from ${sql.ref(`${b}.request`)}
  and ${sql.ref(`${a}.actorName`)} is not distinct from ${sql.ref(`${b}.actorName`)}`

const RECORD_TABLES = Object.entries(ACTIVITY_TABLES).flatMap(([table, { act, kind }]) =>
  act === 'change' && kind !== 'deadline' ? [table] : [],
)
/** Whether the transaction of a change changed other records too. */
const isOfMany = (c: string, other = 'other'): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${c}.table`)} = any(${RECORD_TABLES}) and exists (
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

/** A transaction that changed many records, by what all its changes share. */
type Transaction = Pick<ChangeHead, 'moment' | 'request' | 'by'>

const arrays = (transactions: readonly Transaction[]) => sql`unnest(
  ${transactions.map(({ moment }) => moment)}::timestamptz[], ${transactions.map(({ request }) => request)}::text[], ${transactions.map(({ by }) => by)}::text[])`

/** The newest changes of a scope below a number, from the index of what it filters by. */
const selectRows = (
  scope: Scope,
  below: number,
  { upTo, after = 0 }: Range,
  { without, limit, near }: { readonly without: readonly Transaction[]; readonly limit: number; readonly near: boolean },
): RawBuilder<unknown> => {
  const { records, actors, day, isOfKind, tables } = scope
  const columns = sql`change._id, change.at, change."table", change.parent, change.actor, change."actorName", change.request`
  const inDay =
    day === null
      ? sql``
      : sql`and change._id between (select min(_id) from (${selectDay(day)}) as of_day) and (select max(_id) from (${selectDay(day)}) as of_day)`
  const isBelow = sql`change._id < ${below} and change._id <= ${upTo} and change._id > ${after} ${inDay}`
  const isKnown =
    without.length === 0
      ? sql`false`
      : sql`exists (select from ${arrays(without)} as known (at, request, "actorName") where ${isSameTransaction('known', 'change')})`
  const newest = sql`order by change._id desc limit ${limit}`
  if (near)
    return sql`(
      select ${columns} from (select * from change where ${isBelow} order by change._id desc limit ${NEAR_ROWS}) as change
      where ${isInScope('change', scope)} and not ${isKnown} ${newest})`
  const isWanted = sql`${isBelow} and ${isInScope('change', scope, true)} and not ${isKnown}`
  const [column, keys] =
    records !== null ? ['parent', records] : actors !== null ? ['actorName', actors] : isOfKind ? ['table', tables] : [null, []]
  if (column === null) return sql`(select ${columns} from change where ${isWanted} ${newest})`
  return sql`(
    select c.* from unnest(${keys}::text[]) as named (key)
    cross join lateral (select ${columns} from change where ${sql.ref(`change.${column}`)} = named.key and ${isWanted} ${newest}) as c
    order by c._id desc limit ${limit})`
}

/** The numbers of a day's changes, from the index of moments. */
const selectDay = (day: NonNullable<Scope['day']>) =>
  sql`select _id from change where at >= ${dayStart(day)} and at < ${dayEnd(day)} offset 0`

/** The newest changes of a scope. Where it has many of the newest ones, those are enough; otherwise they are looked up by what it filters by. */
const readHeads = async (
  db: Queryable,
  scope: Scope,
  below: number,
  range: Range,
  { without = [], limit }: { readonly without?: readonly Transaction[]; readonly limit: number },
): Promise<ChangeHead[]> => {
  const read = async (near: boolean): Promise<ChangeHead[]> => {
    const { rows } = await sql<ChangeHead>`
      select c._id, c.at::text as moment, extract(epoch from c.at)::float8 * 1000 as ms, c."table", c.parent, c.actor, c."actorName" as by, c.request,
        "isOfMany", ${isContinued('c', scope, range)} as "isContinued"
      from ${selectRows(scope, below, range, { without, limit, near })} as c
      cross join lateral (select ${isOfMany('c')} as "isOfMany" offset 0) as many
      order by c._id desc`.execute(db)
    return rows
  }
  const isFiltered = scope.records !== null || scope.actors !== null || scope.isOfKind
  const rows = isFiltered ? await read(true) : []
  return rows.length === limit ? rows : read(false)
}

const toTransactionKey = ({ moment, request, by }: Transaction): string => JSON.stringify([moment, request, by])
const toSessionKey = ({ parent, by }: Pick<ChangeHead, 'parent' | 'by'>): string => JSON.stringify([parent, by])

/** The newest changes of each entry of a page, and whether there are earlier entries. */
const findEntries = async (
  db: Queryable,
  scope: Scope,
  range: Range,
  limit: number,
): Promise<{ readonly heads: ChangeHead[]; readonly hasMore: boolean }> => {
  const heads: ChangeHead[] = []
  const transactions = new Map<string, Transaction>()
  /** The earliest moment so far of what someone did to a record. */
  const sessions = new Map<string, number>()
  const takes = (row: ChangeHead): boolean => {
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
      if (!takes(row)) continue
      if (heads.length === limit) return { heads, hasMore: true }
      heads.push(row)
    }
    const last = rows.at(-1)
    if (rows.length < size || !last) return { heads, hasMore: false }
    below = last._id
  }
}

/** What is to be shown of an entry. */
interface Outline {
  readonly head: ChangeHead
  /** The newest changes. */
  readonly ids: readonly number[]
  readonly changeCount: number
  readonly counts: ActivityEntry['counts']
  /** The records by kind, those with the newest changes first. */
  readonly records: readonly { readonly kind: ActivityRecordKind; readonly _id: string }[]
}

interface SessionRow {
  readonly n: number
  readonly _id: number
  readonly ms: number
  readonly table: string
  readonly action: ActivityChange['action']
  readonly isOfEntry: boolean
}

/** How many changes of a record are looked at for an entry, and then for those that go on. */
const SESSION_ROWS = [20, 500, 10_000]

/** The changes of entries: what one person did to one record before the newest one, with no more than ten minutes between two. */
const readSessions = async (
  db: Queryable,
  scope: Scope,
  { upTo }: Range,
  heads: readonly ChangeHead[],
  [size = 0, ...larger]: readonly number[],
): Promise<ReadonlyMap<ChangeHead, readonly SessionRow[]>> => {
  if (heads.length === 0 || size === 0) return new Map()
  const { rows } = await sql<SessionRow>`
    select head.n::int as n, c._id, extract(epoch from c.at)::float8 * 1000 as ms, c."table", c.action,
      c."actorName" is not distinct from head.by and ${isInScope('c', scope, true)} and not ${isOfMany('c')} as "isOfEntry"
    from unnest(${heads.map(({ _id }) => _id)}::bigint[], ${heads.map(({ parent }) => parent)}::text[], ${heads.map(({ by }) => by)}::text[])
      with ordinality as head (_id, parent, by, n)
    cross join lateral (
      select * from change
      where change.parent = head.parent and change._id <= head._id and change._id <= ${upTo}
      order by change._id desc limit ${size}) as c
    order by head.n, c._id desc`.execute(db)
  const byHead = Map.groupBy(rows, ({ n }) => n)
  const sessions = new Map<ChangeHead, readonly SessionRow[]>()
  const longer: ChangeHead[] = []
  for (const [at, head] of heads.entries()) {
    const seen = byHead.get(at + 1) ?? []
    const all = seen.filter(({ isOfEntry }) => isOfEntry)
    const end = all.findIndex(({ ms }, index) => index > 0 && (all[index - 1]?.ms ?? ms) - ms > SAME_ENTRY_MS)
    const own = end === -1 ? all : all.slice(0, end)
    sessions.set(head, own)
    // It may go on below what was read.
    if (end === -1 && seen.length === size && (own.at(-1)?.ms ?? 0) - (seen.at(-1)?.ms ?? 0) <= SAME_ENTRY_MS) longer.push(head)
  }
  for (const [head, own] of await readSessions(db, scope, { upTo, before: undefined }, longer, larger)) sessions.set(head, own)
  return sessions
}

const outlineSessions = async (
  db: Queryable,
  scope: Scope,
  range: Range,
  heads: readonly ChangeHead[],
  limit: number,
): Promise<Outline[]> =>
  [...(await readSessions(db, scope, range, heads, SESSION_ROWS))].map(([head, own]) => {
    const kind = getKind(head.table)
    const ofRecord = own.find(({ action, table }) => action !== 'update' && table === kind)
    return {
      head,
      ids: own.slice(0, limit).map(({ _id }) => _id),
      changeCount: own.length,
      counts: [{ kind, action: ofRecord?.action ?? 'update', records: 1 }],
      records: [{ kind, _id: head.parent }],
    }
  })

/** The kind of record that shows the changes of a table. */
const getKind = (table: string): ActivityRecordKind => ACTIVITY_TABLES[table]?.kind ?? 'site'

interface TransactionRow {
  readonly n: number
  readonly ids: number[]
  readonly changeCount: number
  readonly counts: ActivityEntry['counts']
  readonly records: Outline['records']
}

const selectKinds = sql`unnest(${Object.keys(ACTIVITY_TABLES)}::text[], ${Object.values(ACTIVITY_TABLES).map(({ kind }) => kind)}::text[]) as kinds ("table", kind)`

/** What one transaction did to many records. */
const outlineTransactions = async (
  db: Queryable,
  scope: Scope,
  { upTo }: Range,
  heads: readonly ChangeHead[],
  limit: number,
): Promise<Outline[]> => {
  if (heads.length === 0) return []
  const { rows } = await sql<TransactionRow>`
    with member as materialized (
      select head.n::int as n, c._id, c."table", kinds.kind, c.parent, c.action
      from ${arrays(heads)} with ordinality as head (at, request, "actorName", n)
      join change as c on ${isSameTransaction('c', 'head')} and c._id <= ${upTo} and ${isInScope('c', scope)}
      join ${selectKinds} using ("table")),
    record as (
      select n, kind, parent, max(_id) as newest,
        coalesce(min(action) filter (where "table" = kind and action <> 'update'), 'update') as action
      from member group by n, kind, parent),
    counted as (select n, kind, action, count(*)::int as records from record group by n, kind, action)
    select n, count(*)::int as "changeCount",
      (array_agg(_id order by _id desc))[1:${sql.lit(limit)}] as ids,
      (select jsonb_agg(jsonb_build_object('kind', kind, 'action', action, 'records', records) order by records desc, kind, action)
        from counted where counted.n = member.n) as counts,
      (select jsonb_agg(jsonb_build_object('kind', kind, '_id', parent) order by newest desc)
        from (select * from record where record.n = member.n order by newest desc limit ${MAX_LISTED_RECORDS}) as first) as records
    from member group by n order by n`.execute(db)
  return rows.flatMap(({ n, ...outline }) => {
    const head = heads[n - 1]
    return head ? [{ head, ...outline }] : []
  })
}

/** Columns that name a row, kept where the row is cut to what changed. */
const NAME_COLUMNS = ['name', 'displayName', 'brandName', 'board_member_name', 'center_name', 'person', 'role', 'program_type', 'title']

/** Changes by their numbers, each with the fields that differ. */
const readChanges = async (db: Queryable, ids: readonly number[]): Promise<(StoredChange & { readonly parent: string })[]> => {
  const cut = (row: 'before' | 'after', other: 'before' | 'after') => sql`
    case when action = 'update' then (
      select jsonb_object_agg(key, value) from jsonb_each(${sql.ref(row)})
      where value is distinct from ${sql.ref(other)} -> key or key = any(${NAME_COLUMNS})) else ${sql.ref(row)} end`
  const { rows } = await sql<StoredChange & { parent: string }>`
    select _id::text as _id, ${toIsoTimestamp(sql<Date>`at`)} as at, "actorName" as by, action, "table", record, parent,
      ${cut('before', 'after')} as before, ${cut('after', 'before')} as after,
      (select (latest.after ->> 'version')::integer from change as latest
       where latest._id = (select max(_id) from change as same where same.record = change.record and same."table" = change."table")) as version
    from change where _id = any(${ids}::bigint[]) order by change._id desc`.execute(db)
  return rows
}

type NamedRow = Readonly<Record<string, unknown>>
const getText = (row: NamedRow, ...columns: string[]): string | null => {
  const found = columns.map((column) => row[column]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : null
}

/** The names of records that are not in the read model, from the last that is known of them. */
const readLastRows = async (db: Queryable, records: readonly string[]): Promise<ReadonlyMap<string, NamedRow>> => {
  if (records.length === 0) return new Map()
  const { rows } = await sql<{ record: string; row: NamedRow }>`
    select record, (select coalesce(after, before) from change where change.record = named.record order by _id desc limit 1) as row
    from unnest(${records}::text[]) as named (record)`.execute(db)
  return new Map(rows.flatMap(({ record, row }) => (row === null ? [] : [[record, row] as const])))
}

type KindAndId = Outline['records'][number]

const findPage = (model: ReadModel, { kind, _id }: KindAndId): { readonly slug: string; readonly name: string } | undefined => {
  switch (kind) {
    case 'site': {
      const site = model.table('site').get(_id)
      return site && { slug: site.slug, name: site.displayName }
    }
    case 'brand': {
      const brand = model.table('brand').get(_id)
      return brand && { slug: brand.slug, name: brand.brandName }
    }
    case 'charter_affair':
      return model.table('charter').get(model.table('charter_affair').get(_id)?.charter ?? null)
    case 'charter':
    case 'region':
    case 'person':
      return model.table(kind).get(_id)
    default:
      return undefined
  }
}

const SETTING_NAMES: Readonly<Record<string, string>> = { deadlines: 'Deadlines', requests: 'Requests' }

const formatName = (model: ReadModel, { kind, _id }: KindAndId, row: NamedRow): string => {
  const siteOrCharter =
    model.table('site').get(getText(row, 'site'))?.displayName ?? model.table('charter').get(getText(row, 'charter'))?.name ?? null
  switch (kind) {
    case 'deadline': {
      const title = getText(row, 'title') ?? findSource(getText(row, 'source') ?? '', getText(row, 'section'), getText(row, 'field'))?.title
      return [title ?? 'Deadline', getText(row, 'subject'), siteOrCharter].filter(Boolean).join(', ')
    }
    case 'request':
      return row['kind'] === 'support' ? 'IS support' : (siteOrCharter ?? getText(row, 'location') ?? 'No site given')
    case 'charter_affair':
      return siteOrCharter ?? 'a deleted charter'
    case 'setting':
      return SETTING_NAMES[_id] ?? _id
    default:
      return getText(row, 'displayName', 'brandName', 'name') ?? 'a deleted record'
  }
}

const toRecords = async ({ db, readModel }: AppContext, records: readonly KindAndId[]): Promise<ReadonlyMap<string, ActivityRecord>> => {
  const unknown = records.filter((record) => !findPage(readModel, record)).map(({ _id }) => _id)
  const rows = await readLastRows(db, [...new Set(unknown)])
  return new Map(
    records.map((record) => {
      const page = findPage(readModel, record)
      return [
        record._id,
        { ...record, slug: page?.slug ?? null, name: page?.name ?? formatName(readModel, record, rows.get(record._id) ?? {}) },
      ] as const
    }),
  )
}

/** The people of the directory behind accounts. */
const findPeople = async (db: Queryable, accounts: readonly string[]): Promise<ReadonlyMap<string, ActivityEntry['person']>> => {
  if (accounts.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .innerJoin('person', (join) => join.on(sql<boolean>`lower(person.email) = lower(account."azureID")`))
    .select(['account._id as account', 'person._id', 'person.slug', 'person.name'])
    .where('account._id', 'in', accounts)
    .execute()
  return new Map(rows.map(({ account, ...person }) => [account, person]))
}

/** What of a request's row is for nobody. */
const HIDDEN_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  request: new Set(['account', 'claimedName', 'claimedEmail', 'answeredBy', 'answeredAt', 'createdAt']),
  permission: new Set(['account', 'person', 'applicationID', 'accessName', 'superAdmin']),
  deadline: new Set(['datedAt', 'source', 'record', 'section', 'field', 'precision', 'isCurrent']),
}

const canRestore = (model: ReadModel, user: SignedIn, kind: ActivityRecordKind, parent: string): boolean => {
  if (!(['site', 'person', 'charter', 'brand', 'region', 'charter_affair'] as const).some((one) => one === kind)) return false
  return (
    can(user.accessLevel, getHistoryCalls(kind as HistoryKind).restore.capability) && findPage(model, { kind, _id: parent }) !== undefined
  )
}

/** Entries of a page, by their newest changes. */
const describeEntries = async (
  context: AppContext,
  user: SignedIn,
  scope: Scope,
  range: Range,
  heads: readonly ChangeHead[],
  limit: number,
): Promise<ActivityEntry[]> => {
  const { db, readModel } = context
  const { many = [], one = [] } = Object.groupBy(heads, ({ isOfMany: isMany }) => (isMany ? 'many' : 'one'))
  const outlines = [
    ...(await outlineSessions(db, scope, range, one, limit)),
    ...(await outlineTransactions(db, scope, range, many, limit)),
  ].toSorted((a, b) => b.head._id - a.head._id)
  const stored = await readChanges(
    db,
    outlines.flatMap(({ ids }) => ids),
  )
  const parents = new Map(stored.map(({ _id, parent, table }) => [_id, { kind: getKind(table), _id: parent }]))
  const changes = new Map((await toChanges(db, stored)).map((change) => [change._id, change]))
  const records = await toRecords(context, [...outlines.flatMap((outline) => outline.records), ...parents.values()])
  const people = await findPeople(db, [...new Set(heads.flatMap(({ actor }) => actor ?? []))])
  const toChange = (_id: number): ActivityChange[] => {
    const change = changes.get(String(_id))
    const parent = parents.get(String(_id))
    if (!change || !parent) return []
    const hidden = HIDDEN_FIELDS[change.part]
    return [
      {
        ...change,
        fields: hidden ? change.fields.filter(({ field }) => !hidden.has(field)) : change.fields,
        canPutBack: change.canPutBack && canRestore(readModel, user, parent.kind, parent._id),
        record: parent._id,
      },
    ]
  }
  return outlines.map(({ head, ids, changeCount, counts, records: own }) => ({
    _id: String(head._id),
    at: new Date(head.ms).toISOString(),
    by: head.by,
    person: people.get(head.actor ?? '') ?? null,
    act: ACTIVITY_TABLES[head.table]?.act ?? 'change',
    counts,
    records: own.flatMap(({ _id }) => records.get(_id) ?? []),
    changes: ids.flatMap(toChange),
    changeCount,
  }))
}

/** The last changes of each record that are looked at for the people who made them. */
const ROWS_FOR_PEOPLE = 50

/** Everyone who changed something; of one's own records those who did so lately. */
const listPeople = async (context: AppContext, { records, tables }: Scope): Promise<string[]> => {
  if (records === null) return listActors(context)
  const { rows } = await sql<{ name: string }>`
    select distinct "actorName" as name from unnest(${records}::text[]) as named (record)
    cross join lateral (
      select "actorName", "table" from change where parent = named.record order by _id desc limit ${ROWS_FOR_PEOPLE}) as latest
    where "table" = any(${tables}) and "actorName" is not null order by 1`.execute(context.db)
  return rows.map(({ name }) => name)
}

/** The end of a range of entries: the last change and the last entry of the page before, as `before` of an answer says it. */
const parseRange = (before: string | undefined, complete: number): Range => {
  const [entry, upTo = complete] = (before?.split('-') ?? []).map(Number)
  return { before: entry, upTo: Math.min(upTo, complete) }
}

/** One page of what changed. */
export const listActivity = async (
  context: AppContext,
  user: SignedIn,
  { before, ...filter }: ActivityFilter & { readonly before?: string | undefined },
): Promise<ResponseOf<typeof readActivity>> => {
  const scope = await createScope(context, user, filter)
  const range = parseRange(before, await findCompleteChange(context))
  const { heads, hasMore } = await findEntries(context.db, scope, range, ENTRIES_PER_PAGE)
  const last = heads.at(-1)
  return {
    entries: await describeEntries(context, user, scope, range, heads, MAX_LISTED_CHANGES),
    before: hasMore && last ? `${last._id}-${range.upTo}` : null,
    upTo: String(range.upTo),
    people: before === undefined ? await listPeople(context, await createScope(context, user, {})) : [],
  }
}

/** The latest entries at the caller's own sites and favorites; of everything where they have none and may see it. */
export const listLatest = async (context: AppContext, user: SignedIn, scope: Scope, limit: number): Promise<ActivityEntry[]> => {
  const range = { before: undefined, upTo: await findCompleteChange(context) }
  const { heads } = await findEntries(context.db, scope, range, limit)
  return describeEntries(context, user, scope, range, heads, MAX_LISTED_CHANGES)
}

/** How many entries are new since a change. */
export const countNew = async (context: AppContext, user: SignedIn, filter: ActivityFilter, since: number): Promise<number> => {
  const upTo = await findCompleteChange(context)
  if (upTo <= since) return 0
  const scope = await createScope(context, user, filter)
  return (await findEntries(context.db, scope, { before: undefined, upTo, after: since }, ENTRIES_PER_PAGE)).heads.length
}

/** One entry with more of its changes. Throws 404 where the caller does not see it. */
export const getEntry = async (context: AppContext, user: SignedIn, _id: number, filter: ActivityFilter): Promise<ActivityEntry> => {
  const scope = await createScope(context, user, filter)
  const range = { before: undefined, upTo: _id }
  const [head] = await readHeads(context.db, scope, _id + 1, { ...range, after: _id - 1 }, { limit: 1 })
  const [entry] = head ? await describeEntries(context, user, scope, range, [head], MAX_CHANGES) : []
  if (!entry) throw notFound('Entry')
  return entry
}
