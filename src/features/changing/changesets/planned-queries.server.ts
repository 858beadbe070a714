import { type RawBuilder, sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { notFound } from '../../../contract/problem.ts'
import { EDITABLE_KINDS, type EditableKind } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { type EditableRecordKind, type FieldChanges, findPart, readFields } from '../../../platform/server/record-editor.ts'
import { findReference, nameReference } from '../../../platform/server/record-names.ts'
import { MAX_PLANNED_CHANGES, type PlannedChange } from './contract.ts'

export interface StoredPlan extends Omit<PlannedChange, 'record' | 'fields'> {
  readonly kind: EditableKind
  readonly record: string
  readonly changes: FieldChanges
  readonly before: FieldChanges
  readonly account: string
}

const NEXT_DAY_FIRST = sql`day, "createdAt", _id`
const LATEST_DAY_FIRST = sql`day desc, "createdAt" desc, _id desc`

export const selectPlans = (condition: RawBuilder<boolean>, order = NEXT_DAY_FIRST, limit: number | null = null) => sql<StoredPlan>`
  with found as (select * from planned_change where ${condition} order by ${order} limit ${limit}),
    waiting as (select batch, count(*)::int as count from planned_change
      where state = 'waiting' and batch in (select batch from found) group by batch)
  select _id, kind, record, day::text as day, changes, before, note, state, problem, name as by, account,
    ${toIsoTimestamp(sql<Date>`"createdAt"`)} as "createdAt", changeset, batch,
    coalesce(waiting.count, 0) - (state = 'waiting')::int as others
  from found left join waiting using (batch) order by ${order}`

/** A kind with what only its planned changes hold; `planner` is the person for whom they are saved. */
export const getPlannedKind = (context: AppContext, name: EditableKind, planner: SignedIn | null = null): EditableRecordKind => {
  const kind = context.kinds[name]
  const { getParts, references } = context.plans[name] ?? {}
  return {
    ...kind,
    parts: [...kind.parts, ...(getParts?.(context, planner) ?? [])],
    references: { ...kind.references, ...references },
  }
}

/** The current values of the fields of planned changes, read once for each kind. */
const readPresent = async (context: AppContext, plans: readonly StoredPlan[]) => {
  const present = new Map<string, FieldChanges | undefined>()
  for (const name of new Set(plans.map(({ kind }) => kind))) {
    const paths = new Map<string, string[]>()
    for (const { kind, record, changes } of plans)
      if (kind === name) paths.set(record, [...new Set([...(paths.get(record) ?? []), ...Object.keys(changes)])])
    for (const [record, values] of await readFields(context.db, context.readModel, getPlannedKind(context, name), paths))
      present.set(`${name} ${record}`, values)
  }
  return present
}

export const toPlannedChanges = async (context: AppContext, plans: readonly StoredPlan[]): Promise<PlannedChange[]> => {
  const { readModel: model } = context
  await model.ready()
  const values = await readPresent(context, plans)
  return plans.map(({ kind: name, record, changes, before, account: _account, ...plan }) => {
    const kind = getPlannedKind(context, name)
    const present = values.get(`${name} ${record}`)
    const described = kind.describe(model, record)
    return {
      ...plan,
      record: { kind: name, _id: record, slug: described?.slug ?? record, name: described?.name ?? 'A record that is gone' },
      fields: Object.keys(changes).map((path) => {
        const { part, inner } = findPart(kind, path)
        const toName = (value: unknown) => nameReference(model, findReference(kind, path), value) ?? null
        const [was, planned, now] = [before[path] ?? null, changes[path] ?? null, present?.[path] ?? null]
        return {
          path,
          label: part.getLabel(inner, model),
          before: was,
          planned,
          present: now,
          beforeName: toName(was),
          plannedName: toName(planned),
          presentName: toName(now),
        }
      }),
    }
  })
}

/** The fields of a plan for which a condition is true; nothing if there are none. */
const limitTo = (plan: StoredPlan, isAbout: (path: string) => boolean): StoredPlan[] => {
  const changes = Object.fromEntries(Object.entries(plan.changes).filter(([path]) => isAbout(path)))
  return Object.keys(changes).length > 0 ? [{ ...plan, changes }] : []
}

const isOfRecord = (kind: EditableKind, records: readonly string[]) =>
  sql<boolean>`(kind = ${kind} and record = any(${[...records]}::text[]))`

interface PlanFilter {
  readonly kind?: EditableKind | undefined
  readonly record?: string | undefined
  readonly person?: string | undefined
  readonly state: PlannedChange['state']
  /** The last change of the previous response. */
  readonly after?: string | undefined
}

/** Selects changes of a person, those by which the person gets or loses a role at a site, and those that name the person. */
const touchesPerson = (person: string) => sql<boolean>`(kind = 'person' and record = ${person} or exists (
  select from jsonb_each(changes) as planned (path, value)
  where value = to_jsonb(${person}::text) or path like 'roles.%'
    and (value @> to_jsonb(${person}::text)) is distinct from coalesce(before -> path @> to_jsonb(${person}::text), false)))`

/** Selects those after another one, in the order for their state. */
const isBehind = (_id: string, state: PlannedChange['state']) =>
  sql<boolean>`(day, "createdAt", _id) ${state === 'waiting' ? sql`>` : sql`<`} (select day, "createdAt", _id from planned_change where _id = ${_id})`

/** Planned changes that the caller may make; those of charter affairs require a different level than others. */
export const findPlannedChanges = async (
  context: AppContext,
  { accessLevel }: SignedIn,
  { kind, record, person, state, after }: PlanFilter,
): Promise<PlannedChange[]> => {
  const { db, readModel, kinds, plans } = context
  await readModel.ready()
  const key = kind && record ? kinds[kind].findKey(readModel, record) : record
  const elsewhere = kind && key ? plans[kind]?.findElsewhere?.(readModel, key) : undefined
  const names = EDITABLE_KINDS.filter((name) => can(accessLevel, kinds[name].editCapability))
  const conditions = [
    sql<boolean>`state = ${state} and kind = any(${names})`,
    ...(kind && key
      ? [sql<boolean>`(${isOfRecord(kind, [key])} or ${elsewhere ? isOfRecord(elsewhere.kind, elsewhere.records) : sql`false`})`]
      : []),
    ...(kind && !key ? [sql<boolean>`kind = ${kind}`] : []),
    ...(key && !kind ? [sql<boolean>`record = ${key}`] : []),
    ...(person ? [touchesPerson(kinds.person.findKey(readModel, person))] : []),
    ...(after ? [isBehind(after, state)] : []),
  ]
  const order = state === 'waiting' ? NEXT_DAY_FIRST : LATEST_DAY_FIRST
  const { rows } = await selectPlans(sql<boolean>`${sql.join(conditions, sql` and `)}`, order, MAX_PLANNED_CHANGES).execute(db)
  return toPlannedChanges(
    context,
    rows.flatMap((plan) => (elsewhere?.kind === plan.kind ? limitTo(plan, elsewhere.isAbout) : [plan])),
  )
}

export const getPlan = async (context: AppContext, _id: string): Promise<PlannedChange> => {
  const { rows } = await selectPlans(sql<boolean>`_id = ${_id}`).execute(context.db)
  const [plan] = await toPlannedChanges(context, rows)
  if (!plan) throw notFound('Planned change')
  return plan
}

/** The day for which a change of these fields is already planned, by record: that of the first pending one. */
export const findPlannedDays = async (
  db: Queryable,
  kind: EditableKind,
  paths: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ record: string; day: string; fields: string[] }>`
    select record, day::text as day, array(select jsonb_object_keys(changes)) as fields from planned_change
    where state = 'waiting' and kind = ${kind} and record = any(${[...paths.keys()]}::text[]) order by day desc`.execute(db)
  return new Map(
    rows.filter(({ record, fields }) => fields.some((field) => paths.get(record)?.includes(field))).map(({ record, day }) => [record, day]),
  )
}
