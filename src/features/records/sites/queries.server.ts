import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'

import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { createRecordStatement } from '../../../database/record-statement.server.ts'
import { selectSiteSummaries } from '../../../database/references.server.ts'
import type { RowSource } from '../../../platform/server/row-list.ts'
import { Address } from './contract.ts'
import { selectEnrollments, selectFacilities, selectSisSites, selectSitePeople } from './parts.server.ts'

export { selectEnrollments, selectFacilities, selectSisSites, selectSitePeople }

/** Sites as lists and cards show them, by name. */
export const selectSiteSummaryList = (db: Queryable) => selectSiteSummaries(db).orderBy('site.displayName', inByteOrder).orderBy('site._id')

/** Sites with everything their pages show, by name. */
export const selectSiteList = (db: Queryable) =>
  selectSiteSummaries(db, Address)
    .select([
      'site.latitude',
      'site.longitude',
      'site.directory_id',
      jsonArrayFrom(selectSitePeople(db).where(sql<boolean>`site_person.site = site._id`)).as('people'),
      jsonObjectFrom(selectFacilities(db).where(sql<boolean>`facility.site = site._id`))
        .$notNull()
        .as('facility_info'),
      jsonObjectFrom(selectEnrollments(db).where(sql<boolean>`enrollment.site = site._id`))
        .$notNull()
        .as('enrollment_info'),
      jsonArrayFrom(selectSisSites(db).where(sql<boolean>`sis.site = site._id`)).as('sis_sites'),
      'site.updatedBy',
    ])
    .orderBy('site.displayName', inByteOrder)
    .orderBy('site._id')

/**
 * The sites whose JSON a change affects. A change of a site's part also changes the site; a change of a role or a program type, not listed here,
 * affects all sites.
 */
export const AFFECTED_SITES: RowSource['findAffected'] = {
  site: ({ records }) => sql`site._id = any(${records}::text[])`,
  facility: () => 'none',
  enrollment: () => 'none',
  site_program_type: () => 'none',
  site_person: () => 'none',
  sis_site: () => 'none',
  person: ({ records }) => sql`site._id in (select held.site from site_person as held where held.person = any(${records}::text[]))`,
  charter: ({ records }) => sql`site.charter = any(${records}::text[])`,
  brand: ({ records }) => sql`site.charter in (select under._id from charter as under where under.brand = any(${records}::text[]))`,
  region: ({ records }) => sql`site.region = any(${records}::text[])`,
}

/** One site with everything its pages show. */
export const SITE_STATEMENT = createRecordStatement('site', 'site-by-slug', selectSiteList)
