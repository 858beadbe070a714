import { idOf } from '../../database/lookup.server.ts'
import { on, type Route } from '../../platform/server/handler.ts'
import { putBack, putBackAffair, readAffairHistory, readHistory } from './contract.ts'
import { putBackChange } from './put-back.server.ts'
import { affairIdOf, historyOf } from './queries.server.ts'

export const historyRoutes: Route[] = [
  on(readHistory, async ({ params: { kind, id }, query, house }) => historyOf(house.db, await idOf(house.db, kind, id), query)),
  on(putBack, async ({ params, body, edit }) =>
    edit(async (tx, seen) => putBackChange(tx, await idOf(tx, params.kind, params.id), params.change, body, seen)),
  ),
  on(readAffairHistory, async ({ params, query, house }) => historyOf(house.db, await affairIdOf(house.db, params.id), query)),
  on(putBackAffair, async ({ params, body, edit }) =>
    edit(async (tx, seen) => putBackChange(tx, await affairIdOf(tx, params.id), params.change, body, seen)),
  ),
]
