import { sql } from 'kysely'

import type { Db, Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'

/** Someone saved one of the same records, or took a slug, while an import ran: unique, exclusion, serialization, deadlock. */
const RETRYABLE_CODES = new Set(['23505', '23P01', '40001', '40P01'])
const MAX_ATTEMPTS = 5

/** One import at a time, each in one transaction that sees one moment; what is saved in the meantime makes it begin again. */
export const withImportLock = <T>(
  db: Db,
  { onWaiting }: { onWaiting: () => void },
  work: (tx: Tx, isFirst: boolean) => Promise<T>,
): Promise<T> =>
  db.connection().execute(async (connection) => {
    // The lock ends with the connection, whatever happens to this process.
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${LOCKS.directoryImport}) as got`.execute(connection)
    if (rows[0]?.got !== true) {
      onWaiting()
      await sql`select pg_advisory_lock(${LOCKS.directoryImport})`.execute(connection)
    }
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await connection
            .transaction()
            .setIsolationLevel('repeatable read')
            .execute((tx) => work(tx, tries === 1))
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? String(error.code) : ''
          if (!RETRYABLE_CODES.has(code) || tries >= MAX_ATTEMPTS) throw error
        }
      }
    } finally {
      await sql`select pg_advisory_unlock(${LOCKS.directoryImport})`.execute(connection).catch(() => {})
    }
  })
