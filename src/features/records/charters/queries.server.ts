import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'

import type { Queryable } from '../../../database/connection.server.ts'
import { jsonRow, moment, pictureAddress } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { byBytes } from '../../../database/ordering.server.ts'
import { recordStatement } from '../../../database/record-by-address.server.ts'
import { siteStatuses, siteSummaries } from '../../../database/references.server.ts'
import { notFound } from '../../../platform/contract/problem.ts'
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
      pictureAddress(eb.ref('brand.brandPhoto')).as('brandPhoto'),
      pictureAddress(eb.ref('brand.brandIcon')).as('brandIcon'),
      'charter.status',
      'charter.studentCount',
      moment(eb.ref('charter.studentCountUpdatedAt')).as('studentCountUpdatedAt'),
      'charter.schoolTypeUrls',
      pictureAddress(eb.ref('charter.photo')).as('photo'),
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
      moment(eb.ref('charter.updatedAt')).as('updatedAt'),
      'charter.updatedBy',
    ])

/** All charters, by name, each with its sites' status. */
export const selectCharterList = (db: Queryable) =>
  selectCharters(db)
    .select(jsonArrayFrom(siteStatuses(db).where(sql<boolean>`site.charter = charter._id`)).as('sites'))
    .orderBy('charter.name', byBytes)
    .orderBy('charter._id')

/** One charter; throws 404. */
export const getCharter = async (db: Queryable, idOrSlug: string): Promise<Charter> => {
  const _id = await idOf(db, 'charter', idOrSlug)
  const charter = await jsonRow(db, selectCharterList(db).where('charter._id', '=', _id))
  if (!charter) throw notFound('Charter')
  return charter
}

/** One charter with the summaries of its sites. */
export const CHARTER_STATEMENT = recordStatement('charter', 'charter-by-slug', (db) =>
  selectCharters(db).select(
    jsonArrayFrom(
      siteSummaries(db)
        .where(sql<boolean>`site.charter = charter._id`)
        .orderBy('site.displayName', byBytes)
        .orderBy('site._id'),
    ).as('sites'),
  ),
)

/** The number of students in all open charters, and when a count last changed. */
export const getStudentTotal = async (db: Queryable): Promise<z.infer<typeof StudentTotal>> => {
  const total = await jsonRow(
    db,
    db
      .selectFrom('charter')
      .select([
        sql<number>`coalesce(sum(charter."studentCount") filter (where position('CLOSED' in charter.status) = 0), 0)::int`.as('total'),
        sql<string | null>`${moment(sql<Date | null>`max(charter."studentCountUpdatedAt")`)}`.as('updatedAt'),
      ]),
  )
  return total ?? { total: 0, updatedAt: null }
}
