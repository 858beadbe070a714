import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'

import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import { selectPersonReference } from '../../../database/references.server.ts'
import type { EnrollmentInfo } from '../enrollment/contract.ts'

// The parts of a site. They are here because a site is read in one query; what writes a part is in the part's own feature.

/** Facility records (FacilityInfo). */
export const selectFacilities = (db: Queryable) =>
  db
    .selectFrom('facility')
    .select((eb) => [
      'facility.county',
      'facility.lease_holder',
      'facility.lease_start',
      'facility.lease_end',
      'facility.lease_end_open',
      'facility.apn',
      'facility.sq_footage',
      'facility.phone_2',
      'facility.partnership',
      'facility.fac_notes',
      'facility.agreement_type',
      'facility.signage_language',
      'facility.original_lease_holder',
      'facility.base_rent',
      'facility.option_renew',
      'facility.lease_notes',
      'facility.guarantor',
      'facility.original_lease_holder_released',
      'facility.original_guarantor_released',
      'facility.leaseTerm',
      'facility.version',
      toIsoTimestamp(eb.ref('facility.updatedAt')).as('updatedAt'),
      'facility.updatedBy',
    ])

/** Enrollment records (EnrollmentInfo), lists sorted. */
export const selectEnrollments = (db: Queryable) =>
  db.selectFrom('enrollment').select((eb) => [
    'enrollment.about',
    'enrollment.moreAbout',
    jsonArrayFrom(
      db
        .selectFrom('program_type')
        .innerJoin('site_program_type', 'site_program_type.program_type', 'program_type._id')
        .select(['program_type._id', 'program_type.name'])
        .where(sql<boolean>`site_program_type.site = enrollment.site`)
        .orderBy('program_type.name', inByteOrder),
    ).as('programTypes'),
    'enrollment.registrationEmail',
    'enrollment.interestEmail',
    sql<EnrollmentInfo['primaryEmailstatus']>`enrollment."primaryEmailstatus"`.as('primaryEmailstatus'),
    sql<EnrollmentInfo['addtionalEmailstatus']>`enrollment."addtionalEmailstatus"`.as('addtionalEmailstatus'),
    sql<EnrollmentInfo['orientation']>`json_build_object(
      'virtual_orientation_link', enrollment.virtual_orientation_link,
      'selected_dates', (select coalesce(jsonb_agg(d order by d ->> 'date',
        upper(right(d ->> 'start_time', 2)), replace(lpad(d ->> 'start_time', 7, '0'), '12:', '00:')), '[]') from jsonb_array_elements(enrollment.selected_dates) d),
      'recurring_dates', enrollment.recurring_dates,
      'blackout_dates', (select coalesce(json_agg(d order by d), '[]') from unnest(enrollment.blackout_dates) d))`.as('orientation'),
    'enrollment.version',
    toIsoTimestamp(eb.ref('enrollment.updatedAt')).as('updatedAt'),
    'enrollment.updatedBy',
  ])

/** Staff of sites (SitePerson), by role and name. */
export const selectSitePeople = (db: Queryable) =>
  db
    .selectFrom('site_person')
    .innerJoin('role', 'role._id', 'site_person.role')
    .innerJoin('person as p', 'p._id', 'site_person.person')
    .select([
      'site_person._id',
      jsonObjectFrom(selectPersonReference(db).where(sql<boolean>`person._id = site_person.person`))
        .$notNull()
        .as('person'),
      sql<{ _id: string; name: string }>`json_build_object('_id', role._id, 'name', role.name)`.as('role_match'),
    ])
    .orderBy('role.name', inByteOrder)
    .orderBy('p.name', inByteOrder)
    .orderBy('site_person._id')

/** SIS sites, by name. */
export const selectSisSites = (db: Queryable) =>
  db
    .selectFrom('sis_site as sis')
    .select((eb) => [
      'sis._id',
      'sis.name',
      jsonObjectFrom(
        db
          .selectFrom('site as location')
          .select(['location._id', 'location.slug', 'location.name', 'location.displayName', 'location.version'])
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
      toIsoTimestamp(eb.ref('sis.updatedAt')).as('updatedAt'),
      'sis.updatedBy',
    ])
    .orderBy('sis.name', inByteOrder)
    .orderBy('sis._id')
