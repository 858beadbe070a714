import type { ResponseOf } from '../../contract/call.ts'
import { RECORD_NOUNS } from '../../contract/records.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import type { RoleGroup } from '../../records/people/contract.ts'
import { COUNTED_KINDS, type readCounts } from './contract.ts'

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

const countRecords = (model: ReadModel) =>
  Object.fromEntries(COUNTED_KINDS.map((kind) => [RECORD_NOUNS[kind][1], model.table(kind).size])) as Omit<
    ResponseOf<typeof readCounts>,
    'leadership' | 'studentSupport'
  >

/** The numbers of records and of people with roles. */
export const countAll = (model: ReadModel): ResponseOf<typeof readCounts> => ({ ...countRecords(model), ...countStaff(model) })
