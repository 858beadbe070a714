import type { Role, RoleGroup } from '../../people/contract.ts'
import type { SitePerson } from '../contract.ts'

/** The titles of the groups of roles. */
export const GROUP_TITLES: Record<RoleGroup, string> = { LEADERSHIP: 'Leadership', STUDENT_SUPPORT: 'Student Support' }

/** A person at a site with their roles of one group. */
export interface StaffMember {
  person: SitePerson['person']
  roles: string[]
}

/** The people with roles of a group, sorted by role and name. A person with two roles is listed once. */
export const listStaffMembers = (people: readonly SitePerson[], roles: readonly Role[], group: RoleGroup): StaffMember[] => {
  const ofGroup = new Set(roles.filter((role) => role.group === group).map((role) => role._id))
  const members = new Map<string, StaffMember>()
  const held = people
    .filter(({ role_match }) => ofGroup.has(role_match._id))
    .toSorted((a, b) => a.role_match.name.localeCompare(b.role_match.name) || a.person.name.localeCompare(b.person.name))
  for (const { person, role_match } of held) {
    const member = members.get(person._id) ?? { person, roles: [] }
    member.roles.push(role_match.name)
    members.set(person._id, member)
  }
  return [...members.values()]
}
