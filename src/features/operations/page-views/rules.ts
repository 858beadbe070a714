/** What people call the pages, by the patterns of their paths; no others are counted. */
const PAGE_NAMES: Readonly<Record<string, string>> = {
  '/': 'Home',
  '/locations': 'Resource Centers',
  '/location/{slug}': 'One resource center',
  '/location/fac/{slug}': 'Facility of a resource center',
  '/location/enrollment/{slug}': 'Enrollment of a resource center',
  '/location/staff/{slug}': 'Staff of a resource center',
  '/location/{slug}/sis': 'SIS of a resource center',
  '/location/{slug}/sis/{id}': 'One SIS site',
  '/add_location': 'Add Resource Center',
  '/regions': 'Regions & States',
  '/region/{id}': 'One region',
  '/region/{id}/org': 'Org chart of a region',
  '/region/{id}/calls': 'Call list of a region',
  '/charters': 'Charters',
  '/charter/{id}': 'Sites of a charter',
  '/charterview/{id}': 'One charter',
  '/charter_affair/{id}': 'Charter affair',
  '/addcharter': 'Add Charter',
  '/brand': 'Brands',
  '/brands': 'Brands',
  '/brand/{id}': 'Charters of a brand',
  '/brandview/{id}': 'One brand',
  '/addbrand': 'Add Brand',
  '/leadership': 'Leadership',
  '/support': 'Student Support',
  '/requests': 'Requests',
  '/coverage': 'Coverage',
  '/staff/{slug}': 'One person',
  '/add_staff': 'Add Staff Member',
  '/permissions': 'Permissions',
  '/downloads': 'Excel Downloads',
  '/settings': 'Settings',
  '/accounts': 'Sign-ins',
  '/accounts/{id}': 'Sign-ins of one person',
  '/account': 'Account',
  '/login': 'Sign-in',
  '/searches': 'Searches Without Results',
  '/errors': 'Error Log',
  '/usage': 'Usage',
  '/404': 'Page could not be found',
  '/$': 'Page could not be found',
}

/** Ignores the names of parameters and a slash at the end. */
const normalizePattern = (page: string): string => page.replace(/\{(id|slug)\}/g, '{}').replace(/(?<=[^/])\/$/, '')
const PATTERNS: ReadonlyMap<string, string> = new Map(Object.keys(PAGE_NAMES).map((page) => [normalizePattern(page), page]))

/** The pattern a page is counted under: `/location/{slug}` for `/location/{id}`; undefined for an unknown page. */
export const findPagePattern = (page: string): string | undefined => PATTERNS.get(normalizePattern(page))

export const getPageName = (page: string): string => PAGE_NAMES[page] ?? page

/** The next of 1, 2, 5, 10, 20, 50 … at or above a number, for the top of a chart. */
export const roundUpForAxis = (largest: number): number => {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(largest, 1)))
  return magnitude * ([1, 2, 5, 10].find((step) => step * magnitude >= largest) ?? 10)
}
