import { handle, type Route } from '../../../platform/server/handler.ts'
import { deleteView, listViews, renameView, saveView, shareView } from './contract.ts'
import { updateView, deleteViewRow, insertSavedView, updateShared } from './mutations.server.ts'
import { listViewsOf } from './queries.server.ts'

export const savedViewRoutes: Route[] = [
  handle(listViews, async ({ user, context }) => listViewsOf(context.db, user.account)),
  handle(saveView, async ({ body, user, edit }) => edit((tx) => insertSavedView(tx, user.account, body))),
  handle(renameView, async ({ params, body, user, edit }) => edit((tx) => updateView(tx, user.account, params.id, body))),
  handle(shareView, async ({ params, body, user, context }) => updateShared(context.db, user.account, params.id, body.shared)),
  handle(deleteView, async ({ params, user, context }) => deleteViewRow(context.db, user.account, params.id)),
]
