import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'

import type { Queryable } from '../../database/connection.server.ts'
import { jsonRow, jsonRows, moment } from '../../database/json.server.ts'
import { idOf } from '../../database/lookup.server.ts'
import { notFound } from '../../platform/contract/problem.ts'
import { isId } from '../../platform/contract/slugs.ts'
import type { SisSite } from './contract.ts'

/** SIS sites, by name. */
export const sisSites = (db: Queryable) =>
  db
    .selectFrom('sis_site as sis')
    .select((eb) => [
      'sis._id',
      'sis.name',
      jsonObjectFrom(
        db
          .selectFrom('site as location')
          .select(['location._id', 'location.slug', 'location.name', 'location.displayName'])
          .where(sql<boolean>`location._id = sis.site`),
      )
        .$notNull()
        .as('site'),
      'sis.sislc_id',
      'sis.charterId',
      'sis.charterName',
      'sis.status',
      'sis.activeDate',
      'sis.inactiveDate',
      'sis.type_array',
      'sis.siteId',
      'sis.summer_district',
      'sis.intersession',
      'sis.home_study',
      'sis.nonAdaStudents',
      'sis.online_education',
      'sis.activeSite',
      'sis.sgi',
      'sis.homeSiteId',
      'sis.version',
      moment(eb.ref('sis.updatedAt')).as('updatedAt'),
      'sis.updatedBy',
    ])
    .orderBy('sis.name')
    .orderBy('sis._id')

/** The SIS sites of one location, or all; throws 404 for no such location. */
export const sisSitesOf = async (db: Queryable, site: string | undefined): Promise<SisSite[]> =>
  jsonRows(db, site === undefined ? sisSites(db) : sisSites(db).where('sis.site', '=', await idOf(db, 'site', site)))

/** One SIS site; throws 404. */
export const sisSiteBy = async (db: Queryable, _id: string): Promise<SisSite> => {
  const found = isId(_id) ? await jsonRow(db, sisSites(db).where('sis._id', '=', _id)) : undefined
  if (!found) throw notFound('SIS site')
  return found
}
