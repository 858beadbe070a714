/** The abbreviations of roles. */
export const ROLE_ABBREVIATIONS: Readonly<Record<string, readonly string[]>> = {
  'Student Relations Manager': ['SRM'],
  'Regional SRM': ['RSRM'],
  'Regional Vice President': ['RVP'],
  'Assistant Principal': ['AP'],
  'Learning Center Coordinator': ['LCC'],
  'School Operations Manager': ['SOM'],
}

/** The names of a role for a search: its name and abbreviations. */
export const getRoleNames = (name: string): readonly string[] => [name, ...(ROLE_ABBREVIATIONS[name] ?? [])]

/** The roles that are shown as vacant everywhere if a site has them and no one holds them. */
export const EXPECTED_ROLES = ['Principal', 'Student Relations Manager', 'Area Superintendent', 'Regional SRM'] as const

/** A role, and the facility types whose sites do not have it. */
export interface RoleOfSites {
  readonly name: string
  readonly notAt: readonly string[]
}

/** Whether sites of a facility type have a role. */
export const isRoleOf = (facilityType: string | null, { notAt }: RoleOfSites): boolean =>
  facilityType === null || !notAt.includes(facilityType)

/** The one rule about vacancies: the roles that a site of this facility type has, and that no one holds. */
export const findVacantRoles = (
  roles: readonly RoleOfSites[],
  facilityType: string | null,
  isHeld: (role: string) => boolean,
): readonly string[] => roles.filter((role) => isRoleOf(facilityType, role) && !isHeld(role.name)).map(({ name }) => name)

/** The roles the board shows by default, from the site up to the region. */
export const LEADING_ROLES = [
  'Principal',
  'Assistant Principal',
  'Student Relations Manager',
  'Learning Center Coordinator',
  'School Operations Manager',
  'Area Superintendent',
  'Regional SRM',
  'Regional Vice President',
] as const
