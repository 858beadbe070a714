import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'

import { notFound } from '../../../contract/problem.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { readJsonRow, toIsoTimestamp } from '../../../database/json.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { selectSiteStatuses, selectSiteSummaries } from '../../../database/references.server.ts'
import type { RegionWithSites } from './contract.ts'

const selectRegions = (db: Queryable) =>
  db
    .selectFrom('region')
    .select((eb) => [
      'region._id',
      'region.slug',
      'region.name',
      'region.version',
      toIsoTimestamp(eb.ref('region.updatedAt')).as('updatedAt'),
      'region.updatedBy',
    ])

/** All regions, by name, each with the status of its sites. */
export const selectRegionList = (db: Queryable) =>
  selectRegions(db)
    .select(jsonArrayFrom(selectSiteStatuses(db).where(sql<boolean>`site.region = region._id`)).as('sites'))
    .orderBy('region.name', inByteOrder)

/** One region with the summaries of its sites; throws 404. */
export const getRegionWithSites = async (db: Queryable, idOrSlug: string): Promise<RegionWithSites> => {
  const _id = await findRecordId(db, 'region', idOrSlug)
  const sites = selectSiteSummaries(db)
    .where(sql<boolean>`site.region = region._id`)
    .orderBy('site.displayName', inByteOrder)
    .orderBy('site._id')
  const region = await readJsonRow(db, selectRegions(db).select(jsonArrayFrom(sites).as('sites')).where('region._id', '=', _id))
  if (!region) throw notFound('Region')
  return region
}
