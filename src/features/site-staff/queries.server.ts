import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'

import type { Queryable } from '../../database/connection.server.ts'
import { personReference } from '../../database/references.server.ts'

/** Who works where in which role (SitePerson), by role and name. */
export const sitePeople = (db: Queryable) =>
  db
    .selectFrom('site_person')
    .innerJoin('role', 'role._id', 'site_person.role')
    .innerJoin('person as p', 'p._id', 'site_person.person')
    .select([
      'site_person._id',
      jsonObjectFrom(personReference(db).where(sql<boolean>`person._id = site_person.person`))
        .$notNull()
        .as('person'),
      sql<{ _id: string; name: string }>`json_build_object('_id', role._id, 'name', role.name)`.as('role_match'),
    ])
    .orderBy('role.name')
    .orderBy('p.name')
    .orderBy('site_person._id')
