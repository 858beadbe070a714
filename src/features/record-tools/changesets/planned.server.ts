import { sql } from 'kysely'

import type { CheckedBody } from '../../../contract/call.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import { isEmail } from '../../../contract/emails.ts'
import { invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import type { EditableKind } from '../../../contract/records.ts'
import { isUuid } from '../../../contract/slugs.ts'
import { type Queryable, setActor, readChangedRecords, type Tx } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { beginChangeset, pickDifferent, saveAll, trySave } from '../../../platform/server/changeset.ts'
import { toOneLine } from '../../../platform/server/mail/layout.ts'
import { type FieldChanges, findPart, flattenChanges, readFields } from '../../../platform/server/record-editor.ts'
import { getEditableKind } from './bulk.server.ts'
import type { PlannedChange, planChange } from './contract.ts'

interface StoredPlan extends Omit<PlannedChange, 'record' | 'fields'> {
  readonly kind: EditableKind
  readonly record: string
  readonly changes: FieldChanges
  readonly before: FieldChanges
  readonly account: string
}

const selectPlans = (condition: ReturnType<typeof sql<boolean>>) => sql<StoredPlan>`
  select _id, kind, record, day::text as day, changes, before, note, state, problem, name as by, account,
    ${toIsoTimestamp(sql<Date>`"createdAt"`)} as "createdAt", changeset
  from planned_change where ${condition} order by day, "createdAt", _id limit 1000`

const toPlannedChanges = async (context: AppContext, plans: readonly StoredPlan[]): Promise<PlannedChange[]> => {
  const { readModel: model, kinds, db } = context
  await model.ready()
  return Promise.all(
    plans.map(async ({ kind: name, record, changes, before, account: _account, ...plan }) => {
      const kind = kinds[name]
      const paths = Object.keys(changes)
      const present = (await readFields(db, model, kind, new Map([[record, paths]]))).get(record)
      const described = kind.describe(model, record)
      return {
        ...plan,
        record: { kind: name, _id: record, slug: described?.slug ?? record, name: described?.name ?? 'A record that is gone' },
        fields: paths.map((path) => {
          const { part, inner } = findPart(kind, path)
          return {
            path,
            label: part.getLabel(inner, model),
            before: before[path] ?? null,
            planned: changes[path] ?? null,
            present: present?.[path] ?? null,
          }
        }),
      }
    }),
  )
}

interface PlanFilter {
  readonly kind?: EditableKind | undefined
  readonly record?: string | undefined
  readonly state: PlannedChange['state']
}

/** Planned changes that the caller may make; those of charter affairs need another level than others. */
export const findPlannedChanges = async (context: AppContext, user: SignedIn, { kind, record, state }: PlanFilter) => {
  const { db, readModel, kinds } = context
  await readModel.ready()
  const key = kind && record ? await kinds[kind].findKey(db, readModel, record) : record
  const names = (Object.keys(kinds) as EditableKind[]).filter((name) => canEdit(context, user, name))
  const conditions = [
    sql<boolean>`state = ${state} and kind = any(${names})`,
    ...(kind ? [sql<boolean>`kind = ${kind}`] : []),
    ...(key ? [sql<boolean>`record = ${key}`] : []),
  ]
  const { rows } = await selectPlans(sql<boolean>`${sql.join(conditions, sql` and `)}`).execute(db)
  return toPlannedChanges(context, rows)
}

const canEdit = (context: AppContext, user: SignedIn, name: EditableKind): boolean => {
  try {
    getEditableKind(context, user, name)
    return true
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return false
    throw error
  }
}

const getToday = ({ now, configuration }: AppContext): string => toIsoDay(now(), configuration.timeZone)

type NewPlan = CheckedBody<typeof planChange>

/** Checks changes by the rules of the edit call and keeps them for their day. */
export const insertPlan = async (
  context: AppContext,
  user: SignedIn,
  edit: <T>(write: (tx: Tx) => Promise<T>) => Promise<T>,
  { kind: name, _id, day, changes: given, note }: NewPlan,
): Promise<PlannedChange> => {
  const { db, readModel } = context
  const kind = getEditableKind(context, user, name)
  if (day <= getToday(context)) throw invalidFields([{ path: 'day', message: 'Choose a later day' }])
  await readModel.ready()
  const record = await kind.findKey(db, readModel, _id)
  const changes = flattenChanges(kind, given)
  const saved = await trySave(context, kind, record, changes)
  const before = (await readFields(db, readModel, kind, new Map([[record, Object.keys(changes)]]))).get(record) ?? {}
  const planned = pickDifferent(Object.fromEntries(Object.entries(saved).filter(([, value]) => value !== undefined)), before)
  if (Object.keys(planned).length === 0)
    throw invalidFields(Object.keys(changes).map((path) => ({ path, message: 'The record has this value already' })))
  const { _id: plan } = await edit((tx) =>
    tx
      .insertInto('planned_change')
      .values({
        kind: name,
        record,
        day,
        changes: JSON.stringify(planned),
        before: JSON.stringify(before),
        note: note ?? null,
        account: user.account,
        name: user.name,
        createdAt: context.now(),
      })
      .returning('_id')
      .executeTakeFirstOrThrow(),
  )
  return getPlan(context, plan)
}

const getPlan = async (context: AppContext, _id: string): Promise<PlannedChange> => {
  const { rows } = await selectPlans(sql<boolean>`_id = ${_id}`).execute(context.db)
  const [plan] = await toPlannedChanges(context, rows)
  if (!plan) throw notFound('Planned change')
  return plan
}

/** Cancels a change that waits. */
export const cancelPlan = async (tx: Tx, context: AppContext, user: SignedIn, _id: string): Promise<void> => {
  const { rows } = isUuid(_id) ? await selectPlans(sql<boolean>`_id = ${_id}`).execute(tx) : { rows: [] }
  const [plan] = rows
  if (!plan || !canEdit(context, user, plan.kind)) throw notFound('Planned change')
  const { numUpdatedRows } = await tx
    .updateTable('planned_change')
    .set({ state: 'canceled', endedAt: context.now() })
    .where('_id', '=', _id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Problem(409, 'This planned change is no longer waiting')
}

/** Tells the one who planned a change that it could not be saved. */
const mailFailure = async (tx: Tx, { mail, configuration, kinds, readModel }: AppContext, plan: StoredPlan, problem: string) => {
  const account = await tx.selectFrom('account').select('azureID').where('_id', '=', plan.account).executeTakeFirst()
  if (!account || !isEmail(account.azureID)) return
  const name = toOneLine(kinds[plan.kind].describe(readModel, plan.record)?.name ?? 'a record')
  await mail.enqueue(tx, {
    request: null,
    kind: 'reminder',
    recipients: [account.azureID],
    subject: `Planned change not saved: ${name}`.slice(0, 120),
    body: `The change of ${name} that you planned for ${plan.day} could not be saved, and nothing of it was.\n\n${problem}\n\n${configuration.publicUrl}/\n`,
    replyName: null,
    replyTo: null,
  })
}

/** Takes a plan that is due and that no other server has taken. */
const takeDue = async (tx: Queryable, today: string): Promise<StoredPlan | undefined> => {
  const { rows } = await sql<{ _id: string }>`
    select _id from planned_change where state = 'waiting' and day <= ${today}::date order by day, "createdAt", _id limit 1
    for update skip locked`.execute(tx)
  const [due] = rows
  if (!due) return undefined
  return (await selectPlans(sql<boolean>`_id = ${due._id}`).execute(tx)).rows[0]
}

const endPlan = (tx: Tx, context: AppContext, _id: string, values: { state: 'saved' | 'failed'; problem?: string; changeset?: string }) =>
  tx
    .updateTable('planned_change')
    .set({ ...values, endedAt: context.now() })
    .where('_id', '=', _id)
    .execute()

/** Saves one plan, or says why it cannot be: the rules are those of the day on which it is saved. */
const savePlan = async (tx: Tx, context: AppContext, plan: StoredPlan): Promise<void> => {
  await setActor(tx, { account: plan.account, name: plan.by })
  const kind = context.kinds[plan.kind]
  await sql`savepoint planned`.execute(tx)
  try {
    const title = `Planned for ${plan.day}`
    const changeset = await beginChangeset(tx, {
      kind: 'planned',
      recordKind: plan.kind,
      title,
      account: plan.account,
      name: plan.by,
      at: context.now(),
    })
    await saveAll(tx, context, kind, [{ key: plan.record, changes: plan.changes }])
    await endPlan(tx, context, plan._id, { state: 'saved', changeset })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await sql`rollback to savepoint planned`.execute(tx)
    const problem = error.errors?.map(({ message }) => message).join('. ') ?? error.message
    await endPlan(tx, context, plan._id, { state: 'failed', problem })
    await mailFailure(tx, context, plan, problem)
  }
}

/** Saves all planned changes that are due, each once, also after a time without a server. */
export const savePlannedChanges = async (context: AppContext): Promise<number> => {
  await context.readModel.ready()
  for (let count = 0; ; count++) {
    const lines = await context.db.transaction().execute(async (tx) => {
      const plan = await takeDue(tx, getToday(context))
      if (!plan) return undefined
      await savePlan(tx, context, plan)
      return readChangedRecords(tx)
    })
    if (lines === undefined) return count
    await context.lists.invalidate(lines)
    context.mail.wake()
  }
}
