import { isClosed } from '../../../../platform/contract/status.ts'
import type { PersonWithSites } from '../contract.ts'

type Location = PersonWithSites['locations'][number]

/** A site somebody works at, with their roles there. */
export interface Whereabouts {
  site: Location['site']
  roles: string[]
}

/** Each site once with all roles held there (D38): open sites first, then by name. */
export const whereaboutsOf = (locations: readonly Location[]): Whereabouts[] => {
  const places = new Map<string, Whereabouts>()
  for (const { site, role } of locations) {
    const place = places.get(site._id) ?? { site, roles: [] }
    place.roles.push(role.name)
    places.set(site._id, place)
  }
  return [...places.values()].toSorted(
    (a, b) => Number(isClosed(a.site.status)) - Number(isClosed(b.site.status)) || a.site.displayName.localeCompare(b.site.displayName),
  )
}

/** Each once, by name: the charters or regions of somebody's sites. */
export const eachOnce = <Named extends { _id: string; name: string }>(named: readonly (Named | null)[]): Named[] =>
  [...new Map(named.flatMap((one) => (one ? [[one._id, one]] : []))).values()].toSorted((a, b) => a.name.localeCompare(b.name))
