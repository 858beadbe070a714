import { jsonListBytes } from '../../../database/json.server.ts'
import { on, onList, type Route } from '../../../platform/server/handler.ts'
import { listRegions, readRegion } from './contract.ts'
import { selectRegionList, getRegionWithSites } from './queries.server.ts'

export const regionRoutes: Route[] = [
  onList(listRegions, { reads: ['region', 'site'], build: ({ db, pool }) => jsonListBytes(pool, selectRegionList(db)) }),
  on(readRegion, async ({ params, house }) => getRegionWithSites(house.db, params.slug)),
]
