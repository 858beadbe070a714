import { can } from '../../../contract/capabilities.ts'
import { notFound } from '../../../contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { recordAffairPartsRead, recordAffairRead, recordAudit, toSettingsEvents } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { findModelId } from '../../../platform/server/read-model/read-record.ts'
import { findRecordIdInHistory, getHistory } from '../../changing/history/queries.server.ts'
import {
  countDeadlines,
  createDeadline,
  type Deadline,
  deleteDeadline,
  listContradictions as listContradictionsCall,
  listDeadlines,
  listDeadlineTexts,
  listUnreadTexts,
  readDeadline,
  readDeadlineHistory,
  updateDeadline,
  readDeadlineSettings,
  saveDeadlineSettings,
} from './contract.ts'
import { deleteCustomDeadline, insertDeadline, saveDeadline } from './mutations.server.ts'
import {
  countRows,
  filterAllRows,
  filterProposals,
  filterRows,
  getReadableDeadlines,
  getReader,
  getToday,
  listContradictions,
  listTexts,
  listUnread,
  toDeadlineBatches,
  toDeadlines,
  withAuthors,
} from './queries.server.ts'
import { readStoredDeadlineSettings, saveKindSettings, toDeadlineSettings } from './settings.server.ts'

/** One deadline for the user; null for a text without a date; throws 404 if they may not see it. */
const findDeadline = async (context: AppContext, user: SignedIn, _id: string): Promise<Deadline | null> => {
  const reader = await getReader(context, user)
  const view = await getReadableDeadlines(context)
  const row = view.rows.get(_id)
  if (!row || !view.isVisible(row, reader)) throw notFound('Deadline')
  return view.isDeadline(row) || view.isProposal(row) ? view.toDeadline(row) : null
}

const getDeadline = async (context: AppContext, user: SignedIn, _id: string): Promise<Deadline> => {
  const found = await findDeadline(context, user, _id)
  if (!found) throw notFound('Deadline')
  return found
}

/** A deadline whose history the user may read: a visible one or, for users who may read every history, a deleted one. */
const findInHistory = async (context: AppContext, user: SignedIn, _id: string): Promise<string> => {
  const reader = await getReader(context, user)
  const view = await getReadableDeadlines(context)
  const row = view.rows.get(_id)
  const isReadable = row
    ? view.isVisible(row, reader)
    : can(user.accessLevel, 'read a history') && can(user.accessLevel, 'read a charter affair')
  const found = isReadable ? await findRecordIdInHistory(context.db, 'deadline', _id) : undefined
  if (found === undefined) throw notFound('Deadline')
  return found
}

/** More deadlines are sent while they are built. */
const MAX_AT_ONCE = 1000

export const deadlineRoutes: Route[] = [
  handle(listDeadlines, async ({ query, user, context, request }) => {
    const reader = await getReader(context, user)
    const view = await getReadableDeadlines(context)
    const { limit, proposed, ...filter } = query
    const find = proposed === undefined ? filterAllRows : proposed === 'true' ? filterProposals : filterRows
    const rows = find(view, reader, filter, limit)
    const charters = rows.map(({ charter }) => charter)
    await recordAffairPartsRead(context, request, 'deadlines', charters)
    return rows.length > MAX_AT_ONCE ? toDeadlineBatches(view, rows) : toDeadlines(view, rows)
  }),
  handle(countDeadlines, async ({ query, user, context }) => {
    const reader = await getReader(context, user)
    return countRows(await getReadableDeadlines(context), reader, query)
  }),
  handle(listUnreadTexts, async ({ context, request }) => {
    await recordAffairRead(context, request, 'texts without a date')
    return listUnread(await getReadableDeadlines(context))
  }),
  handle(listContradictionsCall, async ({ context, request }) => {
    await recordAffairRead(context, request, 'contradictions')
    return withAuthors(context.db, listContradictions(await getReadableDeadlines(context)))
  }),
  handle(listDeadlineTexts, async ({ params, context, request }) => {
    const texts = listTexts(await getReadableDeadlines(context), params.id)
    const record = await findModelId(context.readModel, 'charter', params.id)
    await recordAffairRead(context, request, 'texts of deadlines', record)
    return texts
  }),
  handle(readDeadline, async ({ params, user, context, request }) => {
    const deadline = await getDeadline(context, user, params.id)
    await recordAffairPartsRead(context, request, 'deadlines', [deadline.charter?._id])
    return deadline
  }),
  handle(readDeadlineHistory, async ({ params, query, user, context, request }) => {
    const record = await findInHistory(context, user, params.id)
    const row = (await getReadableDeadlines(context)).rows.get(params.id)
    // A deleted one may have belonged to an affair.
    if (row?.charter !== null) await recordAffairRead(context, request, 'history of a deadline', row?.charter)
    return getHistory(context.db, { parent: record }, query)
  }),
  handle(createDeadline, async ({ body, user, context, edit }) => {
    await context.readModel.ready()
    const _id = await edit((tx) => insertDeadline(tx, context.readModel, body))
    return getDeadline(context, user, _id)
  }),
  handle(updateDeadline, async ({ params, body, user, context, edit }) => {
    const reader = await getReader(context, user)
    const view = await getReadableDeadlines(context)
    await edit((tx, ifMatchVersion) =>
      saveDeadline(tx, params.id, ifMatchVersion, body, {
        user,
        model: context.readModel,
        today: getToday(context),
        access: (row) => ({
          isVisible: view.isVisible(row, reader),
          isResponsible: reader.person !== null && view.findResponsible(row)?.person === reader.person,
        }),
      }),
    )
    return findDeadline(context, user, params.id)
  }),
  handle(readDeadlineSettings, async ({ context }) => {
    await context.readModel.ready()
    return toDeadlineSettings(context.readModel, await readStoredDeadlineSettings(context.db))
  }),
  handle(saveDeadlineSettings, async ({ body, context, edit, request }) => {
    await context.readModel.ready()
    const saved = await edit(async (tx, ifMatchVersion) => {
      const before = await readStoredDeadlineSettings(tx)
      const after = await saveKindSettings(tx, context.readModel, ifMatchVersion, body, context.now())
      await recordAudit(tx, request, ...toSettingsEvents('deadlines', before.kinds, after.kinds))
      return after
    })
    return toDeadlineSettings(context.readModel, saved)
  }),
  handle(deleteDeadline, async ({ params, edit }) => edit((tx, ifMatchVersion) => deleteCustomDeadline(tx, params.id, ifMatchVersion))),
]
