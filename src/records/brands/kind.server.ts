import type { RecordKindServer } from '../../platform/server/handler.ts'
import { getModelId } from '../../platform/server/read-model/read-record.ts'
import { defineCreation } from '../../platform/server/record-editor.ts'
import { createPart } from '../../platform/server/record-part.ts'
import { toColumns } from '../../platform/server/sheet-definition.ts'
import { createBrand } from './contract.ts'
import { BRAND_FIELDS, brandLabels } from './fields.ts'
import { BRAND_LIST } from './list.ts'
import { insertBrand } from './mutations.server.ts'
import { brandEdit, brandRoutes } from './routes.server.ts'

const columns = toColumns(BRAND_FIELDS)

export const brandKind: RecordKindServer = {
  kind: 'brand',
  routes: brandRoutes,
  editCapability: brandEdit.call.capability,
  parts: [createPart(brandEdit, { labels: brandLabels })],
  findKey: (model, idOrSlug) => getModelId(model, 'brand', idOrSlug),
  describe: (model, key) => {
    const row = model.table('brand').get(key)
    return row && { slug: row._id, name: row.brandName, site: null, region: null }
  },
  create: defineCreation(createBrand, insertBrand),
  listRows: async (_db, model) =>
    Promise.resolve([...model.table('brand').all()].map(({ _id, brandName, status }) => ({ _id, name: brandName, owner: _id, status }))),
  sheets: { brands: { versions: { table: 'brand' }, isForNewRows: true, columns: () => columns } },
  lists: { all: 'brands', others: [], columns: BRAND_LIST.columns },
  references: { brandPhoto: 'picture', brandIcon: 'picture' },
}
