import { jsonListBytes } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { lockForUpdate } from '../../../database/saving.server.ts'
import { handle, handleList, type Route } from '../../../platform/server/handler.ts'
import { createBrand, listBrands, readBrand, updateBrand, viewBrand } from './contract.ts'
import { insertBrand, saveBrand, getStoredBrand } from './mutations.server.ts'
import { getBrand, selectBrandList } from './queries.server.ts'

export const brandRoutes: Route[] = [
  handleList(listBrands, { reads: ['brand', 'charter', 'site'], build: ({ db, pool }) => jsonListBytes(pool, selectBrandList(db)) }),
  handle(readBrand, async ({ params, context }) => getBrand(context.db, params.id)),
  handle(viewBrand, async ({ params, context }) => getBrand(context.db, params.id)),
  handle(createBrand, async ({ body, edit }) => edit(async (tx) => getBrand(tx, await insertBrand(tx, body)))),
  handle(updateBrand, async ({ params, validateChanges: settled, edit }) =>
    edit(async (tx, seen) => {
      const _id = await idOf(tx, 'brand', params.id)
      await lockForUpdate(tx, 'brand', _id, seen)
      await saveBrand(tx, _id, settled(await getStoredBrand(tx, _id)))
      return getBrand(tx, _id)
    }),
  ),
]
