import { sql } from 'kysely'

import { notFound } from '../../../contract/problem.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { readJsonRow } from '../../../database/json.server.ts'
import { selectEnrollments } from '../sites/queries.server.ts'
import type { EnrollmentInfo } from './contract.ts'

/** Program types, by name. */
export const selectProgramTypes = (db: Queryable) => db.selectFrom('program_type').select(['_id', 'name']).orderBy('name', inByteOrder)

/** The enrollment record of a site. */
export const getEnrollment = async (db: Queryable, site: string): Promise<EnrollmentInfo> => {
  const found = await readJsonRow(db, selectEnrollments(db).where(sql<boolean>`enrollment.site = ${site}`))
  if (!found) throw notFound('Site')
  return found
}

/** The record with the field names of an edit. */
export const toEnrollmentInput = ({ orientation, ...info }: EnrollmentInfo) => ({
  ...info,
  orientationLink: orientation.virtual_orientation_link,
  individualDates: orientation.selected_dates,
  recurringDates: orientation.recurring_dates,
  blackoutDates: orientation.blackout_dates,
})
