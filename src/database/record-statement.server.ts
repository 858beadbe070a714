import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type SelectQueryBuilder, sql } from 'kysely'
import type { Pool } from 'pg'

import { notFound } from '../contract/problem.ts'
import { normalizeSlug } from '../contract/slugs.ts'
import type { Db } from './connection.server.ts'
import { type AddressableTable, RECORD_NAMES } from './record-lookup.server.ts'
import type { Database } from './schema.ts'

/** A database that only makes statements and asks nothing. */
const compileOnlyDb: Db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const ID_PLACEHOLDER = 'what the address says'
const idParameter = sql`${ID_PLACEHOLDER}::text`
const SLUG_PLACEHOLDER = 'the same as a slug'
const slugParameter = sql`${SLUG_PLACEHOLDER}::text`

/** How one record is read: what it is, and a statement that is made once and planned once a connection. */
export interface RecordStatement {
  readonly table: AddressableTable
  readonly bind: (idOrSlug: string) => { name: string; text: string; values: unknown[] }
}

/**
 * The statement for one record as the text of its JSON, by `_id`, slug or former slug. `rows` are all of them, of which one is taken; `name` is
 * what PostgreSQL keeps the plan under. For what is asked for all the time: making and planning such a query takes longer than running it.
 */
export const createRecordStatement = <O>(
  table: AddressableTable,
  name: string,
  // oxlint-disable-next-line no-explicit-any -- which other tables it reads does not matter here
  rows: (db: Db) => SelectQueryBuilder<any, any, O>,
): RecordStatement => {
  const { sql: text, parameters } = sql`
    select to_json(row)::text as json
    from (${rows(compileOnlyDb).where(
      sql<boolean>`${sql.ref(`${table}._id`)} = (
        select _id from (
          select _id, 0 as rank from ${sql.table(table)} where _id = ${idParameter}
          union all select _id, 1 from ${sql.table(table)} where lower(slug) = lower(${slugParameter})
          union all select record, 2 from former_slug where "table" = ${sql.lit(table)} and slug = lower(${slugParameter})
        ) as named order by rank limit 1)`,
    )}) as row`.compile(compileOnlyDb)
  return {
    table,
    bind: (idOrSlug) => {
      const slug = normalizeSlug(idOrSlug)
      return {
        name,
        text,
        values: parameters.map((value) => (value === ID_PLACEHOLDER ? idOrSlug : value === SLUG_PLACEHOLDER ? slug : value)),
      }
    },
  }
}

/** One record as the text of its JSON; throws 404. */
export const readRecordJson = async (pool: Pool, statement: RecordStatement, idOrSlug: string): Promise<string> => {
  const { rows } = await pool.query<{ json: string }>(statement.bind(idOrSlug))
  const record = rows[0]
  if (!record) throw notFound(RECORD_NAMES[statement.table])
  return record.json
}
