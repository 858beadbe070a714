import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'

import { notFound } from '../../../contract/problem.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { readJsonRow, toIsoTimestamp, selectPictureUrl } from '../../../database/json.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { createRecordStatement } from '../../../database/record-statement.server.ts'
import { selectSiteStatuses, selectSiteSummaries } from '../../../database/references.server.ts'
import type { Charter, StudentTotal } from './contract.ts'

const selectCharters = (db: Queryable) =>
  db
    .selectFrom('charter')
    .innerJoin('brand', 'brand._id', 'charter.brand')
    .select((eb) => [
      'charter._id',
      'charter.slug',
      'charter.name',
      'charter.abbreviation',
      'charter.brand',
      'brand.brandName',
      selectPictureUrl(eb.ref('brand.brandPhoto')).as('brandPhoto'),
      selectPictureUrl(eb.ref('brand.brandIcon')).as('brandIcon'),
      'charter.status',
      'charter.studentCount',
      toIsoTimestamp(eb.ref('charter.studentCountUpdatedAt')).as('studentCountUpdatedAt'),
      'charter.schoolTypeUrls',
      selectPictureUrl(eb.ref('charter.photo')).as('photo'),
      'charter.charterWebsite',
      'charter.charterContactnumber',
      'charter.charter_number',
      'charter.charter_grade_levels',
      'charter.directory_id',
      // Only whether there is a charter affair: its content needs a higher access level.
      jsonArrayFrom(
        db
          .selectFrom('charter_affair')
          .select('charter_affair._id')
          .where(sql<boolean>`charter_affair.charter = charter._id`),
      ).as('charter_affair_info'),
      'charter.version',
      toIsoTimestamp(eb.ref('charter.updatedAt')).as('updatedAt'),
      'charter.updatedBy',
    ])

/** All charters, by name, each with its sites' status. */
export const selectCharterList = (db: Queryable) =>
  selectCharters(db)
    .select(jsonArrayFrom(selectSiteStatuses(db).where(sql<boolean>`site.charter = charter._id`)).as('sites'))
    .orderBy('charter.name', inByteOrder)
    .orderBy('charter._id')

/** One charter; throws 404. */
export const getCharter = async (db: Queryable, idOrSlug: string): Promise<Charter> => {
  const _id = await findRecordId(db, 'charter', idOrSlug)
  const charter = await readJsonRow(db, selectCharterList(db).where('charter._id', '=', _id))
  if (!charter) throw notFound('Charter')
  return charter
}

/** One charter with the summaries of its sites. */
export const CHARTER_STATEMENT = createRecordStatement('charter', 'charter-by-slug', (db) =>
  selectCharters(db).select(
    jsonArrayFrom(
      selectSiteSummaries(db)
        .where(sql<boolean>`site.charter = charter._id`)
        .orderBy('site.displayName', inByteOrder)
        .orderBy('site._id'),
    ).as('sites'),
  ),
)

/** The number of students in all open charters, and when a count last changed. */
export const getStudentTotal = async (db: Queryable): Promise<z.infer<typeof StudentTotal>> => {
  const total = await readJsonRow(
    db,
    db
      .selectFrom('charter')
      .select([
        sql<number>`coalesce(sum(charter."studentCount") filter (where position('CLOSED' in charter.status) = 0), 0)::int`.as('total'),
        sql<string | null>`${toIsoTimestamp(sql<Date | null>`max(charter."studentCountUpdatedAt")`)}`.as('updatedAt'),
      ]),
  )
  return total ?? { total: 0, updatedAt: null }
}
