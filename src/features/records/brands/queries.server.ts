import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'

import type { Queryable } from '../../../database/connection.server.ts'
import { jsonRow, moment, pictureAddress } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { byBytes } from '../../../database/ordering.server.ts'
import { charterSummaries } from '../../../database/references.server.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import type { Brand } from './contract.ts'

/** All brands, by name, each with its charters. */
export const selectBrandList = (db: Queryable) =>
  db
    .selectFrom('brand')
    .select((eb) => [
      'brand._id',
      'brand._id as id',
      'brand.slug',
      'brand.brandName',
      pictureAddress(eb.ref('brand.brandPhoto')).as('brandPhoto'),
      pictureAddress(eb.ref('brand.brandIcon')).as('brandIcon'),
      'brand.websiteUrl',
      'brand.EnrollmentsUrl',
      'brand.status',
      jsonArrayFrom(
        charterSummaries(db)
          .where(sql<boolean>`charter.brand = brand._id`)
          .orderBy('charter.name', byBytes)
          .orderBy('charter._id'),
      ).as('charters'),
      'brand.version',
      moment(eb.ref('brand.updatedAt')).as('updatedAt'),
      'brand.updatedBy',
    ])
    .orderBy('brand.brandName', byBytes)
    .orderBy('brand._id')

/** One brand; throws 404. */
export const getBrand = async (db: Queryable, idOrSlug: string): Promise<Brand> => {
  const _id = await idOf(db, 'brand', idOrSlug)
  const brand = await jsonRow(db, selectBrandList(db).where('brand._id', '=', _id))
  if (!brand) throw notFound('Brand')
  return brand
}
