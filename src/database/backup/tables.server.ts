import { sql } from 'kysely'

import type { Queryable } from '../connection.server.ts'

/** What is made from other tables, or lives for minutes: a restore makes it anew or does without. `migration` is the head's. */
const LEFT_OUT = ['search_doc', 'search_number', 'search_typo', 'search_word', 'search_place', 'nickname', 'sign_in', 'ticket', 'migration']

/** A table with its columns, but for those the database fills in itself. */
export interface Table {
  readonly table: string
  readonly columns: readonly string[]
}

/** The tables of a backup, each after those it points at. */
export const tablesIn = async (db: Queryable): Promise<Table[]> => {
  const { rows } = await sql<Table & { after: string[] }>`
    select c.relname as table,
      (select json_agg(a.attname order by a.attnum) from pg_attribute as a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select json_agg(distinct f.confrelid::regclass::text) from pg_constraint as f
       where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid), '[]') as after
    from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${LEFT_OUT})
    order by c.relname`.execute(db)
  const placed = new Set<string>()
  const inOrder: Table[] = []
  while (inOrder.length < rows.length) {
    const next = rows.filter(({ table, after }) => !placed.has(table) && after.every((other) => placed.has(other)))
    if (next.length === 0) throw new Error('Tables point at each other in a circle')
    for (const { table, columns } of next) {
      placed.add(table)
      inOrder.push({ table, columns })
    }
  }
  return inOrder
}
