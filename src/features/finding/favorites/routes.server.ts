import { handle, type Route } from '../../../platform/server/handler.ts'
import { addFavorite, listFavorites, listRecent, recordViewed, removeFavorite } from './contract.ts'
import { deleteFavorite, insertFavorite, recordView } from './mutations.server.ts'
import { listFavoriteHits, findNamedRecord, listRecentHits } from './queries.server.ts'

export const favoriteRoutes: Route[] = [
  handle(listFavorites, async ({ user, context }) => listFavoriteHits(context, user.account)),
  handle(addFavorite, async ({ params, user, context }) =>
    insertFavorite(context.db, user.account, await findNamedRecord(context.db, params)),
  ),
  handle(removeFavorite, async ({ params, user, context }) =>
    deleteFavorite(context.db, user.account, await findNamedRecord(context.db, params)),
  ),
  handle(listRecent, async ({ user, context }) => listRecentHits(context, user.account)),
  handle(recordViewed, async ({ params, user, context }) =>
    recordView(context.db, user.account, await findNamedRecord(context.db, params)),
  ),
]
