import { type RawBuilder, sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'

/** A column that may hold what people wrote. */
export interface TextColumn {
  readonly column: string
  readonly sqlType: string
  readonly form: 'text' | 'json' | 'list'
  readonly isNullable: boolean
}
export interface TextTable {
  readonly table: string
  /** All columns, by which it is known what else the table has. */
  readonly columns: ReadonlySet<string>
  readonly texts: readonly TextColumn[]
}

/** The texts of pending erasures, and the names of migrations: nothing is looked for there. */
const UNSEARCHED_TABLES = ['erasure_pending', 'migration']

/** Every table with every column of text or JSON, from the catalog of the database, so that a new table cannot be forgotten. */
export const listTextTables = async (db: Queryable): Promise<TextTable[]> => {
  const { rows } = await sql<{ table: string; columns: string[]; texts: TextColumn[] }>`
    select c.relname as table, json_agg(a.attname) as columns,
      coalesce(json_agg(json_build_object('column', a.attname, 'sqlType', format_type(a.atttypid, a.atttypmod), 'isNullable', not a.attnotnull,
        'form', case when t.typcategory = 'A' then 'list' when b.typname in ('json', 'jsonb') then 'json' else 'text' end) order by a.attnum)
        filter (where b.typname in ('text', 'varchar', 'bpchar', 'json', 'jsonb') and a.attgenerated = ''), '[]') as texts
    from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type as t on t.oid = a.atttypid
    join pg_type as b on b.oid = coalesce(nullif(t.typbasetype, 0), nullif(t.typelem, 0), t.oid)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${UNSEARCHED_TABLES})
    group by c.relname order by c.relname`.execute(db)
  return rows.map(({ table, columns, texts }) => ({ table, columns: new Set(columns), texts })).filter(({ texts }) => texts.length > 0)
}

/** Selects the rows in which one of some parts of texts is found, in lower case. */
export const hasPart = ({ texts }: TextTable, parts: readonly string[]): RawBuilder<boolean> => {
  const patterns = parts.map((part) => `%${part.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`)
  const all = sql.join(texts.map(({ column }) => sql`${sql.ref(column)}::text`))
  return sql<boolean>`lower(concat_ws(' ', ${all})) like any(${patterns}::text[])`
}
