import { jsonListBytes } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { recordText } from '../../../database/record-by-address.server.ts'
import { claim } from '../../../database/saving.server.ts'
import { JsonText, on, onList, type Route } from '../../../platform/server/handler.ts'
import { createCharter, listCharters, readCharter, readStudentTotal, updateCharter, viewCharter } from './contract.ts'
import { insertCharter, saveCharter, getStoredCharter } from './mutations.server.ts'
import { getCharter, selectCharterList, CHARTER_STATEMENT, getStudentTotal } from './queries.server.ts'

export const charterRoutes: Route[] = [
  onList(listCharters, {
    reads: ['charter', 'brand', 'site', 'charter_affair'],
    build: ({ db, pool }) => jsonListBytes(pool, selectCharterList(db)),
  }),
  on(readStudentTotal, async ({ house }) => getStudentTotal(house.db)),
  on(readCharter, async ({ params, house }) => new JsonText(await recordText(house.pool, CHARTER_STATEMENT, params.slug))),
  on(viewCharter, async ({ params, house }) => getCharter(house.db, params.id)),
  on(createCharter, async ({ body, edit }) => edit(async (tx) => getCharter(tx, await insertCharter(tx, body)))),
  on(updateCharter, async ({ params, settled, edit }) =>
    edit(async (tx, seen) => {
      const _id = await idOf(tx, 'charter', params.id)
      await claim(tx, 'charter', _id, seen)
      const stored = await getStoredCharter(tx, _id)
      await saveCharter(tx, _id, stored, settled(stored))
      return getCharter(tx, _id)
    }),
  ),
]
