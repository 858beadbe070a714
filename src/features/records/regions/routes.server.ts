import { handle, handleList, type Route } from '../../../platform/server/handler.ts'
import { readRecord } from '../../../platform/server/read-model/read-record.ts'
import { listRegions, readRegion } from './contract.ts'
import { toRegions, toRegionWithSites } from './queries.server.ts'

export const regionRoutes: Route[] = [
  handleList(listRegions, { reads: ['region', 'site'], build: toRegions }),
  handle(readRegion, async ({ params, context }) => readRecord(context.readModel, 'region', params.slug, toRegionWithSites)),
]
