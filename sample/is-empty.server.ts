import { sql } from 'kysely'

import type { Queryable } from '../src/database/connection.server.ts'

/** Whether the database is empty, so that a sample network does not replace anything: it has no record, and no one has begun to set it up. */
export const isDatabaseEmpty = async (db: Queryable): Promise<boolean> => {
  const { rows } = await sql<{
    used: boolean
  }>`select exists (select from brand) or exists (select from charter) or exists (select from site)
    or exists (select from setting) or exists (select from setup_state) as used`.execute(db)
  return rows[0]?.used === false
}
