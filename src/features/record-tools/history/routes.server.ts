import { notFound } from '../../../contract/problem.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { restoreFromHistory, restoreAffairFromHistory, readAffairHistory, readHistory, readPermissionHistory } from './contract.ts'
import { findAffairId, getHistory, findRecordIdInHistory } from './queries.server.ts'
import { restoreChange } from './restore.server.ts'

export const historyRoutes: Route[] = [
  handle(readHistory, async ({ params: { kind, id }, query, context: { db } }) =>
    getHistory(db, (await findRecordIdInHistory(db, kind, id)) ?? (await findRecordId(db, kind, id)), query),
  ),
  handle(readPermissionHistory, async ({ params: { id }, query, context: { db } }) => {
    const record = await findRecordIdInHistory(db, 'permission', id)
    if (record === undefined) throw notFound('Administrator')
    return getHistory(db, record, query)
  }),
  handle(restoreFromHistory, async ({ params, body, edit }) =>
    edit(async (tx, version) => restoreChange(tx, await findRecordId(tx, params.kind, params.id), params.change, body, version)),
  ),
  handle(readAffairHistory, async ({ params, query, context }) => getHistory(context.db, await findAffairId(context.db, params.id), query)),
  handle(restoreAffairFromHistory, async ({ params, body, edit }) =>
    edit(async (tx, version) => restoreChange(tx, await findAffairId(tx, params.id), params.change, body, version)),
  ),
]
