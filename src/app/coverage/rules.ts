import { toClipboardText } from '../../contract/clipboard-text.ts'
import { compareTexts } from '../../contract/lists.ts'
import { memoize } from '../../contract/memoize.ts'
import type { PersonReference } from '../../contract/references.ts'
import { findVacantRoles, LEADING_ROLES, type RoleOfSites } from '../../contract/roles.ts'
import { isClosed } from '../../contract/status.ts'
import type { CoveredSite } from './contract.ts'

/** The label of a vacant role. */
export const VACANT_LABEL = 'Vacant'

const compareNames = <T extends { name: string }>(a: T, b: T): number => compareTexts(a.name, b.name)
const compareSites = <T extends { displayName: string }>(a: T, b: T): number => compareTexts(a.displayName, b.displayName)

/** The people in a role at a site, by name. */
export const listHolders = (site: Pick<CoveredSite, 'people'>, role: string): PersonReference[] =>
  site.people
    .filter((holder) => holder.role === role)
    .map(({ person }) => person)
    .toSorted(compareNames)

const getVacancies = memoize((roles: readonly RoleOfSites[]) =>
  memoize(({ people, category }: Pick<CoveredSite, 'people' | 'category'>): readonly string[] => {
    const filled = new Set(people.map(({ role }) => role))
    return findVacantRoles(roles, category, (role) => filled.has(role))
  }),
)

/** The vacant roles of a site. Cached for each list of roles, because filters call it for 10,000 sites on every keystroke. */
export const listVacantRoles = (site: Pick<CoveredSite, 'people' | 'category'>, roles: readonly RoleOfSites[]): readonly string[] =>
  getVacancies(roles)(site)

/** The number of sites where a role is vacant, for each role. */
export const countVacancies = (sites: readonly CoveredSite[], roles: readonly RoleOfSites[]): ReadonlyMap<string, number> => {
  const counts = new Map(roles.map(({ name }) => [name, 0]))
  for (const site of sites) for (const role of listVacantRoles(site, roles)) counts.set(role, (counts.get(role) ?? 0) + 1)
  return counts
}

export interface RegionGroup {
  readonly region: CoveredSite['region']
  readonly sites: readonly CoveredSite[]
}

/** Sites sorted by name, with numeric order. */
export const sortBySiteName = (sites: readonly CoveredSite[]): CoveredSite[] => sites.toSorted(compareSites)

/** Sites grouped by region, regions by name; sites without a region last. */
export const groupByRegion = (sites: readonly CoveredSite[]): RegionGroup[] => {
  const regions = new Map<string, { region: CoveredSite['region']; sites: CoveredSite[] }>()
  for (const site of sites) {
    const group = regions.get(site.region?._id ?? '') ?? { region: site.region, sites: [] }
    group.sites.push(site)
    regions.set(site.region?._id ?? '', group)
  }
  return [...regions.values()].toSorted(
    (a, b) => Number(a.region === null) - Number(b.region === null) || compareTexts(a.region?.name ?? '', b.region?.name ?? ''),
  )
}

/** The roles in the URL, in the order of `all`; the default roles if it contains no known one. */
export const parseRoles = (address: string | undefined, all: readonly RoleOfSites[]): readonly RoleOfSites[] => {
  const requested = new Set((address ?? '').split(',').map((role) => role.trim()))
  const chosen = all.filter(({ name }) => requested.has(name))
  if (chosen.length > 0) return chosen
  // Until the roles are loaded.
  if (all.length === 0) return LEADING_ROLES.map((name) => ({ name, notAt: [] }))
  return all.filter(({ name }) => LEADING_ROLES.some((leading) => leading === name))
}

/** Roles in the order of the board: the default roles first, then the others. */
export const sortRoles = <Role extends { readonly name: string }>(roles: readonly Role[]): Role[] => [
  ...LEADING_ROLES.flatMap((leading) => roles.filter(({ name }) => name === leading)),
  ...roles.filter(({ name }) => !LEADING_ROLES.some((leading) => leading === name)),
]

/** The board as tab-separated text for a spreadsheet, one line per site. */
export const buildBoardText = (sites: readonly CoveredSite[], roles: readonly RoleOfSites[]): string =>
  toClipboardText([
    ['Site', 'City', 'State', 'Region', 'Phone', ...roles.map(({ name }) => name)],
    ...sites.map((site) => [
      site.displayName,
      site.city ?? '',
      site.state ?? '',
      site.region?.name ?? '',
      site.phone ?? '',
      ...roles.map(({ name }) =>
        listHolders(site, name)
          .map((person) => person.name)
          .join('; '),
      ),
    ]),
  ])

// The org chart of a region.

export interface ChartSite {
  readonly site: CoveredSite
  readonly principals: readonly PersonReference[]
  readonly managers: readonly PersonReference[]
  /** The other Area Superintendents of the site. */
  readonly also: readonly PersonReference[]
  /** Its Regional Vice Presidents if they differ from that of its area; null if they are the same. */
  readonly otherVicePresidents: readonly PersonReference[] | null
}

export interface ChartArea {
  /** Null for sites without an Area Superintendent. */
  readonly superintendent: PersonReference | null
  readonly sites: readonly ChartSite[]
}

export interface OrgBranch {
  /** Null for areas without any Regional Vice President. */
  readonly vicePresident: PersonReference | null
  readonly areas: readonly ChartArea[]
}

/** The most frequent person, the first by name among equals. */
const findMostFrequent = (people: readonly PersonReference[]): PersonReference | null => {
  const counts = new Map<string, { person: PersonReference; count: number }>()
  for (const person of people) counts.set(person._id, { person, count: (counts.get(person._id)?.count ?? 0) + 1 })
  return [...counts.values()].toSorted((a, b) => b.count - a.count || compareNames(a.person, b.person))[0]?.person ?? null
}

/** Items grouped by person, by name; those without a person last. */
const groupByPerson = <T>(things: readonly (readonly [PersonReference | null, T])[]): [PersonReference | null, T[]][] => {
  const groups = new Map<string, [PersonReference | null, T[]]>()
  for (const [person, thing] of things) {
    const group = groups.get(person?._id ?? '') ?? [person, []]
    group[1].push(thing)
    groups.set(person?._id ?? '', group)
  }
  return [...groups.values()].toSorted(([a], [b]) => Number(a === null) - Number(b === null) || compareTexts(a?.name ?? '', b?.name ?? ''))
}

const orNull = (people: readonly PersonReference[]): readonly (PersonReference | null)[] => (people.length > 0 ? people : [null])

/**
 * Regional Vice Presidents, the Area Superintendents under each, and their sites. An area appears once, under the Regional Vice President of most of
 * its sites; a site with another one, or none, shows that. A site with two Area Superintendents appears under both.
 */
export const buildOrgChart = (sites: readonly CoveredSite[]): OrgBranch[] => {
  const underSuperintendents = sortBySiteName(sites).flatMap((site) =>
    orNull(listHolders(site, 'Area Superintendent')).map((superintendent) => [superintendent, site] as const),
  )
  const areas = groupByPerson(underSuperintendents).map(([superintendent, areaSites]) => {
    const vicePresident = findMostFrequent(areaSites.flatMap((site) => listHolders(site, 'Regional Vice President')))
    return [vicePresident, { superintendent, sites: areaSites.map((site) => toChartSite(site, superintendent, vicePresident)) }] as const
  })
  return groupByPerson(areas).map(([vicePresident, own]) => ({ vicePresident, areas: own }))
}

const toChartSite = (site: CoveredSite, superintendent: PersonReference | null, areaVicePresident: PersonReference | null): ChartSite => {
  const vicePresidents = listHolders(site, 'Regional Vice President')
  const isOfArea = areaVicePresident === null || (vicePresidents.length === 1 && vicePresidents[0]?._id === areaVicePresident._id)
  return {
    site,
    principals: listHolders(site, 'Principal'),
    managers: listHolders(site, 'Student Relations Manager'),
    also: listHolders(site, 'Area Superintendent').filter(({ _id }) => _id !== superintendent?._id),
    otherVicePresidents: isOfArea ? null : vicePresidents,
  }
}

/** The sites of a region's call list by name: the active ones, or all. */
export const listCallSites = (sites: readonly CoveredSite[], all: boolean): CoveredSite[] =>
  sortBySiteName(sites.filter((site) => all || !isClosed(site.status)))
