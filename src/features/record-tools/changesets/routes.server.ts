import { recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { applyBulk, previewBulk } from './bulk.server.ts'
import {
  applyBulkChange,
  cancelPlannedChange,
  keepPlannedChange,
  listPlannedChanges,
  planChange,
  previewBulkChange,
  readChangeset,
  undoChangeset,
} from './contract.ts'
import { findPlannedChanges, getPlan } from './planned-queries.server.ts'
import { cancelPlan, insertBulkPlan, insertPlan, keepPlan } from './planned.server.ts'
import { getChangeset, undo } from './undo.server.ts'

export const changesetRoutes: Route[] = [
  handle(previewBulkChange, async ({ body, user, context }) => previewBulk(context, user, body)),
  handle(applyBulkChange, async ({ body: { day, note, ...body }, user, context, edit }) =>
    day === undefined
      ? edit((tx) => applyBulk(tx, context, user, body))
      : insertBulkPlan(context, user, edit, { ...body, day, ...(note === undefined ? {} : { note }) }),
  ),
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
  handle(cancelPlannedChange, async ({ params, query, user, context, edit }) =>
    edit((tx) => cancelPlan(tx, context, user, params.id, query.all === 'true')),
  ),
  handle(keepPlannedChange, async ({ params, user, context, edit }) => {
    await edit((tx) => keepPlan(tx, context, user, params.id))
    return getPlan(context, params.id)
  }),
]
