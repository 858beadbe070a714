import { sql } from 'kysely'

import { notFound } from '../contract/problem.ts'
import { normalizeSlug, isId } from '../contract/slugs.ts'
import type { Queryable } from './connection.server.ts'

export const RECORD_NAMES = { region: 'Region', brand: 'Brand', charter: 'Charter', site: 'Site', person: 'Person' } as const
/** Records that have an address of their own. */
export type AddressableTable = keyof typeof RECORD_NAMES

/** Whether a record is there that another one points at. */
export const exists = async (db: Queryable, table: 'brand' | 'charter' | 'region' | 'picture', _id: string): Promise<boolean> => {
  if (table !== 'picture' && !isId(_id)) return false
  const { rows } = await sql`select from ${sql.table(table)} where _id = ${_id}`.execute(db)
  return rows.length > 0
}

/** The `_id` of what an address parameter names: an `_id`, a slug (ignoring case) or a slug it once had. Throws 404. */
export const findRecordId = async (db: Queryable, table: AddressableTable, idOrSlug: string): Promise<string> => {
  const byId = isId(idOrSlug) ? sql`union all select _id, 0 from ${sql.table(table)} where _id = ${idOrSlug}` : sql``
  const slug = normalizeSlug(idOrSlug)
  const { rows } = await sql<{ _id: string }>`
    select _id, 1 as rank from ${sql.table(table)} where lower(slug) = lower(${slug}) ${byId}
    union all select record, 2 from former_slug where "table" = ${table} and slug = lower(${slug})
    order by rank limit 1`.execute(db)
  const found = rows[0]
  if (!found) throw notFound(RECORD_NAMES[table])
  return found._id
}
