import { handle, type Route } from '../../../platform/server/handler.ts'
import { deleteView, listViews, renameView, saveView, shareView } from './contract.ts'
import { changeView, dropView, keepView, setShared, viewsFor } from './queries.server.ts'

export const savedViewRoutes: Route[] = [
  handle(listViews, async ({ user, context }) => viewsFor(context.db, user.account)),
  handle(saveView, async ({ body, user, edit }) => edit((tx) => keepView(tx, user.account, body))),
  handle(renameView, async ({ params, body, user, edit }) => edit((tx) => changeView(tx, user.account, params.id, body))),
  handle(shareView, async ({ params, body, user, context }) => setShared(context.db, user.account, params.id, body.shared)),
  handle(deleteView, async ({ params, user, context }) => dropView(context.db, user.account, params.id)),
]
