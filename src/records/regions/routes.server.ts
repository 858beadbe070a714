import { handleList, handleRecord, type Route } from '../../platform/server/handler.ts'
import { listRegions, readRegion } from './contract.ts'
import { toRegions, toRegionWithSites } from './queries.server.ts'

export const regionRoutes: Route[] = [
  handleList(listRegions, { reads: ['region', 'site'], build: toRegions }),
  handleRecord(readRegion, 'region', 'slug', toRegionWithSites),
]
