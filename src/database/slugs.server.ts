import { sql } from 'kysely'

import type { RecordKind } from '../contract/records.ts'
import { findFreeSlug, toSlug } from '../contract/slugs.ts'
import type { Tx } from './connection.server.ts'

type Named = Exclude<RecordKind, 'region'>

/** Prevents concurrent creation of slugs for the same table until the transaction ends. */
const lockSlugs = (tx: Tx, table: Named) => sql`select pg_advisory_xact_lock(hashtext(${`homeroom ${table} slug`}))`.execute(tx)

/** A slug for a name that is neither the current or former slug of any record nor an `_id`, since URLs accept those too. */
export const createSlug = async (tx: Tx, table: Named, name: string): Promise<string> => {
  await lockSlugs(tx, table)
  const { rows } = await sql<{ slug: string }>`
    select lower(slug) as slug from ${sql.table(table)} where starts_with(lower(slug), ${toSlug(name)})
    union select lower(_id) from ${sql.table(table)} where starts_with(lower(_id), ${toSlug(name)})
    union select slug from former_slug where "table" = ${table}`.execute(tx)
  return findFreeSlug(name, new Set(rows.map(({ slug }) => slug)))
}

/** Whether another record has or had a slug, case-insensitive. */
export const isSlugTaken = async (tx: Tx, table: Named, slug: string, own: string | null): Promise<boolean> => {
  await lockSlugs(tx, table)
  const { rows } = await sql`
    select from ${sql.table(table)} where (lower(slug) = lower(${slug}) or _id = ${slug}) and _id is distinct from ${own}::text
    union all select from former_slug where "table" = ${table} and slug = lower(${slug}) and record is distinct from ${own}::text`.execute(
    tx,
  )
  return rows.length > 0
}

/** Keeps a replaced slug working. */
export const saveFormerSlug = async (tx: Tx, table: Named, record: string, before: string, now: string): Promise<void> => {
  await sql`delete from former_slug where "table" = ${table} and slug = lower(${now}) and record = ${record}::text`.execute(tx)
  await sql`insert into former_slug ("table", slug, record) values (${table}, lower(${before}), ${record}::text) on conflict do nothing`.execute(
    tx,
  )
}
