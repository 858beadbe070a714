import { isClosed } from '../../../contract/status.ts'
import type { PersonWithSites } from '../contract.ts'

type Location = PersonWithSites['locations'][number]

/** A site where a person works, with their roles there. */
export interface SitePositions {
  site: Location['site']
  roles: string[]
}

/** The sites of a person with their roles there: open sites first, then by name. */
export const groupPositionsBySite = (locations: readonly Location[]): SitePositions[] => {
  const bySite = new Map<string, SitePositions>()
  for (const { site, role } of locations) {
    const positions = bySite.get(site._id) ?? { site, roles: [] }
    positions.roles.push(role.name)
    bySite.set(site._id, positions)
  }
  return [...bySite.values()].toSorted(
    (a, b) => Number(isClosed(a.site.status)) - Number(isClosed(b.site.status)) || a.site.displayName.localeCompare(b.site.displayName),
  )
}

/** Removes duplicates and sorts by name. */
export const listUnique = <Named extends { _id: string; name: string }>(named: readonly (Named | null)[]): Named[] =>
  [...new Map(named.flatMap((one) => (one ? [[one._id, one]] : []))).values()].toSorted((a, b) => a.name.localeCompare(b.name))
