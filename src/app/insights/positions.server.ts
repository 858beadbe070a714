import { EXPECTED_ROLES, findVacantRoles, isRoleOf } from '../../contract/roles.ts'
import { findOpenSite, type Measure } from './figures.server.ts'
import type { Rows } from './history.server.ts'

/** The people in each role of a site, by the name of the role. A position of an archived person is vacant. */
export const listHolders = (rows: Rows, site: string): Map<string, string[]> => {
  const holders = new Map<string, string[]>()
  for (const { person, role } of rows.positionsOfSite.get(site)) {
    const name = rows.tables.role.get(role)?.name
    if (name === undefined || rows.tables.person.get(person)?.archivedAt) continue
    const others = holders.get(name)
    if (others) others.push(person)
    else holders.set(name, [person])
  }
  return holders
}

export const listRoles = (rows: Rows) =>
  [...rows.tables.role.values()]
    .filter(({ name }) => EXPECTED_ROLES.some((expected) => expected === name))
    .map(({ name, notAt }) => ({ name, notAt: notAt ?? [] }))

export const POSITIONS: Measure = {
  name: 'positions',
  of: 'site',
  from: 'staff',
  facets: ['role', 'state'],
  count: (rows, key, _on, add) => {
    const found = findOpenSite(rows, key)
    if (!found) return
    const { category } = found.site
    const roles = listRoles(rows)
    const holders = listHolders(rows, key)
    const vacant = findVacantRoles(roles, category, (role) => holders.has(role))
    for (const role of roles)
      if (isRoleOf(category, role)) add(found.place, [role.name, vacant.includes(role.name) ? 'vacant' : 'filled'], 1)
  },
}

export const LOAD_ROLES = { 'Area Superintendent': 'Area superintendents', 'Regional SRM': 'Regional SRMs' } as const

/** The open sites of each person in these roles. */
export const LOAD: Measure = {
  name: 'load',
  of: 'site',
  from: 'staff',
  facets: ['role', 'person'],
  count: (rows, key, _on, add) => {
    const place = findOpenSite(rows, key)?.place
    const holders = listHolders(rows, key)
    if (place) for (const role of Object.keys(LOAD_ROLES)) for (const person of holders.get(role) ?? []) add(place, [role, person], 1)
  },
}
