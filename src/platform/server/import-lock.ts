import { sql } from 'kysely'

import type { Db, Tx } from '../../database/connection.server.ts'
import { LOCKS } from '../../database/locks.ts'
import { getErrorCode } from './error-code.ts'

/** Errors if someone saved one of the same records, or took a slug, during the import: unique, exclusion, serialization, deadlock. */
const RETRYABLE_CODES = new Set(['23505', '23P01', '40001', '40P01'])
const MAX_ATTEMPTS = 5

/** Runs one import at a time, in a transaction with a single snapshot; concurrent saves make it start again. */
export const withImportLock = <T>(
  db: Db,
  { onWaiting }: { onWaiting: () => void },
  work: (tx: Tx, isFirst: boolean) => Promise<T>,
): Promise<T> =>
  db.connection().execute(async (connection) => {
    // The lock ends with the connection, even if this process is killed.
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${LOCKS.directoryImport}) as got`.execute(connection)
    if (rows[0]?.got !== true) {
      onWaiting()
      await sql`select pg_advisory_lock(${LOCKS.directoryImport})`.execute(connection)
    }
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await connection
            .transaction()
            .setIsolationLevel('repeatable read')
            .execute((tx) => work(tx, attempt === 1))
        } catch (error) {
          if (!RETRYABLE_CODES.has(getErrorCode(error)) || attempt >= MAX_ATTEMPTS) throw error
        }
      }
    } finally {
      await sql`select pg_advisory_unlock(${LOCKS.directoryImport})`.execute(connection).catch(() => {})
    }
  })
