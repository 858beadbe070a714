import { notFound } from '../../../contract/problem.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { recordAffairRead, recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { restoreFromHistory, restoreAffairFromHistory, readAffairHistory, readHistory, readPermissionHistory } from './contract.ts'
import { findAffairId, findMerged, findRecordIdInHistory, findUnitedAffairs, getHistory, listDeadlinesOfCharter } from './queries.server.ts'
import { restoreChange } from './restore.server.ts'

export const historyRoutes: Route[] = [
  handle(readHistory, async ({ params: { kind, id }, query, context: { db } }) => {
    const known = await findRecordIdInHistory(db, kind, id)
    const record = await findRecordId(db, kind, known ?? id).catch((error: unknown) => {
      if (known === undefined) throw error
      return known // deleted
    })
    return getHistory(db, { parent: record, merged: await findMerged(db, kind, record), commented: { kind, record } }, query)
  }),
  handle(readPermissionHistory, async ({ params: { id }, query, context: { db } }) => {
    const record = await findRecordIdInHistory(db, 'permission', id)
    if (record === undefined) throw notFound('Administrator')
    return getHistory(db, { parent: record }, query)
  }),
  handle(restoreFromHistory, async ({ params, body, edit, request }) =>
    edit(async (tx, ifMatchVersion) => {
      const record = await findRecordId(tx, params.kind, params.id)
      await restoreChange(tx, record, params.change, body, ifMatchVersion)
      await recordAudit(tx, request, { kind: 'change.restored', record, after: { of: params.kind, change: params.change, ...body } })
    }),
  ),
  handle(readAffairHistory, async ({ params, query, context, request }) => {
    const { db } = context
    const record = await findRecordId(db, 'charter', params.id)
    const source = {
      parent: await findAffairId(db, params.id),
      merged: await findUnitedAffairs(db, record),
      deadlines: await listDeadlinesOfCharter(db, record),
    }
    const history = await getHistory(db, { ...source, commented: { kind: 'charter_affair', record } }, query)
    await recordAffairRead(context, request, 'history', record)
    return history
  }),
  handle(restoreAffairFromHistory, async ({ params, body, edit, request }) =>
    edit(async (tx, ifMatchVersion) => {
      await restoreChange(tx, await findAffairId(tx, params.id), params.change, body, ifMatchVersion)
      const record = await findRecordId(tx, 'charter', params.id)
      await recordAudit(tx, request, { kind: 'change.restored', record, after: { of: 'charter_affair', change: params.change, ...body } })
    }),
  ),
]
