import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'

import type { Queryable } from '../../../database/connection.server.ts'
import { jsonRow, moment } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { byBytes } from '../../../database/ordering.server.ts'
import { siteStatuses, siteSummaries } from '../../../database/references.server.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import type { RegionWithSites } from './contract.ts'

const selectRegions = (db: Queryable) =>
  db
    .selectFrom('region')
    .select((eb) => [
      'region._id',
      'region.slug',
      'region.name',
      'region.version',
      moment(eb.ref('region.updatedAt')).as('updatedAt'),
      'region.updatedBy',
    ])

/** All regions, by name, each with the status of its sites. */
export const selectRegionList = (db: Queryable) =>
  selectRegions(db)
    .select(jsonArrayFrom(siteStatuses(db).where(sql<boolean>`site.region = region._id`)).as('sites'))
    .orderBy('region.name', byBytes)

/** One region with the summaries of its sites; throws 404. */
export const getRegionWithSites = async (db: Queryable, idOrSlug: string): Promise<RegionWithSites> => {
  const _id = await idOf(db, 'region', idOrSlug)
  const sites = siteSummaries(db)
    .where(sql<boolean>`site.region = region._id`)
    .orderBy('site.displayName', byBytes)
    .orderBy('site._id')
  const region = await jsonRow(db, selectRegions(db).select(jsonArrayFrom(sites).as('sites')).where('region._id', '=', _id))
  if (!region) throw notFound('Region')
  return region
}
