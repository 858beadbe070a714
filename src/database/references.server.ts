import { sql, type RawBuilder } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'

import { SiteSummary } from '../platform/contract/references.ts'
import type { Queryable } from './connection.server.ts'
import { moment, pictureAddress } from './json.server.ts'
import { byBytes } from './ordering.server.ts'

// What one record shows of another, in the shapes of platform/contract/references.ts. These are queries to be put inside others;
// `where` narrows them to the outer row, which the type of an inner query cannot know.

export const regionReference = (db: Queryable) => db.selectFrom('region').select(['region._id', 'region.slug', 'region.name'])

export const charterReference = (db: Queryable) =>
  db
    .selectFrom('charter')
    .innerJoin('brand', 'brand._id', 'charter.brand')
    .select(['charter._id', 'charter.slug', 'charter.name', 'charter.brand', 'brand.brandName', 'charter.version'])

export const personReference = (db: Queryable) =>
  db.selectFrom('person').select(['person._id', 'person.slug', 'person.name', 'person.phone', 'person.email', 'person.version'])

const principalOf = (db: Queryable) =>
  personReference(db)
    .innerJoin('site_person', 'site_person.person', 'person._id')
    .innerJoin('role', 'role._id', 'site_person.role')
    .where('role.name', '=', sql.lit('Principal'))
    .where(sql<boolean>`site_person.site = site._id`)
    .orderBy('person.name', byBytes)
    .orderBy('person._id')
    .limit(1)

/** `address` of a site: the fields a contract names, taken from the columns of the same names. */
const addressOf = <S extends z.ZodObject>(schema: S): RawBuilder<z.output<S>> =>
  sql`json_build_object(${sql.join(Object.keys(schema.shape).flatMap((field) => [sql.lit(field), sql.ref(`site.${field}`)]))})`

/** Sites as lists and cards show them (SiteSummary); a richer address where its schema is given. */
export const siteSummaries = <S extends z.ZodObject = typeof SiteSummary.shape.address>(
  db: Queryable,
  address: S = SiteSummary.shape.address as unknown as S,
) =>
  db
    .selectFrom('site')
    .select((eb) => [
      'site._id',
      'site.slug',
      'site.name',
      'site.displayName',
      'site.category',
      'site.finance_id',
      'site.status',
      pictureAddress(eb.ref('site.photo')).as('photo'),
      addressOf(address).as('address'),
      jsonObjectFrom(charterReference(db).where(sql<boolean>`charter._id = site.charter`)).as('charter'),
      jsonObjectFrom(regionReference(db).where(sql<boolean>`region._id = site.region`)).as('region'),
      jsonObjectFrom(principalOf(db)).as('principal'),
      'site.version',
      moment(eb.ref('site.updatedAt')).as('updatedAt'),
    ])

/** Charters as a brand lists them (CharterSummary). */
export const charterSummaries = (db: Queryable) =>
  db
    .selectFrom('charter')
    .select((eb) => [
      'charter._id',
      'charter.slug',
      'charter.name',
      'charter.abbreviation',
      'charter.status',
      'charter.studentCount',
      pictureAddress(eb.ref('charter.photo')).as('photo'),
      sql<number>`(select count(*)::int from site where site.charter = charter._id)`.as('siteCount'),
      sql<number>`(select count(*)::int from site where site.charter = charter._id and position('CLOSED' in site.status) = 0)`.as(
        'activeSiteCount',
      ),
      'charter.version',
    ])

/** Sites with just what counting and grouping needs. */
export const siteStatuses = (db: Queryable) =>
  db
    .selectFrom('site')
    .select(['site._id', 'site.slug', 'site.displayName', 'site.status', 'site.version'])
    .orderBy('site.displayName', byBytes)
    .orderBy('site._id')
