import { z } from 'zod'

import { id } from '../../contract/fields.ts'
import { invalidFields, parseInput, Problem } from '../../contract/problem.ts'
import type { Queryable, Tx } from '../../database/connection.server.ts'
import { lockForUpdate } from '../../database/update-record.server.ts'
import type { AppContext, KindPlans, SignedIn } from '../../platform/server/app-context.ts'
import { type AuditActor, getSystemActor } from '../../platform/server/audit.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import type { RecordPart } from '../../platform/server/record-editor.ts'
import { catchProblem, lockRows } from '../../platform/server/record-part.ts'
import { createDeparture } from './contract.ts'
import { ALREADY_LEFT, auditDeparture, insertDeparture, type PersonLock, undoDeparture } from './mutations.server.ts'
import { getPositionKey, LEAVING } from './rules.ts'

/** What a planned departure holds: `handOver` has the next person of each position that is handed over. */
const LeavingInput = z.strictObject({
  left: z.literal(true, { error: ALREADY_LEFT }),
  handOver: z.record(z.string(), id).optional(),
  deadlinesTo: id.optional(),
})

/** Their positions with themselves as the holder, so that a plan shows which of them they no longer have. */
const readLeaving = async (db: Queryable, people: readonly string[]): Promise<ReadonlyMap<string, object>> => {
  const found = await db.selectFrom('person').select(['_id', 'leftAt']).where('_id', 'in', people).execute()
  const held = await db.selectFrom('site_person').select(['person', 'site', 'role']).where('person', 'in', people).execute()
  return new Map(
    found.map(({ _id, leftAt }) => [
      _id,
      {
        left: leftAt !== null,
        handOver: Object.fromEntries(held.flatMap((one) => (one.person === _id ? [[getPositionKey(one.site, one.role), _id]] : []))),
        deadlinesTo: _id,
      },
    ]),
  )
}

const getPositionLabel = (model: ReadModel, position: string): string => {
  const [site = '', role = ''] = position.split(' ')
  return `${model.table('role').get(role)?.name ?? 'Role'} of ${model.table('site').get(site)?.displayName ?? 'a site'}`
}

const toLock = (tx: Tx, person: string): PersonLock => ({
  person,
  lockForUpdate: async () => void (await lockForUpdate(tx, 'person', person, undefined)),
})
const toAuditActor = ({ account, azureID, name }: SignedIn): AuditActor => ({ ...getSystemActor(name), account, actor: azureID })

const saveLeaving = async (
  tx: Tx,
  { configuration, readModel }: AppContext,
  planner: SignedIn,
  person: string,
  { handOver = {}, deadlinesTo }: z.infer<typeof LeavingInput>,
): Promise<void> => {
  const held = await tx.selectFrom('site_person').select(['_id', 'site', 'role']).where('person', '=', person).execute()
  const places = new Map(held.map(({ _id, site, role }) => [getPositionKey(site, role), _id]))
  const positions = Object.keys(handOver)
  const body = {
    handOver: Object.entries(handOver).map(([position, to]) => ({ place: places.get(position) ?? '', person: to })),
    deadlinesTo: deadlinesTo ?? null,
  }
  try {
    await auditDeparture(tx, toAuditActor(planner), person, () => insertDeparture(tx, configuration, planner, toLock(tx, person), body))
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    throw invalidFields(
      error.errors.map(({ path, message }) => {
        const position = positions[Number(path.split('.')[1])]
        return position === undefined
          ? { path, message }
          : { path: `handOver.${position}`, message: `${getPositionLabel(readModel, position)}: ${message}` }
      }),
    )
  }
}

/** Leaving on a later day, with the rules of leaving today for the person who planned it. */
const createLeavingPart = (context: AppContext, planner: SignedIn | null): RecordPart => ({
  prefix: LEAVING,
  table: 'person',
  capability: createDeparture.capability,
  readInputs: (db, _model, people) => readLeaving(db, people),
  lock: (tx, people) => lockRows(tx, 'person', '_id', people),
  validate: (_db, _model, changes) =>
    Promise.resolve(new Map([...changes].map(([person, given]) => [person, catchProblem(() => parseInput(LeavingInput, given))]))),
  save: async (tx, _model, person, changes) => {
    if (planner === null) throw new Error('A departure is saved for the person who planned it')
    const checked = parseInput(LeavingInput, changes)
    await saveLeaving(tx, context, planner, person, checked)
    return checked
  },
  getLabel: (path, model) => {
    if (path.startsWith('handOver.')) return getPositionLabel(model, path.slice('handOver.'.length))
    return path === 'deadlinesTo' ? 'Responsible for their deadlines' : 'No longer employed'
  },
  isGroup: (path) => path === 'handOver',
})

export const leavingPlans: KindPlans = {
  getParts: (context, planner) => [createLeavingPart(context, planner)],
  references: { [`${LEAVING}.handOver.*`]: 'person', [`${LEAVING}.deadlinesTo`]: 'person' },
  undo: {
    field: 'leftAt',
    run: (tx, { configuration }, user, person) =>
      auditDeparture(tx, toAuditActor(user), person, () => undoDeparture(tx, configuration, user, toLock(tx, person))),
  },
}

/** The planned departures that end roles at a site. */
export const findLeavingAt: NonNullable<KindPlans['findElsewhere']> = (model, site) => ({
  kind: 'person',
  records: model
    .table('site_person')
    .where('site', site)
    .map(({ person }) => person),
  isAbout: (path) => path === `${LEAVING}.left` || path.startsWith(`${LEAVING}.handOver.${getPositionKey(site, '')}`),
})
