import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'

import type { CheckedBody } from '../../../contract/call.ts'
import { type Capability, can } from '../../../contract/capabilities.ts'
import { formatDay, toIsoDay } from '../../../contract/dates.ts'
import { invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import { isUuid } from '../../../contract/slugs.ts'
import { type Queryable, setActor, readChangedRecords, type Tx } from '../../../database/connection.server.ts'
import type { AppContext, RunEdit, SignedIn } from '../../../platform/server/app-context.ts'
import { type NewAuditEvent, getSystemActor, recordAudit } from '../../../platform/server/audit.ts'
import { beginChangeset, MAX_ERRORS, pickDifferent, type RecordChanges, saveAll, sortByKey } from '../../../platform/server/changeset.ts'
import { type FieldChanges, flattenChanges, readFields } from '../../../platform/server/record-editor.ts'
import { accountLevel } from '../../access/levels/queries.server.ts'
import { isOpenAccount } from '../../access/session/queries.server.ts'
import { checkTargets, describeFields, findTargets, getEditableKind, listChanges } from './bulk.server.ts'
import type { applyBulkChange, PlannedChange, planChange } from './contract.ts'
import { mailFailedPlans, mailSavedPlans } from './planned-mails.server.ts'
import { getPlan, getPlannedKind, selectPlans, type StoredPlan } from './planned-queries.server.ts'

/** Planned changes are saved at 12:01 AM: a minute after their day begins. */
const SAVED_AFTER_MS = 60_000

const checkDay = ({ now, configuration }: AppContext, day: string): void => {
  if (day <= toIsoDay(now(), configuration.timeZone)) throw invalidFields([{ path: 'day', message: 'Choose a later day' }])
}

/** How a request to plan changes writes, and the request itself. */
interface Planner {
  readonly edit: RunEdit
  readonly request: FastifyRequest
}

interface PlanFacts {
  readonly kind: PlannedChange['record']['kind']
  readonly day: string
  readonly note: string | null | undefined
}

const insertPlans = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  { kind, day, note, request }: PlanFacts & Pick<Planner, 'request'>,
  rows: readonly (RecordChanges & { readonly present: FieldChanges })[],
): Promise<string[]> => {
  const { rows: batches } = await sql<{ batch: string }>`select gen_random_uuid() as batch`.execute(tx)
  // One parameter for all rows, because a statement is limited to 65,535 parameters.
  const given = JSON.stringify(rows.map(({ key, changes, present }) => ({ record: key, changes, before: present })))
  const { rows: plans } = await sql<{ _id: string; batch: string }>`
    insert into planned_change (kind, record, day, batch, changes, before, note, account, name, "createdAt")
    select ${kind}, record, ${day}::date, ${batches[0]?.batch}::uuid, changes, before, ${note ?? null}, ${user.account}::uuid, ${user.name}, ${context.now()}::timestamptz
    from jsonb_to_recordset(${given}::jsonb) as given (record text, changes jsonb, before jsonb)
    returning _id, batch`.execute(tx)
  await recordAudit(tx, request, {
    kind: 'planned_change.created',
    record: plans[0]?.batch ?? null,
    after: { of: kind, day, records: plans.length },
  })
  return plans.map(({ _id }) => _id)
}

/** Changes that differ from the current values, as a save would store them, and their errors by the key of the record. */
const checkPlans = async (
  context: AppContext,
  kind: ReturnType<typeof getEditableKind>,
  targets: Awaited<ReturnType<typeof findTargets>>,
) => {
  const checked = await checkTargets(context, kind, targets)
  return {
    errors: [...checked].flatMap(([key, { errors }]) => errors.map(({ path, message }) => ({ key, path, message }))),
    plans: targets
      .map(({ key, present }) => ({ key, present, changes: pickDifferent(checked.get(key)?.values ?? {}, present) }))
      .filter(({ changes }) => Object.keys(changes).length > 0),
  }
}

/** Checks changes by the rules of the edit call and stores them for their day. */
export const insertPlan = async (
  context: AppContext,
  user: SignedIn,
  { edit, request }: Planner,
  { kind: name, _id, day, changes, note }: CheckedBody<typeof planChange>,
): Promise<PlannedChange> => {
  getEditableKind(context, user, name)
  checkDay(context, day)
  const kind = getPlannedKind(context, name, user)
  const { errors, plans } = await checkPlans(context, kind, await findTargets(context, context.db, kind, { ids: [_id], changes }))
  if (errors.length > 0) throw invalidFields(errors.map(({ path, message }) => ({ path, message })))
  if (plans.length === 0)
    throw invalidFields(Object.keys(flattenChanges(kind, changes)).map((path) => ({ path, message: 'The record has this value already' })))
  const [plan = ''] = await edit((tx) => insertPlans(tx, context, user, { kind: name, day, note, request }, plans))
  return getPlan(context, plan)
}

/** Stores changes of many records for their day, to be saved together; none if one is refused. */
export const insertBulkPlan = async (
  context: AppContext,
  user: SignedIn,
  { edit, request }: Planner,
  { seen, day, note, ...bulk }: CheckedBody<typeof applyBulkChange> & { readonly day: string },
) => {
  const kind = getEditableKind(context, user, bulk.kind)
  checkDay(context, day)
  const targets = listChanges(await findTargets(context, context.db, kind, bulk), seen)
  const { errors, plans } = await checkPlans(context, kind, targets)
  if (errors.length > 0)
    throw invalidFields(errors.slice(0, MAX_ERRORS).map(({ key, path, message }) => ({ path: `${key}.${path}`, message })))
  if (plans.length > 0) await edit((tx) => insertPlans(tx, context, user, { kind: bulk.kind, day, note, request }, plans))
  return { changeset: null, changed: plans.length }
}

const findWaiting = async (tx: Tx, context: AppContext, user: SignedIn, _id: string): Promise<StoredPlan> => {
  const { rows } = isUuid(_id) ? await selectPlans(sql<boolean>`_id = ${_id}`).execute(tx) : { rows: [] }
  const [plan] = rows
  if (!plan || !can(user.accessLevel, context.kinds[plan.kind].editCapability)) throw notFound('Planned change')
  if (plan.state !== 'waiting') throw notWaiting()
  return plan
}
const notWaiting = () => new Problem(409, 'This planned change is no longer waiting')

/** The entries of the audit trail about planned changes. */
interface PlanSummary {
  readonly of: string
  readonly day: string
  readonly records: number
}

/** Cancels a pending change, or all that were planned with it. */
export const cancelPlan = async (tx: Tx, context: AppContext, user: SignedIn, _id: string, all: boolean): Promise<PlanSummary> => {
  const { batch, kind, day } = await findWaiting(tx, context, user, _id)
  const { numUpdatedRows } = await tx
    .updateTable('planned_change')
    .set({ state: 'canceled', endedAt: context.now() })
    .where(all ? 'batch' : '_id', '=', all ? batch : _id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw notWaiting()
  return { of: kind, day, records: Number(numUpdatedRows) }
}

/** Keeps a plan although the record has another value now. */
export const keepPlan = async (tx: Tx, context: AppContext, user: SignedIn, _id: string): Promise<PlanSummary> => {
  const { kind, record, changes, day } = await findWaiting(tx, context, user, _id)
  const present = await readFields(tx, context.readModel, getPlannedKind(context, kind), new Map([[record, Object.keys(changes)]]))
  const { numUpdatedRows } = await tx
    .updateTable('planned_change')
    .set({ before: JSON.stringify(present.get(record) ?? {}) })
    .where('_id', '=', _id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw notWaiting()
  return { of: kind, day, records: 1 }
}

/** Locks the plans of a batch that is due and not locked by another server: the first of them is locked before the others. */
const takeDue = async (tx: Queryable, today: string): Promise<StoredPlan[]> => {
  const { rows } = await sql<{ batch: string }>`
    select batch from planned_change where state = 'waiting' and day <= ${today}::date and not exists (
      select from planned_change as earlier
      where earlier.batch = planned_change.batch and earlier.state = 'waiting' and earlier._id < planned_change._id)
    order by day, "createdAt", _id limit 1 for update skip locked`.execute(tx)
  const [due] = rows
  if (!due) return []
  await sql`select from planned_change where batch = ${due.batch} and state = 'waiting' order by _id for update`.execute(tx)
  return (await selectPlans(sql<boolean>`batch = ${due.batch} and state = 'waiting'`).execute(tx)).rows
}

const endPlans = (
  tx: Tx,
  context: AppContext,
  plans: readonly StoredPlan[],
  values: { state: 'saved' | 'failed'; problem?: string; changeset?: string },
) =>
  tx
    .updateTable('planned_change')
    .set({ ...values, endedAt: context.now() })
    .where(
      '_id',
      'in',
      plans.map(({ _id }) => _id),
    )
    .execute()

/** The error messages, each with the name of its record if there are several. */
const describeProblem = (context: AppContext, plans: readonly StoredPlan[], error: Problem): string => {
  if (!error.errors) return error.message
  const messages = error.errors.map(({ path, message }) => {
    const plan = plans.find(({ record }) => path.startsWith(`${record}.`))
    const name = plan && plans.length > 1 ? context.kinds[plan.kind].describe(context.readModel, plan.record)?.name : undefined
    return name === undefined ? message : `${name}: ${message}`
  })
  return [...new Set(messages)].join('. ')
}

/** Who planned a change, at their present level, if their account is open and has the level for it. */
const findPlanner = async (
  tx: Tx,
  { configuration }: AppContext,
  { account, by }: StoredPlan,
  capability: Capability,
): Promise<SignedIn> => {
  const planner = await tx
    .selectFrom('account')
    .select(['azureID', accountLevel(configuration, sql.ref('account._id')).as('accessLevel')])
    .where('_id', '=', account)
    .where(isOpenAccount(configuration))
    .executeTakeFirst()
  if (!planner || !can(planner.accessLevel, capability)) throw new Problem(403, `${by} may no longer make this change`)
  return { ...planner, account, name: by, session: null, token: null }
}

/** Saves plans that were made together, or stores why they cannot be saved. The rules of the day on which they are saved apply. */
const savePlans = async (tx: Tx, context: AppContext, plans: readonly [StoredPlan, ...StoredPlan[]]): Promise<void> => {
  const [first] = plans
  const { account, by, kind: name, day, batch } = first
  const actor = { ...getSystemActor(by), account }
  await setActor(tx, { account, name: by })
  const rows = plans.map(({ record, changes }) => ({ key: record, changes }))
  await sql`savepoint planned`.execute(tx)
  try {
    const kind = getPlannedKind(context, name, await findPlanner(tx, context, first, context.kinds[name].editCapability))
    const title = `${describeFields(context, kind, rows)}, planned for ${formatDay(day)}`
    const changeset = await beginChangeset(tx, { kind: 'planned', recordKind: name, title, account, name: by, at: context.now() })
    await saveAll(tx, context, kind, sortByKey(rows))
    await endPlans(tx, context, plans, { state: 'saved', changeset })
    const event: NewAuditEvent = {
      kind: 'changeset.saved',
      record: changeset,
      after: { what: 'planned change', of: name, day, records: plans.length },
    }
    await recordAudit(tx, actor, event)
    await mailSavedPlans(tx, context, plans, changeset)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await sql`rollback to savepoint planned`.execute(tx)
    const problem = describeProblem(context, plans, error)
    await endPlans(tx, context, plans, { state: 'failed', problem })
    const after = { of: name, day, records: plans.length, problem }
    await recordAudit(tx, actor, { kind: 'planned_change.failed', record: batch, after })
    await mailFailedPlans(tx, context, plans, problem)
  }
}

/** Saves all planned changes that are due, each once, also after a period without a running server. Returns how many were processed. */
export const savePlannedChanges = async (context: AppContext): Promise<number> => {
  await context.readModel.ready()
  const today = toIsoDay(new Date(context.now().getTime() - SAVED_AFTER_MS), context.configuration.timeZone)
  for (let count = 0; ;) {
    const ended = await context.db.transaction().execute(async (tx) => {
      const [first, ...others] = await takeDue(tx, today)
      if (!first) return undefined
      await savePlans(tx, context, [first, ...others])
      return { lines: await readChangedRecords(tx), plans: 1 + others.length }
    })
    if (ended === undefined) return count
    count += ended.plans
    await context.lists.invalidate(ended.lines)
    context.mail.wake()
  }
}
