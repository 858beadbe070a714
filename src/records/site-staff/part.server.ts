import { sql } from 'kysely'
import { z } from 'zod'

import { compareBytes } from '../../contract/byte-order.ts'
import { id } from '../../contract/fields.ts'
import { invalidFields, parseInput, Problem } from '../../contract/problem.ts'
import { formatArchived } from '../../database/archived-records.server.ts'
import type { Queryable } from '../../database/connection.server.ts'
import { lockForUpdate } from '../../database/update-record.server.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import type { RecordPart } from '../../platform/server/record-editor.ts'
import { catchProblem, lockRows } from '../../platform/server/record-part.ts'
import type { SheetDefinition } from '../../platform/server/sheet-definition.ts'
import { addSiteStaff, NOT_EMPLOYED, ROLE_REQUIRED } from './contract.ts'
import { deleteSiteStaff, insertSiteStaff } from './mutations.server.ts'
import { findStaffAuthors, readEarlierStaff, readStaffVersions } from './staff-versions.server.ts'

/** Roles of people at a site: `{[person]: {[role]: true}}`. A field is one role of one person. */
const StaffInput = z.record(id, z.record(id, z.boolean()))

/** The people with their roles at each site, ordered by person; a deleted site is missing. */
const readHeldRoles = async (db: Queryable, sites: readonly string[]) => {
  const { rows } = await sql<{ site: string; person: string | null; role: string }>`
    select site._id as site, held.person, held.role from site left join site_person as held on held.site = site._id
    where site._id = any(${[...sites]}::text[]) order by held.person`.execute(db)
  return Map.groupBy(rows, ({ site }) => site)
}

const readStaff = async (db: Queryable, sites: readonly string[]): Promise<ReadonlyMap<string, z.infer<typeof StaffInput>>> => {
  const staff = new Map<string, z.infer<typeof StaffInput>>()
  for (const [site, held] of await readHeldRoles(db, sites)) {
    const people: z.infer<typeof StaffInput> = {}
    for (const { person, role } of held) if (person !== null) (people[person] ??= {})[role] = true
    staff.set(site, people)
  }
  return staff
}

/** Refuses a role for someone who has left, or is archived. */
const assertIsEmployed = (model: ReadModel, person: string, path: string): void => {
  if (model.table('person').isArchived(person)) throw invalidFields([{ path, message: formatArchived('person') }])
  if (model.table('person').get(person)?.leftAt) throw invalidFields([{ path, message: NOT_EMPLOYED }])
}

/** The people of a site with their roles, in the format of forms. */
export const staffPart: RecordPart = {
  prefix: 'people',
  table: 'site_person',
  capability: addSiteStaff.capability,
  readInputs: (db, _model, keys) => readStaff(db, keys),
  lock: (tx, keys) => lockRows(tx, 'site', '_id', keys),
  save: async (tx, _model, site, changes) => {
    await lockForUpdate(tx, 'site', site, undefined)
    const checked = parseInput(StaffInput, changes)
    const stored = (await readStaff(tx, [site])).get(site)
    for (const [person, roles] of Object.entries(checked))
      for (const [role, isHeld] of Object.entries(roles)) {
        if ((stored?.[person]?.[role] ?? false) === isHeld) continue
        try {
          if (isHeld) await insertSiteStaff(tx, site, { person, role_match: role })
          else await deleteSiteStaff(tx, site, { person_id: person, role_id: role })
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          throw invalidFields([{ path: `${person}.${role}`, message: error.errors?.[0]?.message ?? error.message }])
        }
      }
    return checked
  },
  validate: (_db, model, changes) => {
    const check = (given: object) => {
      const people = parseInput(StaffInput, given)
      for (const [person, roles] of Object.entries(people))
        for (const [role, isHeld] of Object.entries(roles)) if (isHeld) assertIsEmployed(model, person, `${person}.${role}`)
      return people
    }
    return Promise.resolve(new Map([...changes].map(([site, given]) => [site, catchProblem(() => check(given))])))
  },
  getLabel: (path, model) => {
    const [person = '', role = ''] = path.split('.')
    return [model.table('role').get(role)?.name ?? 'Role', model.table('person').get(person)?.name ?? 'someone'].join(': ')
  },
  isGroup: (path) => !path.includes('.'),
}

/** Holders of each role at a site: `{[role]: [person]}`. A field is one role, so that its people are replaced together. */
const RolesInput = z.record(id, z.array(id).max(100))

const toRoles = (model: ReadModel, held: readonly { readonly person: string | null; readonly role: string }[]) => {
  // A vacant role is an empty list, so that people can be added to it.
  const roles: z.infer<typeof RolesInput> = Object.fromEntries([...model.table('role').all()].map(({ _id }) => [_id, []]))
  for (const { person, role } of held) if (person !== null) (roles[role] ??= []).push(person)
  return roles
}

const readRoles = async (
  db: Queryable,
  model: ReadModel,
  sites: readonly string[],
): Promise<ReadonlyMap<string, z.infer<typeof RolesInput>>> => {
  const held = await readHeldRoles(db, sites)
  return new Map([...held].map(([site, rows]) => [site, toRoles(model, rows)]))
}

/** The roles of a site with their people, in the format of sheets. */
export const rolesPart: RecordPart = {
  prefix: 'roles',
  table: 'site_person',
  capability: addSiteStaff.capability,
  toInput: (row) => row,
  readInputs: readRoles,
  readBefore: (_db, model, site) => {
    const held = model.table('site_person').where('site', site)
    return Promise.resolve(
      toRoles(
        model,
        held.toSorted((a, b) => compareBytes(a.person, b.person)),
      ),
    )
  },
  lock: (tx, keys) => lockRows(tx, 'site', '_id', keys),
  save: async (tx, model, site, changes) => {
    await lockForUpdate(tx, 'site', site, undefined)
    const checked = parseInput(RolesInput, changes)
    const stored = (await readRoles(tx, model, [site])).get(site) ?? {}
    const saved: Record<string, string[]> = {}
    for (const [role, people] of Object.entries(checked)) {
      const held = stored[role]
      if (held === undefined) throw invalidFields([{ path: role, message: ROLE_REQUIRED }])
      try {
        for (const person of held) if (!people.includes(person)) await deleteSiteStaff(tx, site, { person_id: person, role_id: role })
        for (const person of new Set(people)) if (!held.includes(person)) await insertSiteStaff(tx, site, { person, role_match: role })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        throw invalidFields([{ path: role, message: error.errors?.[0]?.message ?? error.message }])
      }
      saved[role] = [...new Set(people)].toSorted()
    }
    return saved
  },
  validate: async (db, model, changes) => {
    const stored = await readRoles(db, model, [...changes.keys()])
    const check = (given: object, held: z.infer<typeof RolesInput>) => {
      const roles = parseInput(RolesInput, given)
      for (const [role, people] of Object.entries(roles))
        for (const person of people) if (!held[role]?.includes(person)) assertIsEmployed(model, person, role)
      return Object.fromEntries(Object.entries(roles).map(([role, people]) => [role, [...new Set(people)].toSorted()]))
    }
    return new Map([...changes].map(([site, given]) => [site, catchProblem(() => check(given, stored.get(site) ?? {}))]))
  },
  getLabel: (path, model) => model.table('role').get(path)?.name ?? 'Role',
  isGroup: () => false,
}

/** A column for each role, with the people who have it. */
export const staffSheet: SheetDefinition = {
  versions: { read: readStaffVersions, readEarlier: readEarlierStaff, findAuthors: findStaffAuthors },
  columns: (model) =>
    [...model.table('role').all()]
      .toSorted((a, b) => a.group.localeCompare(b.group) || a.name.localeCompare(b.name))
      .map(({ _id, name }) => ({ path: `roles.${_id}`, label: name, type: 'people' })),
}
