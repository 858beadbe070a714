import type { ResponseOf } from '../../contract/call.ts'
import { RECORD_NOUNS } from '../../contract/records.ts'
import { countWaiting, listProposalCharters } from '../../features/changing/requests/queries.server.ts'
import { listAffairCharters } from '../../features/finding/activity/queries.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { recordAffairPartsRead } from '../../platform/server/audit.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import type { RoleGroup } from '../../records/people/contract.ts'
import { COUNTED_KINDS, countWaitingRequests, type Home, readCounts, readHome } from './contract.ts'
import { getHome } from './queries.server.ts'

const countHolders = (model: ReadModel, group: RoleGroup): number => {
  const people = new Set<string>()
  for (const { person, role } of model.table('site_person').all()) if (model.table('role').need(role).group === group) people.add(person)
  return people.size
}

/** Cached until the next change. */
const counts = new WeakMap<ReadModel, { readonly revision: number; readonly staff: Record<'leadership' | 'studentSupport', number> }>()
const countStaff = (model: ReadModel) => {
  const known = counts.get(model)
  if (known?.revision === model.revision) return known.staff
  const staff = { leadership: countHolders(model, 'LEADERSHIP'), studentSupport: countHolders(model, 'STUDENT_SUPPORT') }
  counts.set(model, { revision: model.revision, staff })
  return staff
}

/** The charters whose affairs appear on a home page. */
const listChartersOfAffairs = async (context: AppContext, { deadlines, suggestions, changes }: Home) => [
  ...[...deadlines.first, deadlines.next].map((deadline) => deadline?.charter?._id),
  ...listProposalCharters(context, suggestions.first),
  ...(await listAffairCharters(context, changes.entries)),
]

const countRecords = (model: ReadModel) =>
  Object.fromEntries(COUNTED_KINDS.map((kind) => [RECORD_NOUNS[kind][1], model.table(kind).size])) as Omit<
    ResponseOf<typeof readCounts>,
    'leadership' | 'studentSupport'
  >

export const homeRoutes: Route[] = [
  handle(readHome, async ({ user, context, request }) => {
    const { home, commentedCharters } = await getHome(context, user)
    await recordAffairPartsRead(context, request, 'home', [...(await listChartersOfAffairs(context, home)), ...commentedCharters])
    return home
  }),
  handle(countWaitingRequests, async ({ user, context }) => {
    const { requests, suggestions } = await countWaiting(context, user)
    return { requests: requests + suggestions }
  }),
  handle(readCounts, async ({ context: { readModel } }) => {
    await readModel.ready()
    return { ...countRecords(readModel), ...countStaff(readModel) }
  }),
]
