import { on, type Route } from '../../../platform/server/handler.ts'
import { addFavourite, listFavourites, listRecent, recordOpened, removeFavourite } from './contract.ts'
import { dropFavourite, favouritesOf, keepFavourite, namedRecord, noteOpened, recentOf } from './queries.server.ts'

export const favouriteRoutes: Route[] = [
  on(listFavourites, async ({ user, house }) => favouritesOf(house.db, user.account)),
  on(addFavourite, async ({ params, user, house }) => keepFavourite(house.db, user.account, await namedRecord(house.db, params))),
  on(removeFavourite, async ({ params, user, house }) => dropFavourite(house.db, user.account, await namedRecord(house.db, params))),
  on(listRecent, async ({ user, house }) => recentOf(house.db, user.account)),
  on(recordOpened, async ({ params, user, house }) => noteOpened(house.db, user.account, await namedRecord(house.db, params))),
]
