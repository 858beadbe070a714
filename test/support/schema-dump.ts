import { sql } from 'kysely'

import type { Queryable } from '../../src/database/connection.server.ts'

/** The schema of a database, one line per object: columns, constraints, indexes, triggers, functions, types. Equal schemas have equal lines. */
export const dumpSchema = async (db: Queryable): Promise<string[]> => {
  const { rows } = await sql<{ line: string }>`
    with ours as (
      select c.oid, c.relname as name, c.relkind from pg_class as c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'S', 'p'))
    select format('%s %s.%s %s %s %s %s', ours.relkind, ours.name, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attcollation::regcollation)
      || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '') as line
    from ours join pg_attribute as a on a.attrelid = ours.oid left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped
    union all select format('constraint %s %s %s', ours.name, c.conname, pg_get_constraintdef(c.oid)) from ours join pg_constraint as c on c.conrelid = ours.oid
    union all select pg_get_indexdef(i.indexrelid) from ours join pg_index as i on i.indrelid = ours.oid
    union all select pg_get_triggerdef(t.oid) from ours join pg_trigger as t on t.tgrelid = ours.oid where not t.tgisinternal
    union all select pg_get_functiondef(p.oid) from pg_proc as p
      where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p') and not exists (select from pg_depend as d where d.objid = p.oid and d.deptype = 'e')
    union all select format('type %s %s %s', t.typname, t.typtype, pg_get_constraintdef(c.oid)) from pg_type as t left join pg_constraint as c on c.contypid = t.oid
      where t.typnamespace = 'public'::regnamespace and t.typtype in ('d', 'e')
    union all select format('text search %s', cfgname) from pg_ts_config where cfgnamespace = 'public'::regnamespace
    union all select format('extension %s', extname) from pg_extension where extname <> 'plpgsql'
    order by 1`.execute(db)
  return rows.map(({ line }) => line)
}

/** Sequence numbers and times of the migration itself differ each time. */
const VOLATILE_COLUMNS: Readonly<Record<string, string>> = { migration: '{at}' }

/** Queues that a running server processes within a second, so their contents do not matter. */
const QUEUES = ['deadline_pending']

/** The contents of each table, as a hash. */
export const digestTables = async (db: Queryable): Promise<Record<string, string>> => {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all(${QUEUES}) order by 1`.execute(
    db,
  )
  const contents: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ all: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(row, e'\n' order by row)), '') as all
      from (select (to_jsonb(t) - ${VOLATILE_COLUMNS[name] ?? '{}'}::text[])::text as row from ${sql.table(name)} as t) as rows`.execute(db)
    contents[name] = rows[0]?.all ?? ''
  }
  return contents
}

/** The differences between two databases, as text. */
export const listDifferences = <T extends string | Record<string, string>>(
  what: string,
  is: readonly string[] | T,
  wanted: readonly string[] | T,
): string[] => {
  const [a, b] = [linesOf(is), linesOf(wanted)]
  return [
    ...[...a].filter((line) => !b.has(line)).map((line) => `${what}, only here: ${line}`),
    ...[...b].filter((line) => !a.has(line)).map((line) => `${what}, missing here: ${line}`),
  ]
}
const linesOf = (value: readonly string[] | string | Record<string, string>): ReadonlySet<string> =>
  new Set(Array.isArray(value) ? (value as string[]) : Object.entries(value).map(([name, text]) => `${name} ${text}`))
