import { sql } from 'kysely'

import type { Queryable } from '../database/connection.server.ts'

/** Short-lived rows that a restore does not need or a backup must not have, and `migration`, whose content is in the head. */
const EXCLUDED_TABLES = ['sign_in', 'ticket', 'assistant_token', 'erasure_pending', 'migration']

/** A table with its columns, except generated ones. */
export interface BackedUpTable {
  readonly table: string
  readonly columns: readonly string[]
}

/** The tables of a backup, each after those it references. */
export const listBackupTables = async (db: Queryable): Promise<BackedUpTable[]> => {
  const { rows } = await sql<BackedUpTable & { after: string[] }>`
    select c.relname as table,
      (select json_agg(a.attname order by a.attnum) from pg_attribute as a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select json_agg(distinct f.confrelid::regclass::text) from pg_constraint as f
       where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid), '[]') as after
    from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${EXCLUDED_TABLES})
    order by c.relname`.execute(db)
  const listed = new Set<string>()
  const inOrder: BackedUpTable[] = []
  while (inOrder.length < rows.length) {
    const next = rows.filter(({ table, after }) => !listed.has(table) && after.every((other) => listed.has(other)))
    if (next.length === 0) throw new Error('Tables point at each other in a circle')
    for (const { table, columns } of next) {
      listed.add(table)
      inOrder.push({ table, columns })
    }
  }
  return inOrder
}
