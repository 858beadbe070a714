import { on, type Route } from '../../../platform/server/handler.ts'
import { deleteView, listViews, renameView, saveView, shareView } from './contract.ts'
import { changeView, dropView, keepView, setShared, viewsFor } from './queries.server.ts'

export const savedViewRoutes: Route[] = [
  on(listViews, async ({ user, house }) => viewsFor(house.db, user.account)),
  on(saveView, async ({ body, user, edit }) => edit((tx) => keepView(tx, user.account, body))),
  on(renameView, async ({ params, body, user, edit }) => edit((tx) => changeView(tx, user.account, params.id, body))),
  on(shareView, async ({ params, body, user, house }) => setShared(house.db, user.account, params.id, body.shared)),
  on(deleteView, async ({ params, user, house }) => dropView(house.db, user.account, params.id)),
]
