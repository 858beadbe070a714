import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { Centroids } from './centroids.server.ts'
import type { SiteLocation } from './contract.ts'

const centroids = new Centroids()

/** The location of each site, ordered by name. */
export const loadSiteLocations = async (model: ReadModel): Promise<SiteLocation[]> => {
  const sites = model.getKeysInOrder('site').map((_id) => model.table('site').need(_id))
  const known = new Map(sites.map((site) => [site._id, getOwnLocation(site)]))
  await centroids.learn(sites.filter((site) => !known.get(site._id)))
  return sites.map((site) => {
    const point = known.get(site._id) ?? centroids.find(site)
    return {
      site: site._id,
      latitude: point?.latitude ?? null,
      longitude: point?.longitude ?? null,
      from: point?.from ?? null,
      near: [site.city, site.state].filter(Boolean).join(', ') || null,
    }
  })
}

interface Coordinates {
  readonly latitude: number | null
  readonly longitude: number | null
}

/** A site's own coordinates; null for 0, 0 and impossible values, which imported directories contain. */
const getOwnLocation = ({ latitude, longitude }: Coordinates) => {
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? ({ latitude, longitude, from: 'site' } as const) : null
}
