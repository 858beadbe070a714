import { handleList, type Route } from '../../../platform/server/handler.ts'
import { listPlaces } from './contract.ts'
import { placesOfSites } from './queries.server.ts'

export const mapRoutes: Route[] = [
  handleList(listPlaces, { reads: ['site'], build: async ({ db }) => JSON.stringify(await placesOfSites(db)) }),
]
