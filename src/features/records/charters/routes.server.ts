import { jsonListBytes } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { recordText } from '../../../database/record-by-address.server.ts'
import { claim } from '../../../database/saving.server.ts'
import { JsonText, on, onList, type Route } from '../../../platform/server/handler.ts'
import { createCharter, listCharters, readCharter, readStudentTotal, updateCharter, viewCharter } from './contract.ts'
import { charterBy, charterList, CHARTER_WITH_SITES, studentTotal } from './queries.server.ts'
import { addCharter, saveCharter, storedCharter } from './saving.server.ts'

export const charterRoutes: Route[] = [
  onList(listCharters, {
    reads: ['charter', 'brand', 'site', 'charter_affair'],
    build: ({ db, pool }) => jsonListBytes(pool, charterList(db)),
  }),
  on(readStudentTotal, async ({ house }) => studentTotal(house.db)),
  on(readCharter, async ({ params, house }) => new JsonText(await recordText(house.pool, CHARTER_WITH_SITES, params.slug))),
  on(viewCharter, async ({ params, house }) => charterBy(house.db, params.id)),
  on(createCharter, async ({ body, edit }) => edit(async (tx) => charterBy(tx, await addCharter(tx, body)))),
  on(updateCharter, async ({ params, settled, edit }) =>
    edit(async (tx, seen) => {
      const _id = await idOf(tx, 'charter', params.id)
      await claim(tx, 'charter', _id, seen)
      const stored = await storedCharter(tx, _id)
      await saveCharter(tx, _id, stored, settled(stored))
      return charterBy(tx, _id)
    }),
  ),
]
