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
