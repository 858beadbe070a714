import { formatCount } from '../../../contract/format.ts'
import type { RoleOfSites } from '../../../contract/roles.ts'
import type { CoveredSite } from '../contract.ts'
import { groupByRegion, listVacantRoles } from '../rules.ts'

/** One row of the board, or one card on a phone: the heading of a region or a site. */
export type BoardItem =
  | { readonly kind: 'region'; readonly key: string; readonly name: string; readonly countsText: string }
  | { readonly kind: 'site'; readonly key: string; readonly site: CoveredSite }

/** '84 sites, 12 vacant positions'. */
export const formatBoardCounts = (sites: readonly CoveredSite[], roles: readonly RoleOfSites[]): string => {
  const empty = sites.reduce((sum, site) => sum + listVacantRoles(site, roles).length, 0)
  return `${formatCount(sites.length, 'site')}, ${empty === 0 ? 'no vacant positions' : formatCount(empty, 'vacant position')}`
}

/** The rows of the board: sites under the headings of their regions; no headings for a single region. */
export const buildBoardItems = (sites: readonly CoveredSite[], roles: readonly RoleOfSites[], oneRegion: boolean): BoardItem[] =>
  groupByRegion(sites).flatMap(({ region, sites: own }): BoardItem[] => [
    ...(oneRegion
      ? []
      : [
          {
            kind: 'region',
            key: region?._id ?? 'no region',
            name: region?.name ?? 'No region',
            countsText: formatBoardCounts(own, roles),
          } as const,
        ]),
    ...own.map((site) => ({ kind: 'site', key: site._id, site }) as const),
  ])

/** The sites of the board, in order. */
export const listItemSites = (items: readonly BoardItem[]): CoveredSite[] =>
  items.flatMap((item) => (item.kind === 'site' ? [item.site] : []))
