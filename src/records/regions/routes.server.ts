import { handleList, handleRecord, type Route } from '../../platform/server/handler.ts'
import { listRegions, readRegion } from './contract.ts'
import { REGION_ROWS, toRegionWithSites } from './queries.server.ts'

export const regionRoutes: Route[] = [handleList(listRegions, REGION_ROWS), handleRecord(readRegion, 'region', 'slug', toRegionWithSites)]
