import { type RawBuilder, sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { notFound } from '../../../contract/problem.ts'
import { RECORD_KINDS, EDITABLE_KINDS } from '../../../contract/records.ts'
import { normalizeText } from '../../../contract/text-match.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { getNameOf } from '../../../platform/server/record-names.ts'
import { CREATED_WITH_RECORD, isDeadlineOfPeople } from '../../changing/history/queries.server.ts'
import { getReadableDeadlines } from '../../deadlines/deadlines/queries.server.ts'
import type { ActivityFilter } from './contract.ts'
import { findOwnRecords } from './own-records.server.ts'
import { ACTIVITY_TABLES, SEE_EVERYTHING } from './rules.ts'

/** Which changes a user sees: those that they may read and that match the filter. */
export interface Scope {
  readonly tables: readonly string[]
  /** Whether `tables` is a filter, and not only what may be read. */
  readonly isOfKind: boolean
  /** True for suggested changes only, false for other requests only; null for both. */
  readonly isSuggestion: boolean | null
  /** The record kinds whose suggestions the user may not decide, which are shown only to their senders. */
  readonly hiddenSuggestions: { readonly kinds: readonly string[]; readonly account: string }
  /** Whether a decision is represented by the change it saved, so that both are one entry. */
  readonly hidesDecisions: boolean
  /** True for checks only, false for other changes only; null for both. */
  readonly isCheck: boolean | null
  /** The records whose pages show the changes; null for all. */
  readonly records: readonly string[] | null
  readonly actors: readonly string[] | null
  /** Records and people whose names contain the search text: changes of either; null for all. */
  readonly named: { readonly records: readonly string[]; readonly actors: readonly string[] } | null
  /** Start and end of the calendar day. */
  readonly day: { readonly date: string; readonly timeZone: string } | null
}

const ref = (alias: string, column: string): RawBuilder<unknown> => sql.ref(`${alias}.${column}`)

/** The first sign-in of an administrator binds their account to the permission record, which is not a grant. */
const isSignInOfPermission = (c: string): RawBuilder<unknown> => sql`(${ref(c, 'table')} = 'permission' and ${ref(c, 'action')} = 'update'
    and ${ref(c, 'before')} -> 'accessLevel' is not distinct from ${ref(c, 'after')} -> 'accessLevel'
    and ${ref(c, 'before')} -> 'account' is distinct from ${ref(c, 'after')} -> 'account')`

/** Whether two rows of `change`, given by alias, were written in one transaction. */
export const isSameTransaction = (a: string, b: string): RawBuilder<unknown> => sql`
  ${ref(a, 'at')} = ${ref(b, 'at')} and ${ref(a, 'request')} is not distinct from ${ref(b, 'request')}
  and ${ref(a, 'actorName')} is not distinct from ${ref(b, 'actorName')}`

/** Whether a change of a request is a decision that was saved together with accepted values. */
const isDecisionWithSave = (c: string): RawBuilder<boolean> => sql<boolean>`(
  ${ref(c, 'table')} = 'request' and ${ref(c, 'action')} = 'update' and exists (
    select from change as saved where ${isSameTransaction('saved', c)} and saved."suggestedBy" is not null))`

const isHiddenSuggestion = (c: string, { kinds, account }: Scope['hiddenSuggestions']): RawBuilder<boolean> => sql<boolean>`(
  ${ref(c, 'table')} = 'request' and exists (
    select from proposal join request as sent using (_id)
    where proposal._id = ${ref(c, 'record')}::uuid and proposal.kind = any(${kinds}::text[]) and sent.account is distinct from ${account}::uuid))`

/** Whether a scope includes a row of `change`, given by alias; `isOfRecord` if it is known to belong to one of its records. */
export const isInScope = (
  c: string,
  { tables, isSuggestion, hiddenSuggestions, hidesDecisions, isCheck, records, actors, named, day }: Scope,
  isOfRecord = false,
): RawBuilder<boolean> => sql<boolean>`
  ${ref(c, 'table')} = any(${tables})
  and not (${ref(c, 'action')} = 'insert' and ${ref(c, 'table')} = any(${CREATED_WITH_RECORD}))
  and ${isDeadlineOfPeople(c)}
  and not ${isSignInOfPermission(c)}
  ${
    isSuggestion === null
      ? sql``
      : sql`and case when ${ref(c, 'table')} = 'request'
        then exists (select from proposal where proposal._id = ${ref(c, 'record')}::uuid) = ${isSuggestion} else true end`
  }
  ${hiddenSuggestions.kinds.length === 0 ? sql`` : sql`and not ${isHiddenSuggestion(c, hiddenSuggestions)}`}
  ${hidesDecisions ? sql`and not ${isDecisionWithSave(c)}` : sql``}
  ${isCheck === null ? sql`` : sql`and (${ref(c, 'action')} in ('check', 'uncheck')) = ${isCheck}`}
  ${records === null || isOfRecord ? sql`` : sql`and ${ref(c, 'parent')} = any(${records})`}
  ${actors === null ? sql`` : sql`and ${ref(c, 'actorName')} = any(${actors})`}
  ${named === null ? sql`` : sql`and (${ref(c, 'parent')} = any(${named.records}) or ${ref(c, 'actorName')} = any(${named.actors}))`}
  ${day === null ? sql`` : sql`and ${ref(c, 'at')} >= ${dayStart(day)} and ${ref(c, 'at')} < ${dayEnd(day)}`}`

export const dayStart = ({ date, timeZone }: NonNullable<Scope['day']>) => sql`(${date}::date::timestamp at time zone ${timeZone})`
export const dayEnd = ({ date, timeZone }: NonNullable<Scope['day']>) => sql`((${date}::date + 1)::timestamp at time zone ${timeZone})`

/** The records of a region: its sites, their charters, the people with roles there, and all their deadlines. */
const listRecordsOfRegion = (model: ReadModel, region: string): Set<string> => {
  const records = new Set([region])
  for (const site of model.table('site').where('region', region)) {
    records.add(site._id)
    if (site.charter) records.add(site.charter)
    for (const { person } of model.table('site_person').where('site', site._id)) records.add(person)
  }
  return records
}

/** Adds parts of records with a separate history: charter affairs and deadlines. */
const addParts = async (context: AppContext, records: Set<string>, mayReadAffairs: boolean): Promise<Set<string>> => {
  const { rows } = await getReadableDeadlines(context)
  for (const { _id, charter, site } of rows.values())
    if (charter === null ? site !== null && records.has(site) : mayReadAffairs && records.has(charter)) records.add(_id)
  if (mayReadAffairs)
    for (const { _id, charter } of context.readModel.table('charter_affair').all()) if (records.has(charter)) records.add(_id)
  return records
}

/** The names under which someone has changed something: their own, and those of their API tokens. */
const listNamesOf = async (context: AppContext, actor: string, user: SignedIn): Promise<string[]> => {
  const { db, readModel } = context
  const names = new Set([actor])
  if (actor === 'me') names.add(user.name)
  const person = readModel.table('person').get(readModel.findId('person', actor) ?? null)
  if (person) {
    names.add(person.name)
    if (person.email !== null)
      for (const { name } of await db
        .selectFrom('account')
        .select('name')
        .where(sql<boolean>`lower("azureID") = lower(${person.email})`)
        .execute())
        names.add(name)
  }
  const tokens = (await listActors(context)).filter((one) => one.includes(' (token ') && names.has(one.slice(0, one.indexOf(' (token '))))
  return [...names, ...tokens]
}

/** Everyone who ever changed something, with one index lookup per name. */
export const listActors = async ({ db }: Pick<AppContext, 'db'>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    with recursive actor as (
      (select "actorName" as name from change where "actorName" is not null order by "actorName" limit 1)
      union all
      select (select "actorName" from change where "actorName" > actor.name order by "actorName" limit 1) from actor where actor.name is not null)
    select name from actor where name is not null`.execute(db)
  return rows.map(({ name }) => name)
}

/** The maximum number of records that a search by name returns. */
const MAX_NAMED = 1000

/** The records and people whose names contain this text. */
const findNamed = async (context: AppContext, q: string, mayReadAffairs: boolean): Promise<Scope['named']> => {
  const { readModel } = context
  const wanted = normalizeText(q)
  const hasName = (...names: (string | null)[]) => names.some((name) => name !== null && normalizeText(name).includes(wanted))
  const records = [
    ...[...readModel.table('site').all()].filter(({ name }) => hasName(name)),
    ...RECORD_KINDS.flatMap((kind) =>
      [...readModel.table(kind).all()].filter(({ _id }) => hasName(getNameOf(readModel, kind, _id) ?? null)),
    ),
  ].slice(0, MAX_NAMED)
  return {
    records: [...(await addParts(context, new Set(records.map(({ _id }) => _id)), mayReadAffairs))],
    actors: (await listActors(context)).filter((name) => hasName(name)),
  }
}

/** The scope for a user and a filter; with `isOwn` only their own sites and favorites. Throws 404 for an unknown region. */
export const createScope = async (context: AppContext, user: SignedIn, filter: ActivityFilter, isOwn = false): Promise<Scope> => {
  const { readModel, configuration } = context
  const { record, actor, region, kind, day, q } = filter
  await readModel.ready()
  const seesEverything = can(user.accessLevel, SEE_EVERYTHING)
  const mayReadAffairs = can(user.accessLevel, 'read a charter affair')
  const act = kind === 'check' ? 'change' : kind === 'suggestion' ? 'request' : kind
  const tables = Object.entries(ACTIVITY_TABLES)
    .filter(([, one]) => can(user.accessLevel, one.capability) && (kind === undefined || one.act === act || one.kind === kind))
    .map(([table]) => table)
  const restrictions: Set<string>[] = []
  if (!seesEverything || isOwn) {
    const { sites, others } = await findOwnRecords(context, user)
    restrictions.push(await addParts(context, new Set([...sites, ...others]), mayReadAffairs))
  }
  if (region !== undefined) {
    const _id = readModel.findId('region', region)
    if (_id === undefined) throw notFound('Region')
    restrictions.push(await addParts(context, listRecordsOfRegion(readModel, _id), mayReadAffairs))
  }
  if (record !== undefined)
    restrictions.push(
      await addParts(context, new Set([record, ...RECORD_KINDS.flatMap((one) => readModel.findId(one, record) ?? [])]), mayReadAffairs),
    )
  const [first, ...others] = restrictions
  return {
    tables,
    isOfKind: kind !== undefined,
    hiddenSuggestions: {
      kinds: EDITABLE_KINDS.filter((one) => !can(user.accessLevel, context.kinds[one].editCapability)),
      account: user.account,
    },
    hidesDecisions: kind === undefined && first === undefined,
    isSuggestion: kind === 'suggestion' ? true : kind === 'request' ? false : null,
    isCheck: kind === 'check' ? true : kind === 'change' ? false : null,
    records: first === undefined ? null : [...others.reduce((all, one) => all.intersection(one), first)],
    actors: actor === undefined ? null : await listNamesOf(context, actor, user),
    named: q === undefined ? null : await findNamed(context, q, mayReadAffairs),
    day: day === undefined ? null : { date: day, timeZone: configuration.timeZone },
  }
}
