import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'

import type { Queryable } from '../../database/connection.server.ts'
import { jsonRow } from '../../database/json.server.ts'
import { idOf } from '../../database/lookup.server.ts'
import { siteSummaries } from '../../database/references.server.ts'
import { notFound } from '../../platform/contract/problem.ts'
import { Address, type Site } from './contract.ts'
import { enrollments, facilities, sisSites, sitePeople } from './parts.server.ts'

export { sisSites }

/** Sites as lists and cards show them, by name. */
export const siteSummaryList = (db: Queryable) => siteSummaries(db).orderBy('site.displayName').orderBy('site._id')

/** Sites with everything their pages show, by name. */
export const siteList = (db: Queryable) =>
  siteSummaries(db, Address)
    .select([
      'site.latitude',
      'site.longitude',
      'site.directory_id',
      jsonArrayFrom(sitePeople(db).where(sql<boolean>`site_person.site = site._id`)).as('people'),
      jsonObjectFrom(facilities(db).where(sql<boolean>`facility.site = site._id`))
        .$notNull()
        .as('facility_info'),
      jsonObjectFrom(enrollments(db).where(sql<boolean>`enrollment.site = site._id`))
        .$notNull()
        .as('enrollment_info'),
      jsonArrayFrom(sisSites(db).where(sql<boolean>`sis.site = site._id`)).as('sis_sites'),
      'site.updatedBy',
    ])
    .orderBy('site.displayName')
    .orderBy('site._id')

/** One site with everything its pages show; throws 404. */
export const siteBy = async (db: Queryable, idOrSlug: string): Promise<Site> => {
  const _id = await idOf(db, 'site', idOrSlug)
  const site = await jsonRow(db, siteList(db).where('site._id', '=', _id))
  if (!site) throw notFound('Location')
  return site
}
