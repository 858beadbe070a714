import { getOfficeId, OFFICE } from './accounts.ts'
import { DAY } from './calendar.ts'
import { type Employee, getPersonId } from './people.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { generateId } from './random.ts'
import type { Row } from './rows.ts'
import { toSiteRow } from './site-rows.ts'

/** The people who work at one site only. */
export const listLocalEmployees = (site: PlannedSite): Employee[] =>
  site.local.map((_, turn) => ({ number: site.firstEmployee + turn, place: site.place, domain: site.charter.brand.domain }))

export const getPredecessor = (site: PlannedSite): Employee | null =>
  site.predecessor === null ? null : { number: site.predecessor, place: site.place, domain: site.charter.brand.domain }

const getRoleId = (plan: Plan, role: string): string => {
  const roleId = plan.known.role.get(role)
  if (roleId === undefined) throw new Error(`There is no role named ${role}`)
  return roleId
}

export const toStaffRow = (plan: Plan, site: PlannedSite, employee: Employee, role: string): Row<'site_person'> => ({
  _id: generateId(plan.seed, 'site_person', site.index, employee.number, role),
  site: site._id,
  person: getPersonId(plan.seed, employee.number),
  role: getRoleId(plan, role),
})

/** Roles of people in the head office at sites that nobody has checked for long: they are asked to. */
const OFFICE_ROLES = { 'Marisol Vance': 'Learning Center Coordinator', 'Priyanka Deol': 'School Operations Manager' } as const

export const toOfficeStaffRows = (plan: Plan): Row<'site_person'>[] => {
  const longAgo = plan.day.getTime() - 200 * DAY
  const unchecked = plan.sites.filter((site) => {
    const { checkedAt } = toSiteRow(plan, site, [])
    return site.status === 'ACTIVE' && site.entered > 90 && (checkedAt === null || checkedAt.getTime() < longAgo)
  })
  return OFFICE.flatMap(({ name }, turn) => {
    const role = name in OFFICE_ROLES ? OFFICE_ROLES[name as keyof typeof OFFICE_ROLES] : undefined
    const sites = role === undefined ? [] : unchecked.slice(-3 - turn, unchecked.length - turn)
    return sites.map((site) => ({
      _id: generateId(plan.seed, 'office staff', site.index, name),
      site: site._id,
      person: getOfficeId(plan, turn),
      role: getRoleId(plan, role ?? ''),
    }))
  })
}

/** Everyone at a site, including people with several sites; one row per role. */
export const toStaffRows = (plan: Plan, site: PlannedSite): Row<'site_person'>[] => [
  ...listLocalEmployees(site).flatMap((employee, turn) => (site.local[turn] ?? []).map((role) => toStaffRow(plan, site, employee, role))),
  ...site.shared.map(({ employee, role }) => toStaffRow(plan, site, employee, role)),
]
