import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { sortByTexts, getId, getPictureUrl, toCharterSummary, toRecordFields } from '../../platform/server/read-model/references.ts'
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
})

/** All brands, by name. */
export const toBrands = (model: ReadModel): Brand[] =>
  sortByTexts(model.table('brand').all(), ({ brandName }) => brandName, getId).map((brand) => toBrand(model, brand))
