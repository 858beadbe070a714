import { handle, type Route } from '../../../platform/server/handler.ts'
import { addFavourite, listFavourites, listRecent, recordOpened, removeFavourite } from './contract.ts'
import { dropFavourite, favouritesOf, keepFavourite, namedRecord, noteOpened, recentOf } from './queries.server.ts'

export const favouriteRoutes: Route[] = [
  handle(listFavourites, async ({ user, context }) => favouritesOf(context.db, user.account)),
  handle(addFavourite, async ({ params, user, context }) => keepFavourite(context.db, user.account, await namedRecord(context.db, params))),
  handle(removeFavourite, async ({ params, user, context }) =>
    dropFavourite(context.db, user.account, await namedRecord(context.db, params)),
  ),
  handle(listRecent, async ({ user, context }) => recentOf(context.db, user.account)),
  handle(recordOpened, async ({ params, user, context }) => noteOpened(context.db, user.account, await namedRecord(context.db, params))),
]
