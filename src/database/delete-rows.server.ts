import { type RawBuilder, sql } from 'kysely'

import type { Queryable } from './connection.server.ts'

const BATCH_SIZE = 5000

/** Deletes all but the latest rows of a table with sequential numbers in `_id`. */
export const deleteAllButLatest = (db: Queryable, table: string, most: number): Promise<number> =>
  deleteInBatches(db, table, sql<boolean>`_id <= (select _id from ${sql.table(table)} order by _id desc offset ${most} limit 1)`)

/** Deletes rows in small batches, so that a large deletion does not block other queries. Returns the number of deleted rows. */
export const deleteInBatches = async (
  db: Queryable,
  table: string,
  isExpired: RawBuilder<boolean>,
  batchSize: number = BATCH_SIZE,
): Promise<number> => {
  for (let deletedCount = 0; ;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)} where ${isExpired} limit ${batchSize}))`.execute(
      db,
    )
    deletedCount += Number(numAffectedRows)
    if (numAffectedRows < BigInt(batchSize)) return deletedCount
  }
}
