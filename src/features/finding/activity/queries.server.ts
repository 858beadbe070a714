import { sql } from 'kysely'

import type { ResponseOf } from '../../../contract/call.ts'
import { BROWSE_LEVEL, can } from '../../../contract/capabilities.ts'
import { notFound } from '../../../contract/problem.ts'
import { EDITABLE_KINDS } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { CREATED_WITH_RECORD, isDeadlineOfPeople } from '../../changing/history/queries.server.ts'
import { findCompleteChange } from './complete-changes.server.ts'
import {
  type ActivityChange,
  type ActivityEntry,
  type ActivityFilter,
  type ActivityRecord,
  ENTRIES_PER_PAGE,
  MAX_CHANGES,
  MAX_LISTED_CHANGES,
  type readActivity,
} from './contract.ts'
import { type ChangeHead, findEntries, type Range, readHeads } from './find-entries.server.ts'
import { getKind, outlineSessions, outlineTransactions } from './outline-entries.server.ts'
import { readActivityChanges } from './read-changes.server.ts'
import { ACTIVITY_TABLES } from './rules.ts'
import { createScope, isSameTransaction, listActors, type Scope } from './scope.server.ts'

export { findCompleteChange, getKind, readActivityChanges }
export { findOwnRecords, type OwnRecords } from './own-records.server.ts'
export { toRecords } from './record-names.server.ts'

/** The people in the directory who own accounts. */
const findPeople = async (db: Queryable, accounts: readonly string[]): Promise<ReadonlyMap<string, ActivityEntry['person']>> => {
  if (accounts.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .innerJoin('person', (join) => join.on(sql<boolean>`lower(person.email) = lower(account."azureID") and person."archivedAt" is null`))
    .select(['account._id as account', 'person._id', 'person.slug', 'person.name'])
    .where('account._id', 'in', accounts)
    .execute()
  return new Map(rows.map(({ account, ...person }) => [account, person]))
}

/** Changesets by their keys, and whether each was undone. */
const findChangesets = async (db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, ActivityEntry['changeset']>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<NonNullable<ActivityEntry['changeset']>>`
    select _id::text as _id, kind, title, exists (select from changeset as undo where undo.undoes = changeset._id) as "isUndone"
    from changeset where _id = any(${[...new Set(ids)]}::uuid[])`.execute(db)
  return new Map(rows.map((changeset) => [changeset._id, changeset]))
}

/** The requests that suggest changes of fields. */
const findSuggestions = async (db: Queryable, requests: readonly string[]): Promise<ReadonlySet<string>> => {
  if (requests.length === 0) return new Set()
  const rows = await db.selectFrom('proposal').select('_id').where('_id', 'in', requests).execute()
  return new Set(rows.map(({ _id }) => _id))
}

/** The suggestions whose acceptance caused changes, by change, limited to those that the user may decide. */
const findAccepted = async (
  { db, kinds }: AppContext,
  { accessLevel }: SignedIn,
  changes: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const decidable = EDITABLE_KINDS.filter((kind) => can(accessLevel, kinds[kind].editCapability))
  if (changes.length === 0 || decidable.length === 0) return new Map()
  // Suggestions of others that a decision closes come after the one that was decided.
  const { rows } = await sql<{ change: string; suggestion: string }>`
    select distinct on (saved._id) saved._id::text as change, decided.record as suggestion
    from change as saved join change as decided on ${isSameTransaction('decided', 'saved')} and decided."table" = 'request'
      join proposal on proposal._id = decided.record::uuid
    where saved._id = any(${changes}::bigint[]) and proposal.kind = any(${decidable}::text[])
    order by saved._id, decided._id`.execute(db)
  return new Map(rows.map(({ change, suggestion }) => [change, suggestion]))
}

const getAct = ({ table, parent }: ChangeHead, counts: ActivityEntry['counts'], suggestions: ReadonlySet<string>): ActivityEntry['act'] => {
  if (suggestions.has(parent)) return 'suggestion'
  if (counts.every(({ action }) => action === 'check' || action === 'uncheck')) return 'check'
  return ACTIVITY_TABLES[table]?.act ?? 'change'
}

/** Describes the entries of a page by their newest changes. */
const describeEntries = async (
  context: AppContext,
  user: SignedIn,
  scope: Scope,
  range: Range,
  heads: readonly ChangeHead[],
  limit: number,
): Promise<ActivityEntry[]> => {
  const { db } = context
  const { many = [], one = [] } = Object.groupBy(heads, ({ isOfMany: isMany }) => (isMany ? 'many' : 'one'))
  const outlines = [
    ...(await outlineSessions(db, scope, range, one, limit)),
    ...(await outlineTransactions(db, scope, range, many, limit)),
  ].toSorted((a, b) => b.head._id - a.head._id)
  const { changes, records } = await readActivityChanges(
    context,
    user,
    outlines.flatMap(({ ids }) => ids),
    outlines.flatMap((outline) => outline.records),
  )
  const suggestions = await findSuggestions(
    db,
    heads.filter(({ table }) => table === 'request').map(({ parent }) => parent),
  )
  const accepted = await findAccepted(
    context,
    user,
    [...changes.values()].flat().flatMap(({ _id, suggestedBy }) => (suggestedBy === null ? [] : [_id])),
  )
  const people = await findPeople(db, [...new Set(heads.flatMap(({ actor }) => actor ?? []))])
  const changesets = await findChangesets(
    db,
    heads.flatMap(({ changeset }) => changeset ?? []),
  )
  return outlines.map(({ head, ids, changeCount, counts, records: own }) => ({
    _id: String(head._id),
    at: new Date(head.ms).toISOString(),
    by: head.by,
    person: people.get(head.actor ?? '') ?? null,
    act: getAct(head, counts, suggestions),
    changeset: changesets.get(head.changeset ?? '') ?? null,
    suggestion: ids.flatMap((_id) => accepted.get(String(_id)) ?? [])[0] ?? null,
    counts,
    records: own.flatMap(({ _id }) => records.get(_id) ?? []),
    changes: ids.flatMap((_id) => changes.get(_id) ?? []),
    changeCount,
  }))
}

/** The number of latest changes per record that are searched for their authors. */
const ROWS_FOR_PEOPLE = 50

/** Everyone who changed something; for the user's own records, everyone who did so recently. */
const listPeople = async (context: AppContext, { records, tables }: Scope): Promise<string[]> => {
  if (records === null) return listActors(context)
  const { rows } = await sql<{ name: string }>`
    select distinct "actorName" as name from unnest(${records}::text[]) as named (record)
    cross join lateral (
      select "actorName", "table" from change where parent = named.record order by _id desc limit ${ROWS_FOR_PEOPLE}) as latest
    where "table" = any(${tables}) and "actorName" is not null order by 1`.execute(context.db)
  return rows.map(({ name }) => name)
}

/** Parses `before` of a response: the last change, and the last entry of the previous page. */
const parseRange = (before: string | undefined, complete: number): Range => {
  const [entry, upTo = complete] = (before?.split('-') ?? []).map(Number)
  return { before: entry, upTo: Math.min(upTo, complete) }
}

/** One page of activity. */
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

/** The charters whose affairs, or deadlines from them, appear in entries. */
export const listAffairCharters = async (
  { db, readModel }: Pick<AppContext, 'db' | 'readModel'>,
  entries: readonly ActivityEntry[],
): Promise<(string | null)[]> => {
  const named = entries.flatMap(({ records, changes }) => [
    ...records,
    ...changes.map(({ part, record }) => ({ kind: getKind(part), _id: record })),
  ])
  const listIds = (wanted: ActivityRecord['kind']) => [...new Set(named.flatMap(({ kind, _id }) => (kind === wanted ? [_id] : [])))]
  const affairs = listIds('charter_affair').map((_id) => readModel.table('charter_affair').get(_id)?.charter ?? _id)
  const deadlines = listIds('deadline')
  if (deadlines.length === 0) return affairs
  const rows = await db.selectFrom('deadline').select('charter').where('_id', 'in', deadlines).execute()
  return [...affairs, ...rows.map(({ charter }) => charter)]
}

/** The number of changes read at a time for a file. */
const BATCH_ROWS = 500

/** The newest changes of a filter with their records, in batches: the same that the user sees on the page. */
export async function* listChanges(
  context: AppContext,
  user: SignedIn,
  filter: ActivityFilter,
  limit: number,
): AsyncGenerator<(readonly [ActivityChange, ActivityRecord | undefined])[], undefined> {
  const scope = await createScope(context, user, filter)
  const range = { before: undefined, upTo: await findCompleteChange(context) }
  for (let below = range.upTo + 1, left = limit; left > 0;) {
    const heads = await readHeads(context.db, scope, below, range, { limit: Math.min(BATCH_ROWS, left) })
    const last = heads.at(-1)
    if (!last) return
    const ids = heads.map(({ _id }) => _id)
    const { changes, records } = await readActivityChanges(context, user, ids, [])
    yield ids.flatMap((_id) => (changes.get(_id) ?? []).map((change) => [change, records.get(change.record)] as const))
    below = last._id
    left -= heads.length
  }
}

/** The changes of records in a period, oldest first, in batches. */
export async function* listChangesOf(
  context: AppContext,
  records: readonly string[],
  { from, to, upTo }: { readonly from: Date; readonly to: Date; readonly upTo: number },
): AsyncGenerator<(readonly [ActivityChange, ActivityRecord | undefined])[], undefined> {
  for (let after = 0; ;) {
    const { rows } = await sql<{ _id: number }>`
      select _id from change
      where parent = any(${[...records]}::text[]) and at >= ${from} and at < ${to} and _id > ${after} and _id <= ${upTo}
        and not (action = 'insert' and "table" = any(${CREATED_WITH_RECORD})) and ${isDeadlineOfPeople('change')}
      order by _id limit ${BATCH_ROWS}`.execute(context.db)
    const ids = rows.map(({ _id }) => _id)
    if (ids.length === 0) return
    const { changes, records: named } = await readActivityChanges(context, { accessLevel: BROWSE_LEVEL }, ids, [])
    yield ids.flatMap((_id) => (changes.get(_id) ?? []).map((change) => [change, named.get(change.record)] as const))
    after = ids.at(-1) ?? after
  }
}

/** The latest entries for the user's own sites and favorites; for everything if they have none and may see it. */
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

/** The number of new entries since a change. */
export const countNew = async (context: AppContext, user: SignedIn, filter: ActivityFilter, since: number): Promise<number> => {
  const upTo = await findCompleteChange(context)
  if (upTo <= since) return 0
  const scope = await createScope(context, user, filter)
  return (await findEntries(context.db, scope, { before: undefined, upTo, after: since }, ENTRIES_PER_PAGE)).heads.length
}

/** One entry with more of its changes. Throws 404 if the user may not see it. */
export const getEntry = async (context: AppContext, user: SignedIn, _id: number, filter: ActivityFilter): Promise<ActivityEntry> => {
  const scope = await createScope(context, user, filter)
  const range = { before: undefined, upTo: _id }
  const [head] = await readHeads(context.db, scope, _id + 1, { ...range, after: _id - 1 }, { limit: 1 })
  // A changeset is always complete, even if a filter matched only part of it.
  const whole = head?.changeset ? { ...range, upTo: await findCompleteChange(context) } : range
  const [entry] = head ? await describeEntries(context, user, scope, whole, [head], MAX_CHANGES) : []
  if (!entry) throw notFound('Entry')
  return entry
}
