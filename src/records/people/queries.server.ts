import { defineRowList, type RowListSource, type WholeListSource } from '../../platform/server/read-model/list-source.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import {
  sortByTexts,
  getId,
  toArchived,
  toCheckFields,
  toMoment,
  toRecordFields,
  toSiteSummary,
} from '../../platform/server/read-model/references.ts'
import { getReferenced } from '../../platform/server/read-model/table-rows.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { Person, PersonWithSites, Role, RoleGroup } from './contract.ts'

/** Roles by group and name; only one group if given. */
export const toRoles = (model: ReadModel, group?: RoleGroup): Role[] =>
  sortByTexts(
    [...model.table('role').all()].filter((role) => group === undefined || role.group === group),
    (role) => role.group,
    ({ name }) => name,
  ).map(({ _id, name, group: ownGroup, notAt }) => ({ _id, name, group: ownGroup, notAt }))

export const listRolesOf = (group?: RoleGroup): WholeListSource => ({ reads: ['role'], build: (model) => toRoles(model, group) })

/** The roles of a person at sites, by site and role; only one group if given. */
const getPositions = (model: ReadModel, person: string, group?: RoleGroup) =>
  sortByTexts(
    model
      .table('site_person')
      .where('person', person)
      .map(({ _id, site, role }) => ({ _id, site: model.table('site').need(site), role: model.table('role').need(role) }))
      .filter(({ role }) => group === undefined || role.group === group),
    ({ site }) => site.displayName,
    ({ role }) => role.name,
    getId,
  )

const toPersonSite = ({ _id, slug, displayName, city, state, status, version }: ModelRow<'site'>): Person['sites'][number] => ({
  _id,
  slug,
  displayName,
  city,
  state,
  status,
  version,
})
const toRole = ({ _id, name }: ModelRow<'role'>): Person['roles'][number] => ({ _id, name })
const getDistinct = <T extends { readonly _id: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item._id, item])).values(),
]

const toPersonAs = <L>(model: ReadModel, person: ModelRow<'person'>, toLocationSite: (site: ModelRow<'site'>) => L, group?: RoleGroup) => {
  const positions = getPositions(model, person._id, group)
  return {
    _id: person._id,
    slug: person.slug,
    name: person.name,
    phone: person.phone,
    email: person.email,
    fax: person.fax,
    sql_person_id: person.sql_person_id,
    leftAt: toMoment(person.leftAt),
    sites: sortByTexts(getDistinct(positions.map(({ site }) => site)), ({ displayName }) => displayName, getId).map(toPersonSite),
    roles: sortByTexts(getDistinct(positions.map(({ role }) => role)), ({ name }) => name, getId).map(toRole),
    ...toRecordFields(person),
    ...toCheckFields(person),
    ...toArchived(person),
    locations: positions.map(({ _id, site, role }) => ({ _id, site: toLocationSite(site), role: toRole(role) })),
  }
}

/** A person as shown in lists; with a group, only their roles and locations of that group. */
export const toPerson = (model: ReadModel, person: ModelRow<'person'>, group?: RoleGroup): Person =>
  toPersonAs(model, person, toPersonSite, group)

/** One person with the summaries of their sites. */
export const toPersonWithSites = (model: ReadModel, person: ModelRow<'person'>): PersonWithSites =>
  toPersonAs(model, person, (site) => toSiteSummary(model, site))

/** The people of a list, by name; with a group, those with a role of it. */
export const getPeopleInOrder = (model: ReadModel, group?: RoleGroup): string[] => {
  const ids = model.getKeysInOrder('person')
  // Archived people have no role, so they are in the list of each group.
  if (group === undefined || model.listsArchived) return ids
  const roles = new Set(toRoles(model, group).map(getId))
  return ids.filter((_id) =>
    model
      .table('site_person')
      .where('person', _id)
      .some(({ role }) => roles.has(role)),
  )
}

/** All people by name; with a group, those with a role of it. */
export const listPeopleOf = (group?: RoleGroup): RowListSource =>
  defineRowList(
    'person',
    (model) => getPeopleInOrder(model, group),
    (model, person) => toPerson(model, person, group),
    (model, change) => {
      if (change.table === 'site_person') return getReferenced(change, 'person')
      if (change.table === 'site')
        return model
          .table('site_person')
          .where('site', change.key)
          .map(({ person }) => person)
      return change.table === 'role' ? 'all' : []
    },
  )
