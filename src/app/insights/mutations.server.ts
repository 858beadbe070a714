import { notFound, Problem } from '../../contract/problem.ts'
import type { Queryable, Tx } from '../../database/connection.server.ts'
import { type KeptInsight, MAX_KEPT_INSIGHTS } from './contract.ts'
import { listKept } from './kept.server.ts'

/** Adds an insight to a place of an account, once. */
export const insertKept = async (tx: Tx, account: string, { place, name, filter }: Omit<KeptInsight, '_id'>): Promise<KeptInsight> => {
  // Two calls at once cannot exceed the limit.
  await tx.selectFrom('account').select('_id').where('_id', '=', account).forUpdate().execute()
  const kept = await tx
    .insertInto('kept_insight')
    .values({ account, place, name, filter: JSON.stringify(filter) })
    .onConflict((conflict) => conflict.columns(['account', 'place', 'name', 'filter']).doUpdateSet({ name }))
    .returning(['_id', 'place', 'name', 'filter'])
    .executeTakeFirstOrThrow()
  const all = (await listKept(tx, account)).filter((one) => one.place === place)
  if (all.length > MAX_KEPT_INSIGHTS) throw new Problem(409, `You already have ${MAX_KEPT_INSIGHTS} insights there. Remove one first`)
  return kept
}

export const deleteKept = async (db: Queryable, account: string, _id: string): Promise<void> => {
  const deleted = await db
    .deleteFrom('kept_insight')
    .where('_id', '=', _id)
    .where('account', '=', account)
    .returning('_id')
    .executeTakeFirst()
  if (!deleted) throw notFound('Insight')
}
