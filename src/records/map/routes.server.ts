import { handleList, type Route } from '../../platform/server/handler.ts'
import { listSiteLocations } from './contract.ts'
import { loadSiteLocations } from './queries.server.ts'

export const mapRoutes: Route[] = [handleList(listSiteLocations, { reads: ['site'], build: loadSiteLocations })]
