import type { Queryable } from '../../database/connection.server.ts'
import type { KeptInsight } from './contract.ts'

/** The insights that an account keeps, in the order in which they were added. */
export const listKept = (db: Queryable, account: string): Promise<KeptInsight[]> =>
  db
    .selectFrom('kept_insight')
    .select(['_id', 'place', 'name', 'filter'])
    .where('account', '=', account)
    .orderBy('createdAt')
    .orderBy('_id')
    .execute()
