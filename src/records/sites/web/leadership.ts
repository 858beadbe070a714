import type { Site } from '../contract.ts'

interface LeadershipRole {
  /** The role's name in the list of roles. */
  role: string
  /** The title on the page. */
  title: string
}

export const LOCAL_LEADERSHIP: readonly LeadershipRole[] = [
  { role: 'Principal', title: 'Principal' },
  { role: 'Student Relations Manager', title: 'Student Relations Manager' },
  { role: 'Warehouse Manager', title: 'Warehouse Manager' },
  { role: 'Warehouse Technician', title: 'Warehouse Technician' },
]
export const AREA_LEADERSHIP: readonly LeadershipRole[] = [
  { role: 'Area Superintendent', title: 'Superintendent' },
  { role: 'Regional SRM', title: 'RSRM' },
]

/** A person in a role, or a vacant role. */
export interface LeadershipRow {
  key: string
  title: string
  person: Site['people'][number]['person'] | null
}

/** The people in the roles, in the order of the roles and then by name, and the roles that are vacant. */
export const listLeadershipRows = (
  { people, vacant }: Pick<Site, 'people' | 'vacant'>,
  roles: readonly LeadershipRole[],
): LeadershipRow[] =>
  roles.flatMap(({ role, title }): LeadershipRow[] => {
    const holders = people
      .filter((held) => held.role_match.name === role)
      .map((held) => ({ key: held._id, title, person: held.person }))
      .toSorted((a, b) => a.person.name.localeCompare(b.person.name))
    return vacant.includes(role) ? [{ key: role, title, person: null }] : holders
  })

/** The people who have none of the roles, each once with all their roles, by role and then by name. */
export const listOtherStaff = (
  people: Site['people'],
  roles: readonly LeadershipRole[],
): { person: Site['people'][number]['person']; roles: string[] }[] => {
  const leading = new Set(people.filter((held) => roles.some(({ role }) => role === held.role_match.name)).map(({ person }) => person._id))
  const others = new Map<string, { person: Site['people'][number]['person']; roles: string[] }>()
  for (const { person, role_match } of people.toSorted(
    (a, b) => a.role_match.name.localeCompare(b.role_match.name) || a.person.name.localeCompare(b.person.name),
  )) {
    if (leading.has(person._id)) continue
    const other = others.get(person._id) ?? { person, roles: [] }
    other.roles.push(role_match.name)
    others.set(person._id, other)
  }
  return [...others.values()]
}
