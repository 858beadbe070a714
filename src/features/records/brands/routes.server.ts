import { readJsonListBytes } from '../../../database/json.server.ts'
import { findByIdOrSlug, handleEdit } from '../../../platform/server/edit-handler.ts'
import { handle, handleList, type Route } from '../../../platform/server/handler.ts'
import { createBrand, listBrands, readBrand, updateBrand, viewBrand } from './contract.ts'
import { insertBrand, saveBrand, getStoredBrand } from './mutations.server.ts'
import { getBrand, selectBrandList } from './queries.server.ts'

export const brandRoutes: Route[] = [
  handleList(listBrands, { reads: ['brand', 'charter', 'site'], build: ({ db, pool }) => readJsonListBytes(pool, selectBrandList(db)) }),
  handle(readBrand, async ({ params, context }) => getBrand(context.db, params.id)),
  handle(viewBrand, async ({ params, context }) => getBrand(context.db, params.id)),
  handle(createBrand, async ({ body, edit }) => edit(async (tx) => getBrand(tx, await insertBrand(tx, body)))),
  handleEdit(updateBrand, {
    table: 'brand',
    findKey: findByIdOrSlug('brand'),
    getStored: getStoredBrand,
    save: saveBrand,
    read: { inTransaction: getBrand },
  }),
]
