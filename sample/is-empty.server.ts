import { sql } from 'kysely'

import type { Queryable } from '../src/database/connection.server.ts'

/** True where there is nothing yet that a sample network could get in the way of. */
export const isEmpty = async (db: Queryable): Promise<boolean> => {
  const { rows } = await sql<{
    used: boolean
  }>`select exists (select from brand) or exists (select from charter) or exists (select from site) as used`.execute(db)
  return rows[0]?.used === false
}
