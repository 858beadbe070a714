import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { type ActivityChange, type ActivityEntry, MAX_LISTED_RECORDS } from './contract.ts'
import { type ChangeHead, isOfMany, type Range, toArrays } from './find-entries.server.ts'
import { ACTIVITY_TABLES, type ActivityRecordKind, SAME_ENTRY_MS } from './rules.ts'
import { isInScope, isSameTransaction, type Scope } from './scope.server.ts'

/** What is shown of an entry. */
export interface Outline {
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

/** The number of changes of a record read for an entry, increased step by step for long sessions. */
const SESSION_ROWS = [20, 500, 10_000]

/** The changes of entries: those that one person made to one record up to the newest one, with gaps of at most ten minutes. */
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
    // The session may continue before the rows read so far.
    if (end === -1 && seen.length === size && (own.at(-1)?.ms ?? 0) - (seen.at(-1)?.ms ?? 0) <= SAME_ENTRY_MS) longer.push(head)
  }
  for (const [head, own] of await readSessions(db, scope, { upTo, before: undefined }, longer, larger)) sessions.set(head, own)
  return sessions
}

export const outlineSessions = async (
  db: Queryable,
  scope: Scope,
  range: Range,
  heads: readonly ChangeHead[],
  limit: number,
): Promise<Outline[]> =>
  [...(await readSessions(db, scope, range, heads, SESSION_ROWS))].map(([head, own]) => {
    const kind = getKind(head.table)
    const added = own.find(({ action, table }) => (action === 'insert' || action === 'delete') && table === kind)
    const checked = own.every(({ action }) => isCheck(action)) ? own[0] : undefined
    return {
      head,
      ids: own.slice(0, limit).map(({ _id }) => _id),
      changeCount: own.length,
      counts: [{ kind, action: (added ?? checked)?.action ?? 'update', records: 1 }],
      records: [{ kind, _id: head.parent }],
    }
  })

const isCheck = (action: ActivityChange['action']): boolean => action === 'check' || action === 'uncheck'

/** The record kind that shows the changes of a table. */
export const getKind = (table: string): ActivityRecordKind => ACTIVITY_TABLES[table]?.kind ?? 'site'

interface TransactionRow {
  readonly n: number
  readonly ids: number[]
  readonly changeCount: number
  readonly counts: ActivityEntry['counts']
  readonly records: Outline['records']
}

const selectKinds = sql`unnest(${Object.keys(ACTIVITY_TABLES)}::text[], ${Object.values(ACTIVITY_TABLES).map(({ kind }) => kind)}::text[]) as kinds ("table", kind)`

/** The contents of transactions that changed many records. */
export const outlineTransactions = async (
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
      from ${toArrays(heads)} with ordinality as head (at, request, "actorName", n)
      join change as c on ${isSameTransaction('c', 'head')} and c._id <= ${upTo} and ${isInScope('c', scope)}
      join ${selectKinds} using ("table")),
    record as (
      select n, kind, parent, max(_id) as newest,
        coalesce(min(action) filter (where "table" = kind and action in ('insert', 'delete')),
          case when bool_and(action in ('check', 'uncheck')) then 'check' else 'update' end) as action
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
