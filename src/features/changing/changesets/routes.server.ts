import { isRestricted } from '../../../contract/records.ts'
import { recordAffairRead, recordAudit } from '../../../platform/server/audit.ts'
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
  undoSaves,
} from './contract.ts'
import { findPlannedChanges, getPlan } from './planned-queries.server.ts'
import { cancelPlan, insertBulkPlan, insertPlan, keepPlan } from './planned.server.ts'
import { getChangeset, undo, undoRequests } from './undo.server.ts'

export const changesetRoutes: Route[] = [
  handle(previewBulkChange, async ({ body, user, context, request }) => {
    const preview = await previewBulk(context, user, body)
    if (body.kind === 'charter_affair') await recordAffairRead(context, request, 'preview of a change of many')
    return preview
  }),
  handle(applyBulkChange, async ({ body: { day, note, ...body }, user, context, edit, request }) =>
    day === undefined
      ? edit(async (tx) => {
          const result = await applyBulk(tx, context, user, body)
          if (result.changeset)
            await recordAudit(tx, request, {
              kind: 'changeset.saved',
              record: result.changeset._id,
              after: { what: 'change of many', of: body.kind, records: result.changed },
            })
          return result
        })
      : insertBulkPlan(context, user, { edit, request }, { ...body, day, ...(note === undefined ? {} : { note }) }),
  ),
  handle(readChangeset, async ({ params, user, context, request }) => {
    const changeset = await getChangeset(context, user, params.id)
    if (changeset.changes.some(({ table }) => isRestricted(table))) await recordAffairRead(context, request, 'changes saved together')
    return changeset
  }),
  handle(undoChangeset, async ({ params, body: { overwrite }, user, context, edit, request }) =>
    edit(async (tx) => {
      const result = await undo(tx, context, user, params.id, overwrite)
      const after = { changeset: result.changeset?._id ?? null, records: result.changed, leftAlone: result.left.length, overwrite }
      await recordAudit(tx, request, { kind: 'changeset.undone', record: params.id, after })
      return result
    }),
  ),
  handle(undoSaves, async ({ body: { saves }, user, context, edit, request }) =>
    edit(async (tx) => {
      const result = await undoRequests(tx, context, user, saves)
      await recordAudit(tx, request, {
        kind: 'change.restored',
        after: { requests: saves, records: result.changed, leftAlone: result.left.length },
      })
      return result
    }),
  ),
  handle(listPlannedChanges, async ({ query, user, context, request }) => {
    const plans = await findPlannedChanges(context, user, query)
    const charters = new Set(plans.flatMap(({ record: { kind, _id } }) => (kind === 'charter_affair' ? [_id] : [])))
    for (const charter of charters) await recordAffairRead(context, request, 'planned changes', charter)
    return plans
  }),
  handle(planChange, async ({ body, user, context, edit, request }) => insertPlan(context, user, { edit, request }, body)),
  handle(cancelPlannedChange, async ({ params, query, user, context, edit, request }) =>
    edit(async (tx) => {
      const canceled = await cancelPlan(tx, context, user, params.id, query.all === 'true')
      await recordAudit(tx, request, { kind: 'planned_change.canceled', record: params.id, before: canceled })
    }),
  ),
  handle(keepPlannedChange, async ({ params, user, context, edit, request }) => {
    await edit(async (tx) => {
      const kept = await keepPlan(tx, context, user, params.id)
      await recordAudit(tx, request, { kind: 'planned_change.kept', record: params.id, after: kept })
    })
    return getPlan(context, params.id)
  }),
]
