import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'

import type { Queryable } from '../../database/connection.server.ts'
import { moment } from '../../database/json.server.ts'
import type { EnrollmentInfo } from './contract.ts'

/** Enrollment records (EnrollmentInfo), lists sorted (D47). */
export const enrollments = (db: Queryable) =>
  db.selectFrom('enrollment').select((eb) => [
    'enrollment.about',
    'enrollment.moreAbout',
    jsonArrayFrom(
      db
        .selectFrom('program_type')
        .innerJoin('site_program_type', 'site_program_type.program_type', 'program_type._id')
        .select(['program_type._id', 'program_type.name'])
        .where(sql<boolean>`site_program_type.site = enrollment.site`)
        .orderBy('program_type.name'),
    ).as('programTypes'),
    'enrollment.registrationEmail',
    'enrollment.interestEmail',
    sql<EnrollmentInfo['primaryEmailstatus']>`enrollment."primaryEmailstatus"`.as('primaryEmailstatus'),
    sql<EnrollmentInfo['addtionalEmailstatus']>`enrollment."addtionalEmailstatus"`.as('addtionalEmailstatus'),
    sql<EnrollmentInfo['orientation']>`json_build_object(
      'virtual_orientation_link', enrollment.virtual_orientation_link,
      'selected_dates', (select coalesce(jsonb_agg(d order by d ->> 'date', d ->> 'start_time'), '[]') from jsonb_array_elements(enrollment.selected_dates) d),
      'recurring_dates', enrollment.recurring_dates,
      'blackout_dates', (select coalesce(json_agg(d order by d), '[]') from unnest(enrollment.blackout_dates) d))`.as('orientation'),
    'enrollment.version',
    moment(eb.ref('enrollment.updatedAt')).as('updatedAt'),
    'enrollment.updatedBy',
  ])

/** Program types, by name. */
export const programTypes = (db: Queryable) => db.selectFrom('program_type').select(['_id', 'name']).orderBy('name')
