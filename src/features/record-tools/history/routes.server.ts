import { idOf } from '../../../database/lookup.server.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { putBack, putBackAffair, readAffairHistory, readHistory, readPermissionHistory } from './contract.ts'
import { putBackChange } from './put-back.server.ts'
import { affairIdOf, historyOf, idOnceOf } from './queries.server.ts'

export const historyRoutes: Route[] = [
  handle(readHistory, async ({ params: { kind, id }, query, context: { db } }) =>
    historyOf(db, (await idOnceOf(db, kind, id)) ?? (await idOf(db, kind, id)), query),
  ),
  handle(readPermissionHistory, async ({ params: { id }, query, context: { db } }) => {
    const record = await idOnceOf(db, 'permission', id)
    if (record === undefined) throw notFound('Administrator')
    return historyOf(db, record, query)
  }),
  handle(putBack, async ({ params, body, edit }) =>
    edit(async (tx, seen) => putBackChange(tx, await idOf(tx, params.kind, params.id), params.change, body, seen)),
  ),
  handle(readAffairHistory, async ({ params, query, context }) => historyOf(context.db, await affairIdOf(context.db, params.id), query)),
  handle(putBackAffair, async ({ params, body, edit }) =>
    edit(async (tx, seen) => putBackChange(tx, await affairIdOf(tx, params.id), params.change, body, seen)),
  ),
]
