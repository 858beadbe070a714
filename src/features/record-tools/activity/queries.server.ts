import { sql } from 'kysely'

import type { ResponseOf } from '../../../contract/call.ts'
import { can } from '../../../contract/capabilities.ts'
import { notFound } from '../../../contract/problem.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { getHistoryCalls, type HistoryKind } from '../history/contract.ts'
import { type StoredChange, toChanges } from '../history/queries.server.ts'
import { findCompleteChange } from './complete-changes.server.ts'
import {
  type ActivityChange,
  type ActivityEntry,
  type ActivityFilter,
  ENTRIES_PER_PAGE,
  MAX_CHANGES,
  MAX_LISTED_CHANGES,
  type readActivity,
} from './contract.ts'
import { type ChangeHead, findEntries, type Range, readHeads } from './find-entries.server.ts'
import { getKind, outlineSessions, outlineTransactions } from './outline-entries.server.ts'
import { findPage, toRecords } from './record-names.server.ts'
import { ACTIVITY_TABLES, type ActivityRecordKind } from './rules.ts'
import { createScope, listActors, type Scope } from './scope.server.ts'

export { findOwnRecords, type OwnRecords } from './own-records.server.ts'

/** Columns that name a row, kept where the row is cut to what changed. */
const NAME_COLUMNS = ['name', 'displayName', 'brandName', 'board_member_name', 'center_name', 'person', 'role', 'program_type', 'title']

/** Changes by their numbers, each with the fields that differ. */
const readChanges = async (db: Queryable, ids: readonly number[]): Promise<(StoredChange & { readonly parent: string })[]> => {
  const cut = (row: 'before' | 'after', other: 'before' | 'after') => sql`
    case when action in ('update', 'check', 'uncheck') then (
      select jsonb_object_agg(key, value) from jsonb_each(${sql.ref(row)})
      where value is distinct from ${sql.ref(other)} -> key or key = any(${NAME_COLUMNS})) else ${sql.ref(row)} end`
  const { rows } = await sql<StoredChange & { parent: string }>`
    select _id::text as _id, ${toIsoTimestamp(sql<Date>`at`)} as at, "actorName" as by, "suggestedBy", action, "table", record, parent,
      ${cut('before', 'after')} as before, ${cut('after', 'before')} as after,
      (select (latest.after ->> 'version')::integer from change as latest
       where latest._id = (select max(_id) from change as same where same.record = change.record and same."table" = change."table")) as version
    from change where _id = any(${ids}::bigint[]) order by change._id desc`.execute(db)
  return rows
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

/** The requests that suggest changes of fields. */
const findSuggestions = async (db: Queryable, requests: readonly string[]): Promise<ReadonlySet<string>> => {
  if (requests.length === 0) return new Set()
  const rows = await db.selectFrom('proposal').select('_id').where('_id', 'in', requests).execute()
  return new Set(rows.map(({ _id }) => _id))
}

const getAct = ({ table, parent }: ChangeHead, counts: ActivityEntry['counts'], suggestions: ReadonlySet<string>): ActivityEntry['act'] => {
  if (suggestions.has(parent)) return 'suggestion'
  if (counts.every(({ action }) => action === 'check' || action === 'uncheck')) return 'check'
  return ACTIVITY_TABLES[table]?.act ?? 'change'
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
  const suggestions = await findSuggestions(
    db,
    heads.filter(({ table }) => table === 'request').map(({ parent }) => parent),
  )
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
    act: getAct(head, counts, suggestions),
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

/** The latest entries at the caller's own sites and favorites; of everything for someone who has none and may see it. */
export const listLatest = async (
  context: AppContext,
  user: SignedIn,
  limit: number,
): Promise<{ readonly isOwn: boolean; readonly entries: ActivityEntry[] }> => {
  const own = await createScope(context, user, {}, true)
  const isOwn = (own.records?.length ?? 0) > 0
  const scope = isOwn ? own : await createScope(context, user, {})
  const range = { before: undefined, upTo: await findCompleteChange(context) }
  const { heads } = await findEntries(context.db, scope, range, limit)
  return { isOwn, entries: await describeEntries(context, user, scope, range, heads, MAX_LISTED_CHANGES) }
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
