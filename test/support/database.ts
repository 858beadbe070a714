import { join } from 'node:path'

import { sql } from 'kysely'
import type pg from 'pg'

import { type Db, openDatabase, type Queryable } from '../../src/database/connection.server.ts'
import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { createDataFolder, removeFolder } from './temporary-folder.ts'

/** A private PostgreSQL in a temporary folder, until it is stopped. */
export interface TestDatabase extends AsyncDisposable {
  readonly connection: pg.PoolConfig
  /** The value of DATABASE_URL. */
  readonly url: string
  readonly stop: () => Promise<void>
}

export const startDatabase = async ({ durable = false } = {}): Promise<TestDatabase> => {
  const folder = await createDataFolder()
  const database = await startPrivateDatabase({ dataDir: join(folder, 'data'), as: 'guest', writeLine: () => {}, durable })
  const { host = '', port, user = '', database: name = '' } = database.connection
  const stop = async (): Promise<void> => {
    await database.stop()
    await removeFolder(folder)
  }
  return {
    connection: database.connection,
    url: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The same server, with another database. */
export const onDatabase = (server: pg.PoolConfig, database: string): pg.PoolConfig => {
  if (server.connectionString === undefined) return { ...server, database }
  const url = new URL(server.connectionString)
  url.pathname = `/${database}`
  return { ...server, connectionString: url.href }
}

/** Runs work on a database, with connections that are closed afterward. */
export const withConnection = async <T>(connection: pg.PoolConfig, work: (db: Db) => Promise<T>): Promise<T> => {
  const { db, pool } = openDatabase(connection, 2)
  try {
    return await work(db)
  } finally {
    await pool.end()
  }
}

/** Runs work on the private database of a data folder, which is started if it does not run. */
export const withPrivateDatabase = async <T>(
  dataDir: string,
  work: (db: Db, connection: pg.PoolConfig) => Promise<T>,
  { durable = false } = {},
): Promise<T> => {
  const { connection, stop } = await startPrivateDatabase({ dataDir, as: 'guest', writeLine: () => {}, durable })
  return withConnection(connection, (db) => work(db, connection)).finally(stop)
}

/** The number of the last change in the history. */
export const getLastChange = async (db: Queryable): Promise<number> =>
  (await sql<{ last: number }>`select coalesce(max(_id), 0)::int as last from change`.execute(db)).rows[0]?.last ?? 0

/** The number of rows of a table. */
export const countRows = async (db: Queryable, table: string): Promise<number> =>
  (await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(db)).rows[0]?.count ?? 0
