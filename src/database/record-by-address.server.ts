import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type SelectQueryBuilder, sql } from 'kysely'
import type { Pool } from 'pg'

import { notFound } from '../platform/contract/problem.ts'
import { normalizeSlug } from '../platform/contract/slugs.ts'
import type { Db } from './connection.server.ts'
import { type Named, NAMES } from './lookup.server.ts'
import type { Database } from './schema.ts'

/** A database that only makes statements and asks nothing. */
const unasked: Db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const WANTED = 'what the address says'
const wanted = sql`${WANTED}::text`
const WANTED_SLUG = 'the same as a slug'
const wantedSlug = sql`${WANTED_SLUG}::text`

/** How one record is read: what it is, and a statement that is made once and planned once a connection. */
export interface RecordStatement {
  readonly table: Named
  readonly for: (idOrSlug: string) => { name: string; text: string; values: unknown[] }
}

/**
 * The statement for one record as the text of its JSON, by `_id`, slug or former slug (D3). `rows` are all of them, of which one is taken; `name` is
 * what PostgreSQL keeps the plan under. For what is asked for all the time: making and planning such a query takes longer than running it.
 */
export const recordStatement = <O>(
  table: Named,
  name: string,
  // oxlint-disable-next-line no-explicit-any -- which other tables it reads does not matter here
  rows: (db: Db) => SelectQueryBuilder<any, any, O>,
): RecordStatement => {
  const { sql: text, parameters } = sql`
    select to_json(row)::text as json
    from (${rows(unasked).where(
      sql<boolean>`${sql.ref(`${table}._id`)} = (
        select _id from (
          select _id, 0 as rank from ${sql.table(table)} where _id = ${wanted}
          union all select _id, 1 from ${sql.table(table)} where lower(slug) = lower(${wantedSlug})
          union all select record, 2 from former_slug where "table" = ${sql.lit(table)} and slug = lower(${wantedSlug})
        ) as named order by rank limit 1)`,
    )}) as row`.compile(unasked)
  return {
    table,
    for: (idOrSlug) => {
      const slug = normalizeSlug(idOrSlug)
      return { name, text, values: parameters.map((value) => (value === WANTED ? idOrSlug : value === WANTED_SLUG ? slug : value)) }
    },
  }
}

/** One record as the text of its JSON; throws 404. */
export const recordText = async (pool: Pool, statement: RecordStatement, idOrSlug: string): Promise<string> => {
  const { rows } = await pool.query<{ json: string }>(statement.for(idOrSlug))
  const record = rows[0]
  if (!record) throw notFound(NAMES[statement.table])
  return record.json
}
