import { sql } from 'kysely'

import { notFound } from '../platform/contract/problem.ts'
import { isId } from '../platform/contract/slugs.ts'
import type { Queryable } from './connection.server.ts'

const NAMES = { region: 'Region', brand: 'Brand', charter: 'Charter', site: 'Location', person: 'Person' } as const

/** The `_id` of what an address parameter names: an `_id`, a slug (ignoring case) or a slug it once had (D3). Throws 404. */
export const idOf = async (db: Queryable, table: keyof typeof NAMES, idOrSlug: string): Promise<string> => {
  const byId = isId(idOrSlug) ? sql`union all select _id, 0 from ${sql.table(table)} where _id = ${idOrSlug}` : sql``
  const { rows } = await sql<{ _id: string }>`
    select _id, 1 as rank from ${sql.table(table)} where lower(slug) = lower(${idOrSlug}) ${byId}
    union all select record, 2 from former_slug where "table" = ${table} and slug = lower(${idOrSlug})
    order by rank limit 1`.execute(db)
  const found = rows[0]
  if (!found) throw notFound(NAMES[table])
  return found._id
}
