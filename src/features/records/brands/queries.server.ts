import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'

import { notFound } from '../../../contract/problem.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { readJsonRow, toIsoTimestamp, selectPictureUrl } from '../../../database/json.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { selectCharterSummaries } from '../../../database/references.server.ts'
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
      selectPictureUrl(eb.ref('brand.brandPhoto')).as('brandPhoto'),
      selectPictureUrl(eb.ref('brand.brandIcon')).as('brandIcon'),
      'brand.websiteUrl',
      'brand.EnrollmentsUrl',
      'brand.status',
      jsonArrayFrom(
        selectCharterSummaries(db)
          .where(sql<boolean>`charter.brand = brand._id`)
          .orderBy('charter.name', inByteOrder)
          .orderBy('charter._id'),
      ).as('charters'),
      'brand.version',
      toIsoTimestamp(eb.ref('brand.updatedAt')).as('updatedAt'),
      'brand.updatedBy',
    ])
    .orderBy('brand.brandName', inByteOrder)
    .orderBy('brand._id')

/** One brand; throws 404. */
export const getBrand = async (db: Queryable, idOrSlug: string): Promise<Brand> => {
  const _id = await findRecordId(db, 'brand', idOrSlug)
  const brand = await readJsonRow(db, selectBrandList(db).where('brand._id', '=', _id))
  if (!brand) throw notFound('Brand')
  return brand
}
