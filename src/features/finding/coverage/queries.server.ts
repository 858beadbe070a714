import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'

import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { selectPersonReference, selectRegionReference } from '../../../database/references.server.ts'

const holders = (db: Queryable) =>
  db
    .selectFrom('site_person')
    .innerJoin('role', 'role._id', 'site_person.role')
    .innerJoin('person as holder', 'holder._id', 'site_person.person')
    .select([
      'role.name as role',
      jsonObjectFrom(selectPersonReference(db).where(sql<boolean>`person._id = holder._id`))
        .$notNull()
        .as('person'),
    ])
    .where(sql<boolean>`site_person.site = site._id`)
    .orderBy('role.name', inByteOrder)
    .orderBy('holder.name', inByteOrder)
    .orderBy('site_person._id')

/** Sites by name with the people in their roles; those of one region where it is given. */
export const coverage = (db: Queryable, region?: string) =>
  db
    .selectFrom('site')
    .select([
      'site._id',
      'site.slug',
      'site.displayName',
      'site.category',
      'site.status',
      'site.city',
      'site.state',
      'site.phone',
      jsonObjectFrom(selectRegionReference(db).where(sql<boolean>`region._id = site.region`)).as('region'),
      jsonObjectFrom(
        db
          .selectFrom('charter')
          .select(['charter._id', 'charter.slug', 'charter.name'])
          .where(sql<boolean>`charter._id = site.charter`),
      ).as('charter'),
      'site.version',
      jsonArrayFrom(holders(db)).as('people'),
    ])
    .$if(region !== undefined, (query) => query.where('site.region', '=', region as string))
    .orderBy('site.displayName', inByteOrder)
    .orderBy('site._id')
