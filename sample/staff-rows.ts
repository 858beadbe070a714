import { type Employee, getPersonId } from './people.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { generateId } from './random.ts'
import type { Row } from './rows.ts'

/** The people who work at one site only. */
export const listLocalEmployees = (site: PlannedSite): Employee[] =>
  site.local.map((_, turn) => ({ number: site.firstEmployee + turn, place: site.place, domain: site.charter.brand.domain }))

export const getPredecessor = (site: PlannedSite): Employee | null =>
  site.predecessor === null ? null : { number: site.predecessor, place: site.place, domain: site.charter.brand.domain }

export const toStaffRow = (plan: Plan, site: PlannedSite, employee: Employee, role: string): Row<'site_person'> => {
  const roleId = plan.known.role.get(role)
  if (roleId === undefined) throw new Error(`There is no role named ${role}`)
  return {
    _id: generateId(plan.seed, 'site_person', site.index, employee.number, role),
    site: site._id,
    person: getPersonId(plan.seed, employee.number),
    role: roleId,
  }
}

/** Everyone at a site, including people with several sites; one row per role. */
export const toStaffRows = (plan: Plan, site: PlannedSite): Row<'site_person'>[] => [
  ...listLocalEmployees(site).flatMap((employee, turn) => (site.local[turn] ?? []).map((role) => toStaffRow(plan, site, employee, role))),
  ...site.shared.map(({ employee, role }) => toStaffRow(plan, site, employee, role)),
]
