import { jsonListBytes } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { claim } from '../../../database/saving.server.ts'
import { on, onList, type Route } from '../../../platform/server/handler.ts'
import { createBrand, listBrands, readBrand, updateBrand, viewBrand } from './contract.ts'
import { insertBrand, saveBrand, getStoredBrand } from './mutations.server.ts'
import { getBrand, selectBrandList } from './queries.server.ts'

export const brandRoutes: Route[] = [
  onList(listBrands, { reads: ['brand', 'charter', 'site'], build: ({ db, pool }) => jsonListBytes(pool, selectBrandList(db)) }),
  on(readBrand, async ({ params, house }) => getBrand(house.db, params.id)),
  on(viewBrand, async ({ params, house }) => getBrand(house.db, params.id)),
  on(createBrand, async ({ body, edit }) => edit(async (tx) => getBrand(tx, await insertBrand(tx, body)))),
  on(updateBrand, async ({ params, settled, edit }) =>
    edit(async (tx, seen) => {
      const _id = await idOf(tx, 'brand', params.id)
      await claim(tx, 'brand', _id, seen)
      await saveBrand(tx, _id, settled(await getStoredBrand(tx, _id)))
      return getBrand(tx, _id)
    }),
  ),
]
