import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { sortByTexts, toRecordFields, toSiteStatuses, toSiteSummaries } from '../../platform/server/read-model/references.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { Region, RegionWithSites } from './contract.ts'

const toRegionAs = <S>(region: ModelRow<'region'>, sites: S) => ({
  _id: region._id,
  slug: region.slug,
  name: region.name,
  ...toRecordFields(region),
  sites,
})

/** All regions, by name, each with the status of its sites. */
export const toRegions = (model: ReadModel): Region[] =>
  sortByTexts(model.table('region').all(), ({ name }) => name).map((region) =>
    toRegionAs(region, toSiteStatuses(model.table('site').where('region', region._id))),
  )

/** A region with the summaries of its sites. */
export const toRegionWithSites = (model: ReadModel, region: ModelRow<'region'>): RegionWithSites =>
  toRegionAs(region, toSiteSummaries(model, model.table('site').where('region', region._id)))
