import { jsonListBytes } from '../../database/json.server.ts'
import { on, onList, type Route } from '../../platform/server/handler.ts'
import { listCharters, readCharter, readStudentTotal, viewCharter } from './contract.ts'
import { charterBy, charterList, charterWithSites, studentTotal } from './queries.server.ts'

export const charterRoutes: Route[] = [
  onList(listCharters, {
    reads: ['charter', 'brand', 'site', 'charter_affair'],
    build: ({ db, pool }) => jsonListBytes(pool, charterList(db)),
  }),
  on(readStudentTotal, async ({ house }) => studentTotal(house.db)),
  on(readCharter, async ({ params, house }) => charterWithSites(house.db, params.slug)),
  on(viewCharter, async ({ params, house }) => charterBy(house.db, params.id)),
]
