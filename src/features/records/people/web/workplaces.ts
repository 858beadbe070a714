import { isClosed } from '../../../../contract/status.ts'
import type { PersonWithSites } from '../contract.ts'

type Location = PersonWithSites['locations'][number]

/** A site where a person works, with their roles there. */
export interface Workplace {
  site: Location['site']
  roles: string[]
}

/** The sites of a person with their roles there: open sites first, then by name. */
export const listWorkplaces = (locations: readonly Location[]): Workplace[] => {
  const places = new Map<string, Workplace>()
  for (const { site, role } of locations) {
    const place = places.get(site._id) ?? { site, roles: [] }
    place.roles.push(role.name)
    places.set(site._id, place)
  }
  return [...places.values()].toSorted(
    (a, b) => Number(isClosed(a.site.status)) - Number(isClosed(b.site.status)) || a.site.displayName.localeCompare(b.site.displayName),
  )
}

/** Removes duplicates and sorts by name. */
export const listUnique = <Named extends { _id: string; name: string }>(named: readonly (Named | null)[]): Named[] =>
  [...new Map(named.flatMap((one) => (one ? [[one._id, one]] : []))).values()].toSorted((a, b) => a.name.localeCompare(b.name))
