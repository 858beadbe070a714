import { jsonListBytes } from '../../database/json.server.ts'
import { on, onList, type Route } from '../../platform/server/handler.ts'
import { listBrands, readBrand, viewBrand } from './contract.ts'
import { brandBy, brandList } from './queries.server.ts'

export const brandRoutes: Route[] = [
  onList(listBrands, { reads: ['brand', 'charter', 'site'], build: ({ db, pool }) => jsonListBytes(pool, brandList(db)) }),
  on(readBrand, async ({ params, house }) => brandBy(house.db, params.id)),
  on(viewBrand, async ({ params, house }) => brandBy(house.db, params.id)),
]
