import { sql } from 'kysely'

import type { Db, Tx } from '../database/connection.server.ts'
import { listAppliedMigrationNames } from '../database/migrate.server.ts'
import { type BackupLine, writeBackupFile } from './backup-file.server.ts'
import { type BackedUpTable, listBackupTables } from './tables.server.ts'

const BATCH = 1000
/** Each row of these contains a file. */
const LARGE_TABLES = new Set(['picture', 'picture_size'])
const LARGE_BATCH = 4

async function* readRows(tx: Tx, { table, columns }: BackedUpTable): AsyncGenerator<string> {
  const chosen = sql.join(columns.map((column) => sql.ref(column)))
  await sql`declare backup no scroll cursor for select row_to_json(whole_row)::text as row from (select ${chosen} from ${sql.table(table)}) as whole_row`.execute(
    tx,
  )
  const batch = sql.lit(LARGE_TABLES.has(table) ? LARGE_BATCH : BATCH)
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${batch} from backup`.execute(tx)
    if (rows.length === 0) break
    for (const { row } of rows) yield row
  }
  await sql`close backup`.execute(tx)
}

async function* readBackupLines(tx: Tx, count: (table: string) => void): AsyncGenerator<BackupLine> {
  yield { head: { madeAt: new Date().toISOString(), migrations: await listAppliedMigrationNames(tx) } }
  for (const table of await listBackupTables(tx)) {
    yield { table: table.table, columns: [...table.columns] }
    for await (const row of readRows(tx, table)) {
      count(table.table)
      yield { row }
    }
  }
}

/**
 * Writes the whole network into one file: records, histories, pictures, requests, mails, permissions. Uses one snapshot of the database, so that it
 * is consistent while others continue writing. Returns the number of rows per table.
 */
export const createBackup = (db: Db, path: string, passphrase?: string): Promise<ReadonlyMap<string, number>> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Makes moments and numbers independent of the session's settings.
      await sql`set local time zone 'UTC'; set local extra_float_digits = 3; set local datestyle = 'ISO'`.execute(tx)
      const counts = new Map<string, number>()
      await writeBackupFile(
        path,
        readBackupLines(tx, (table) => counts.set(table, (counts.get(table) ?? 0) + 1)),
        passphrase,
      )
      return counts
    })
