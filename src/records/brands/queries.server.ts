import { defineRowList } from '../../platform/server/read-model/list-source.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import {
  sortByTexts,
  getId,
  getPictureUrl,
  toArchived,
  toCharterSummary,
  toRecordFields,
} from '../../platform/server/read-model/references.ts'
import { getReferenced } from '../../platform/server/read-model/table-rows.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { Brand } from './contract.ts'

/** The summaries of a brand's charters, by name. */
export const toCharterSummaries = (model: ReadModel, brand: string): Brand['charters'] =>
  sortByTexts(model.table('charter').where('brand', brand), ({ name }) => name, getId).map((charter) => toCharterSummary(model, charter))

/** A brand with its charters. */
export const toBrand = (model: ReadModel, brand: ModelRow<'brand'>): Brand => ({
  _id: brand._id,
  id: brand._id,
  slug: brand.slug,
  brandName: brand.brandName,
  brandPhoto: getPictureUrl(brand.brandPhoto),
  brandIcon: getPictureUrl(brand.brandIcon),
  websiteUrl: brand.websiteUrl,
  EnrollmentsUrl: brand.EnrollmentsUrl,
  status: brand.status,
  charters: toCharterSummaries(model, brand._id),
  ...toRecordFields(brand),
  ...toArchived(brand),
})

const inOrder = (model: ReadModel): ModelRow<'brand'>[] => sortByTexts(model.table('brand').all(), ({ brandName }) => brandName, getId)

/** All brands, by name. */
export const toBrands = (model: ReadModel): Brand[] => inOrder(model).map((brand) => toBrand(model, brand))

export const BRAND_ROWS = defineRowList(
  'brand',
  (model) => inOrder(model).map(getId),
  toBrand,
  (model, change) => {
    if (change.table === 'charter') return getReferenced(change, 'brand')
    if (change.table !== 'site') return []
    return getReferenced(change, 'charter').flatMap((charter) => model.table('charter').get(charter)?.brand ?? [])
  },
)
