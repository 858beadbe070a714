import type { Queryable } from '../../../database/connection.server.ts'

export const saveSeenVersion = async (db: Queryable, account: string, version: string): Promise<void> => {
  await db.updateTable('account').set({ newsSeen: version }).where('_id', '=', account).execute()
}
