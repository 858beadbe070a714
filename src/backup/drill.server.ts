import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Db } from '../database/connection.server.ts'
import { type Configuration, toOwnerConfiguration } from '../platform/server/configuration.ts'
import { type OpenedDatabase, openConfiguredDatabase } from '../platform/server/database.ts'
import { getErrorReason, StartupError } from '../platform/server/startup-errors.ts'
import { InvalidBackup, readBackupFile } from './backup-file.server.ts'
import { restore } from './restore.server.ts'

const silent = (): void => {}
const open = (configuration: Configuration): Promise<OpenedDatabase> =>
  openConfiguredDatabase(configuration, 'guest', silent, { isUpToDate: false })

/** Runs with a new database on the server of DATABASE_URL, which is dropped afterward. */
const withNewDatabase = async <T>(configuration: Configuration, run: (scratch: Configuration) => Promise<T>): Promise<T> => {
  const name = `homeroom_drill_${randomBytes(6).toString('hex')}`
  const { db, stop } = await open(configuration)
  try {
    try {
      await sql`create database ${sql.id(name)} encoding 'UTF8' template template0`.execute(db)
    } catch (error) {
      throw new StartupError(
        `No database can be made for the drill: ${getErrorReason(error)}; let an administrator run "alter role … createdb" for the role of OWNER_DATABASE_URL (or DATABASE_URL)`,
      )
    }
    try {
      const databaseUrl = configuration.databaseUrl?.replace(/^(\w+:\/\/[^/?]*)\/?[^?]*/, `$1/${name}`)
      return await run({ ...configuration, databaseUrl })
    } finally {
      await sql`drop database ${sql.id(name)} with (force)`.execute(db)
    }
  } finally {
    await stop()
  }
}

/** Runs with a private database in a new folder, which is removed afterward. */
const withNewFolder = async <T>(configuration: Configuration, run: (scratch: Configuration) => Promise<T>): Promise<T> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'homeroom-drill-'))
  try {
    return await run({ ...configuration, dataDir })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const countRows = async (db: Db, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return rows[0]?.count ?? 0
}

const countBackupRows = async (path: string, passphrase: string | undefined): Promise<Map<string, number>> => {
  const counts = new Map<string, number>()
  let table = ''
  for await (const line of readBackupFile(path, passphrase)) {
    if ('table' in line) counts.set((table = line.table), 0)
    else if ('row' in line) counts.set(table, (counts.get(table) ?? 0) + 1)
  }
  return counts
}

/** Tables that a restore changes on purpose: calendar feeds, device passwords and SCIM tokens are revoked, and the restore is added to the audit trail. */
const CHANGED_BY_RESTORE = new Set([
  'calendar',
  'device',
  'assistant_client',
  'assistant_grant',
  'address_book',
  'address_book_member',
  'scim_token',
  'audit_event',
])

/** Restores a backup into a temporary database, compares the rows of each table with the file, and removes the database. */
export const runRestoreDrill = async (configuration: Configuration, path: string): Promise<{ rows: number; tables: number }> => {
  const owner = toOwnerConfiguration(configuration)
  const passphrase = configuration.backupPassphrase
  const withTemporaryDatabase = owner.databaseUrl === undefined ? withNewFolder : withNewDatabase
  return withTemporaryDatabase(owner, async (scratch) => {
    await restore(() => open(scratch), path, passphrase)
    const expected = await countBackupRows(path, passphrase)
    const { db, stop } = await open(scratch)
    try {
      for (const [table, count] of expected) {
        const found = await countRows(db, table)
        if (found !== count && !CHANGED_BY_RESTORE.has(table))
          throw new InvalidBackup(`${table} has ${count} rows in the backup and ${found} restored`)
      }
    } finally {
      await stop()
    }
    return { rows: [...expected.values()].reduce((sum, count) => sum + count, 0), tables: expected.size }
  })
}
