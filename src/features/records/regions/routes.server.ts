import { readJsonListBytes } from '../../../database/json.server.ts'
import { handle, handleList, type Route } from '../../../platform/server/handler.ts'
import { listRegions, readRegion } from './contract.ts'
import { selectRegionList, getRegionWithSites } from './queries.server.ts'

export const regionRoutes: Route[] = [
  handleList(listRegions, { reads: ['region', 'site'], build: ({ db, pool }) => readJsonListBytes(pool, selectRegionList(db)) }),
  handle(readRegion, async ({ params, context }) => getRegionWithSites(context.db, params.slug)),
]
