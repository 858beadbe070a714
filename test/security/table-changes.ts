import { sql } from 'kysely'

import type { AppContext } from '../../src/platform/server/app-context.ts'

/** Every table of the program, quoted. */
export const listTables = async ({ db }: Pick<AppContext, 'db'>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Columns about the use of a session or token, which do not reflect a call's effect. */
const NOTES_OF_USE = `- 'usedAt' - 'address'`

/** Returns a function that lists the tables with other rows than at its last call, before which it lists all. Every row of every table is compared. */
export const createChangeFinder = async (context: Pick<AppContext, 'db' | 'pool'>): Promise<() => Promise<string[]>> => {
  const digests = (await listTables(context)).map((name) => {
    const row = /\.(session|api_token)$/.test(name) ? `(to_jsonb(t) ${NOTES_OF_USE})::text` : 't::text'
    // A sum needs no sorting, which took most of the time.
    return `select '${name}' as name, concat_ws(' ', count(*), sum(hashtextextended(${row}, 0))) as digest from ${name} t`
  })
  // Prepared, since planning it takes as long as running it.
  const query = { name: 'digest of all tables', text: digests.join(' union all ') }
  let before = new Map<string, string>()
  return async () => {
    const { rows } = await context.pool.query<{ name: string; digest: string }>(query)
    const changed = rows.filter(({ name, digest }) => before.get(name) !== digest)
    before = new Map(rows.map(({ name, digest }) => [name, digest]))
    return changed.map(({ name }) => name)
  }
}
