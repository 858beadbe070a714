import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Pool } from 'pg'

import type { Queryable } from '../../database/connection.server.ts'
import { byBytes } from '../../database/ordering.server.ts'
import { siteSummaries } from '../../database/references.server.ts'
import type { Database } from '../../database/schema.ts'
import { notFound } from '../../platform/contract/problem.ts'
import type { RowSource } from '../../platform/server/row-list.ts'
import { Address } from './contract.ts'
import { enrollments, facilities, sisSites, sitePeople } from './parts.server.ts'

export { enrollments, facilities, sisSites, sitePeople }

/** Sites as lists and cards show them, by name. */
export const siteSummaryList = (db: Queryable) => siteSummaries(db).orderBy('site.displayName', byBytes).orderBy('site._id')

/** Sites with everything their pages show, by name. */
export const siteList = (db: Queryable) =>
  siteSummaries(db, Address)
    .select([
      'site.latitude',
      'site.longitude',
      'site.directory_id',
      jsonArrayFrom(sitePeople(db).where(sql<boolean>`site_person.site = site._id`)).as('people'),
      jsonObjectFrom(facilities(db).where(sql<boolean>`facility.site = site._id`))
        .$notNull()
        .as('facility_info'),
      jsonObjectFrom(enrollments(db).where(sql<boolean>`enrollment.site = site._id`))
        .$notNull()
        .as('enrollment_info'),
      jsonArrayFrom(sisSites(db).where(sql<boolean>`sis.site = site._id`)).as('sis_sites'),
      'site.updatedBy',
    ])
    .orderBy('site.displayName', byBytes)
    .orderBy('site._id')

/**
 * Which sites a change touches. A change of a site's parts is told as one of the site as well; a role or a program type touches them all, and is not
 * named here.
 */
export const TOUCHED_SITES: RowSource['touched'] = {
  site: ({ records }) => sql`site._id = any(${records}::text[])`,
  facility: () => 'none',
  enrollment: () => 'none',
  site_program_type: () => 'none',
  site_person: () => 'none',
  sis_site: () => 'none',
  person: ({ records }) => sql`site._id in (select held.site from site_person as held where held.person = any(${records}::text[]))`,
  charter: ({ records }) => sql`site.charter = any(${records}::text[])`,
  brand: ({ records }) => sql`site.charter in (select under._id from charter as under where under.brand = any(${records}::text[]))`,
  region: ({ records }) => sql`site.region = any(${records}::text[])`,
}

/** A query that only makes statements and asks nothing. */
const unasked = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const WANTED = 'what the address says'
const wanted = sql`${WANTED}::text`
const prepared = sql`
  select to_json(row)::text as json
  from (${siteList(unasked).where(
    'site._id',
    '=',
    sql<string>`(
      select _id from (
        select _id, 0 as rank from site where _id = ${wanted}
        union all select _id, 1 from site where lower(slug) = lower(${wanted})
        union all select record, 2 from former_slug where "table" = 'site' and slug = lower(${wanted})
      ) as named order by rank limit 1)`,
  )}) as row`.compile(unasked)

/**
 * The statement for one site as the text of its JSON, by `_id`, slug or former slug (D3). It is the most asked of all: one statement under
 * a name, so that PostgreSQL plans it once a connection.
 */
export const siteStatement = (idOrSlug: string): { name: string; text: string; values: unknown[] } => ({
  name: 'site-by-slug',
  text: prepared.sql,
  values: prepared.parameters.map((value) => (value === WANTED ? idOrSlug : value)),
})

/** One site with everything its pages show, as the text of its JSON; throws 404. */
export const siteText = async (pool: Pool, idOrSlug: string): Promise<string> => {
  const { rows } = await pool.query<{ json: string }>(siteStatement(idOrSlug))
  const site = rows[0]
  if (!site) throw notFound('Location')
  return site.json
}
