import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'

/** False if the account has no active session with this id. */
export const endSessionOfAccount = async (db: Queryable, account: string, _id: string, endedBy: string): Promise<boolean> => {
  const ended = await db
    .updateTable('session')
    .set({ endedAt: sql<Date>`now()`, idToken: null, endedBy })
    .where('_id', '=', _id)
    .where('account', '=', account)
    .where('endedAt', 'is', null)
    .returning('_id')
    .executeTakeFirst()
  return ended !== undefined
}

export interface EndedToken {
  readonly _id: string
  readonly name: string
  readonly accessLevel: number
}

/** Ends one active API token of an account, or all, and returns them. */
export const endTokensOfAccount = (db: Queryable, account: string, endedBy: string, only?: string): Promise<EndedToken[]> =>
  db
    .updateTable('api_token')
    .set({ endedAt: sql<Date>`now()`, endedBy })
    .where('account', '=', account)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .$if(only !== undefined, (query) => query.where('_id', '=', only ?? ''))
    .returning(['_id', 'name', 'accessLevel'])
    .execute()
