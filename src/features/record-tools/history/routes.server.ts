import { idOf } from '../../../database/lookup.server.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import { putBack, putBackAffair, readAffairHistory, readHistory, readPermissionHistory } from './contract.ts'
import { putBackChange } from './put-back.server.ts'
import { affairIdOf, historyOf, idOnceOf } from './queries.server.ts'

export const historyRoutes: Route[] = [
  on(readHistory, async ({ params: { kind, id }, query, house: { db } }) =>
    historyOf(db, (await idOnceOf(db, kind, id)) ?? (await idOf(db, kind, id)), query),
  ),
  on(readPermissionHistory, async ({ params: { id }, query, house: { db } }) => {
    const record = await idOnceOf(db, 'permission', id)
    if (record === undefined) throw notFound('Administrator')
    return historyOf(db, record, query)
  }),
  on(putBack, async ({ params, body, edit }) =>
    edit(async (tx, seen) => putBackChange(tx, await idOf(tx, params.kind, params.id), params.change, body, seen)),
  ),
  on(readAffairHistory, async ({ params, query, house }) => historyOf(house.db, await affairIdOf(house.db, params.id), query)),
  on(putBackAffair, async ({ params, body, edit }) =>
    edit(async (tx, seen) => putBackChange(tx, await affairIdOf(tx, params.id), params.change, body, seen)),
  ),
]
