import { recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { applyBulk, previewBulk } from './bulk.server.ts'
import {
  applyBulkChange,
  cancelPlannedChange,
  listPlannedChanges,
  planChange,
  previewBulkChange,
  readChangeset,
  undoChangeset,
} from './contract.ts'
import { cancelPlan, findPlannedChanges, insertPlan } from './planned.server.ts'
import { getChangeset, undo } from './undo.server.ts'

export const changesetRoutes: Route[] = [
  handle(previewBulkChange, async ({ body, user, context }) => previewBulk(context, user, body)),
  handle(applyBulkChange, async ({ body, user, context, edit }) => edit((tx) => applyBulk(tx, context, user, body))),
  handle(readChangeset, async ({ params, user, context }) => getChangeset(context, user, params.id)),
  handle(undoChangeset, async ({ params, body: { overwrite }, user, context, edit, request }) =>
    edit(async (tx) => {
      const result = await undo(tx, context, user, params.id, overwrite)
      const after = { changeset: result.changeset?._id ?? null, records: result.changed, leftAlone: result.left.length, overwrite }
      await recordAudit(tx, request, { kind: 'changeset.undone', record: params.id, after })
      return result
    }),
  ),
  handle(listPlannedChanges, async ({ query, user, context }) => findPlannedChanges(context, user, query)),
  handle(planChange, async ({ body, user, context, edit }) => insertPlan(context, user, edit, body)),
  handle(cancelPlannedChange, async ({ params, user, context, edit }) => edit((tx) => cancelPlan(tx, context, user, params.id))),
]
