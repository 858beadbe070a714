import { sql, type RawBuilder } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'

import { SiteSummary } from '../contract/references.ts'
import { inByteOrder } from './byte-order.server.ts'
import type { Queryable } from './connection.server.ts'
import { toIsoTimestamp, selectPictureUrl } from './json.server.ts'

// What one record shows of another, in the shapes of contract/references.ts. These are queries to be put inside others;
// `where` narrows them to the outer row, which the type of an inner query cannot know.

export const selectRegionReference = (db: Queryable) => db.selectFrom('region').select(['region._id', 'region.slug', 'region.name'])

export const selectCharterReference = (db: Queryable) =>
  db
    .selectFrom('charter')
    .innerJoin('brand', 'brand._id', 'charter.brand')
    .select(['charter._id', 'charter.slug', 'charter.name', 'charter.brand', 'brand.brandName', 'charter.version'])

export const selectPersonReference = (db: Queryable) =>
  db.selectFrom('person').select(['person._id', 'person.slug', 'person.name', 'person.phone', 'person.email', 'person.version'])

const selectPrincipal = (db: Queryable) =>
  selectPersonReference(db)
    .innerJoin('site_person', 'site_person.person', 'person._id')
    .innerJoin('role', 'role._id', 'site_person.role')
    .where('role.name', '=', sql.lit('Principal'))
    .where(sql<boolean>`site_person.site = site._id`)
    .orderBy('person.name', inByteOrder)
    .orderBy('person._id')
    .limit(1)

/** `address` of a site: the fields a contract names, taken from the columns of the same names. */
const buildAddress = <S extends z.ZodObject>(schema: S): RawBuilder<z.output<S>> =>
  sql`json_build_object(${sql.join(Object.keys(schema.shape).flatMap((field) => [sql.lit(field), sql.ref(`site.${field}`)]))})`

/** Sites as lists and cards show them (SiteSummary); a richer address where its schema is given. */
export const selectSiteSummaries = <S extends z.ZodObject = typeof SiteSummary.shape.address>(
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
      selectPictureUrl(eb.ref('site.photo')).as('photo'),
      buildAddress(address).as('address'),
      jsonObjectFrom(selectCharterReference(db).where(sql<boolean>`charter._id = site.charter`)).as('charter'),
      jsonObjectFrom(selectRegionReference(db).where(sql<boolean>`region._id = site.region`)).as('region'),
      jsonObjectFrom(selectPrincipal(db)).as('principal'),
      'site.version',
      toIsoTimestamp(eb.ref('site.updatedAt')).as('updatedAt'),
    ])

/** Charters as a brand lists them (CharterSummary). */
export const selectCharterSummaries = (db: Queryable) =>
  db
    .selectFrom('charter')
    .select((eb) => [
      'charter._id',
      'charter.slug',
      'charter.name',
      'charter.abbreviation',
      'charter.status',
      'charter.studentCount',
      selectPictureUrl(eb.ref('charter.photo')).as('photo'),
      sql<number>`(select count(*)::int from site where site.charter = charter._id)`.as('siteCount'),
      sql<number>`(select count(*)::int from site where site.charter = charter._id and position('CLOSED' in site.status) = 0)`.as(
        'activeSiteCount',
      ),
      'charter.version',
    ])

/** Sites with just what counting and grouping needs. */
export const selectSiteStatuses = (db: Queryable) =>
  db
    .selectFrom('site')
    .select(['site._id', 'site.slug', 'site.displayName', 'site.status', 'site.version'])
    .orderBy('site.displayName', inByteOrder)
    .orderBy('site._id')
