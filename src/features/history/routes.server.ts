import { idOf } from '../../database/lookup.server.ts'
import { on, type Route } from '../../platform/server/handler.ts'
import { putBack, readHistory } from './contract.ts'
import { historyOf, putBackChange } from './queries.server.ts'

export const historyRoutes: Route[] = [
  on(readHistory, async ({ params: { kind, id }, query, house }) => historyOf(house.db, await idOf(house.db, kind, id), query)),
  on(putBack, async ({ params, body, edit }) =>
    edit(async (tx, seen) => putBackChange(tx, await idOf(tx, params.kind, params.id), params.change, body, seen)),
  ),
]
