import { type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'

import { notFound } from '../../../contract/problem.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { readJsonRow, toIsoTimestamp } from '../../../database/json.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { createRecordStatement } from '../../../database/record-statement.server.ts'
import { selectSiteSummaries } from '../../../database/references.server.ts'
import type { Database } from '../../../database/schema.ts'
import type { RowSource } from '../../../platform/server/row-list.ts'
import type { Person, PersonWithSites, RoleGroup } from './contract.ts'

/** Roles by group and name, of one group if it is given. */
export const selectRoleList = (db: Queryable, group?: RoleGroup) =>
  db
    .selectFrom('role')
    .select(['_id', 'name', 'group'])
    .$if(group !== undefined, (query) => query.where('group', '=', group as RoleGroup))
    .orderBy('group', inByteOrder)
    .orderBy('name', inByteOrder)

/** The roles of a person at sites, of one group if it is given. */
const selectPlaces = (db: Queryable, group?: RoleGroup) =>
  db
    .selectFrom('site_person as place')
    .innerJoin('role as held', 'held._id', 'place.role')
    .where(sql<boolean>`place.person = person._id`)
    .$if(group !== undefined, (query) => query.where('held.group', '=', group as RoleGroup))

const selectPersonSites = (db: Queryable) =>
  db.selectFrom('site').select(['site._id', 'site.slug', 'site.displayName', 'site.city', 'site.state', 'site.status', 'site.version'])

const roleJson = sql<{ _id: string; name: string }>`json_build_object('_id', held._id, 'name', held.name)`

const selectPeople = (db: Queryable, group?: RoleGroup) =>
  db
    .selectFrom('person')
    .select((eb) => [
      'person._id',
      'person.slug',
      'person.name',
      'person.phone',
      'person.email',
      'person.fax',
      'person.sql_person_id',
      toIsoTimestamp(eb.ref('person.leftAt')).as('leftAt'),
      jsonArrayFrom(
        selectPersonSites(db)
          .where('site._id', 'in', selectPlaces(db, group).select('place.site'))
          .orderBy('site.displayName', inByteOrder)
          .orderBy('site._id'),
      ).as('sites'),
      jsonArrayFrom(
        selectPlaces(db, group)
          .select(['held._id', 'held.name'])
          .groupBy(['held._id', 'held.name'])
          .orderBy('held.name', inByteOrder)
          .orderBy('held._id'),
      ).as('roles'),
      'person.version',
      toIsoTimestamp(eb.ref('person.updatedAt')).as('updatedAt'),
      'person.updatedBy',
    ])
    .orderBy('person.name', inByteOrder)
    .orderBy('person._id')

/** The sites and roles of a person, by site name. `site` selects the fields of a site. */
const selectLocations = <O>(db: Queryable, site: SelectQueryBuilder<Database, 'site', O>, group?: RoleGroup) =>
  jsonArrayFrom(
    selectPlaces(db, group)
      .innerJoin('site as at', 'at._id', 'place.site')
      .select([
        'place._id',
        jsonObjectFrom(site.where(sql<boolean>`site._id = place.site`))
          .$notNull()
          .as('site'),
        roleJson.as('role'),
      ])
      .orderBy('at.displayName', inByteOrder)
      .orderBy('held.name', inByteOrder)
      .orderBy('place._id'),
  )

/** All people; with a group, those with a role of it, and only the roles and locations of the group. */
export const selectPersonList = (db: Queryable, group?: RoleGroup) =>
  selectPeople(db, group)
    .select(selectLocations(db, selectPersonSites(db), group).as('locations'))
    .$if(group !== undefined, (query) => query.where(({ exists }) => exists(selectPlaces(db, group).select('place._id'))))

/** The people whose JSON a change affects. A change of a role, not listed here, affects everyone. */
export const AFFECTED_PEOPLE: RowSource['findAffected'] = {
  person: ({ records }) => sql`person._id = any(${records}::text[])`,
  site_person: ({ people: named }) => sql`person._id = any(${named}::text[])`,
  site: ({ records }) => sql`person._id in (select held.person from site_person as held where held.site = any(${records}::text[]))`,
}

/** One person in the shape of the list; throws 404. */
export const getListedPerson = async (db: Queryable, _id: string): Promise<Person> => {
  const person = await readJsonRow(db, selectPersonList(db).where('person._id', '=', _id))
  if (!person) throw notFound('Person')
  return person
}

/** People with the summaries of their sites. */
const selectPeopleWithSites = (db: Queryable) => selectPeople(db).select(selectLocations(db, selectSiteSummaries(db)).as('locations'))

/** One person with the summaries of their sites. */
export const PERSON_STATEMENT = createRecordStatement('person', 'person-by-slug', selectPeopleWithSites)

/** The same inside a transaction; throws 404. */
export const getPerson = async (db: Queryable, idOrSlug: string): Promise<PersonWithSites> => {
  const _id = await findRecordId(db, 'person', idOrSlug)
  const person = await readJsonRow(db, selectPeopleWithSites(db).where('person._id', '=', _id))
  if (!person) throw notFound('Person')
  return person
}
