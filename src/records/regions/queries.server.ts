import { defineRowList } from '../../platform/server/read-model/list-source.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import {
  getId,
  sortByTexts,
  toArchived,
  toRecordFields,
  toSiteStatuses,
  toSiteSummaries,
} from '../../platform/server/read-model/references.ts'
import { getReferenced } from '../../platform/server/read-model/table-rows.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { Region, RegionWithSites } from './contract.ts'

const toRegionAs = <S>(region: ModelRow<'region'>, sites: S) => ({
  _id: region._id,
  slug: region.slug,
  name: region.name,
  ...toRecordFields(region),
  ...toArchived(region),
  sites,
})

/** A region with the status of its sites. */
const toRegion = (model: ReadModel, region: ModelRow<'region'>): Region =>
  toRegionAs(region, toSiteStatuses(model.table('site').where('region', region._id)))

const inOrder = (model: ReadModel): ModelRow<'region'>[] => sortByTexts(model.table('region').all(), ({ name }) => name)

/** All regions, by name. */
export const toRegions = (model: ReadModel): Region[] => inOrder(model).map((region) => toRegion(model, region))

export const REGION_ROWS = defineRowList(
  'region',
  (model) => inOrder(model).map(getId),
  toRegion,
  (_model, change) => (change.table === 'site' ? getReferenced(change, 'region') : []),
)

/** A region with the summaries of its sites. */
export const toRegionWithSites = (model: ReadModel, region: ModelRow<'region'>): RegionWithSites =>
  toRegionAs(region, toSiteSummaries(model, model.table('site').where('region', region._id)))
