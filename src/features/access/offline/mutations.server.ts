import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'

/** Notes that the browser of a session holds a copy of the directory. Its level is that of the first download, so that a change of level ends it. */
export const markCopied = async (db: Queryable, session: string, accessLevel: number, isFirst: boolean): Promise<void> => {
  await db
    .updateTable('session')
    .set({
      copiedAt: sql<Date>`now()`,
      copiedLevel: isFirst ? accessLevel : sql<number>`coalesce("copiedLevel", ${accessLevel})`,
    })
    .where('_id', '=', session)
    .execute()
}

/** False if the session held no copy. */
export const unmarkCopied = async (db: Queryable, session: string): Promise<boolean> => {
  const ended = await db
    .updateTable('session')
    .set({ copiedAt: null, copiedLevel: null })
    .where('_id', '=', session)
    .where('copiedAt', 'is not', null)
    .returning('_id')
    .executeTakeFirst()
  return ended !== undefined
}
