import { on, type Route } from '../../platform/server/handler.ts'
import { listSisSites, readSisSite } from './contract.ts'
import { sisSiteBy, sisSitesOf } from './queries.server.ts'

export const sisSiteRoutes: Route[] = [
  on(listSisSites, async ({ query, house }) => sisSitesOf(house.db, query.site)),
  on(readSisSite, async ({ params, house }) => sisSiteBy(house.db, params.id)),
]
