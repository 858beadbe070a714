import { defineEdit, findByIdOrSlug, handleEdit } from '../../platform/server/edit-handler.ts'
import { handleCreate, handleList, handleRecord, type Route } from '../../platform/server/handler.ts'
import { createBrand, listBrands, readBrand, updateBrand, viewBrand } from './contract.ts'
import { BRAND_REFERENCES, insertBrand, toStoredBrand } from './mutations.server.ts'
import { BRAND_ROWS, toBrand } from './queries.server.ts'

export const brandEdit = defineEdit({
  call: updateBrand,
  table: 'brand',
  findKey: findByIdOrSlug('brand'),
  toInput: toStoredBrand,
  references: BRAND_REFERENCES,
  dependentFields: Object.keys(BRAND_REFERENCES),
  respond: toBrand,
})

export const brandRoutes: Route[] = [
  handleList(listBrands, BRAND_ROWS),
  handleRecord(readBrand, 'brand', 'id', toBrand),
  handleRecord(viewBrand, 'brand', 'id', toBrand),
  handleCreate(createBrand, 'brand', insertBrand, toBrand),
  handleEdit(brandEdit),
]
