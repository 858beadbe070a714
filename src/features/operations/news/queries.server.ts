import type { Queryable } from '../../../database/connection.server.ts'

/** The version whose news an account has closed. */
export const findSeenVersion = async (db: Queryable, account: string): Promise<string | null> => {
  const row = await db.selectFrom('account').select('newsSeen').where('_id', '=', account).executeTakeFirst()
  return row?.newsSeen ?? null
}
