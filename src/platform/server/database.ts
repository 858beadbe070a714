import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import pg from 'pg'

import { type Db, openDatabase } from '../../database/connection.server.ts'
import { migrate, NewerDatabase } from '../../database/migrate.server.ts'
import type { Configuration } from './configuration.ts'
import { startPrivateDatabase } from './private-database.ts'
import { CannotStart, reasonOf } from './starting.ts'

/** The database a process works with, up to date and ready. */
export interface OpenedDatabase {
  readonly db: Db
  readonly pool: pg.Pool
  readonly connection: pg.PoolConfig
  /** Closes the connections and, where nobody else uses it, stops the private database. */
  readonly stop: () => Promise<void>
}

const OLDEST = 15

/**
 * Opens the database of the configuration (the private one without DATABASE_URL) and, unless `isUpToDate` is false, brings it up to date; what is
 * wrong is said in one line.
 */
export const openConfiguredDatabase = async (
  configuration: Configuration,
  as: 'server' | 'guest',
  say: (line: string) => void,
  { isUpToDate = true }: { isUpToDate?: boolean } = {},
): Promise<OpenedDatabase> => {
  const { databaseUrl, dataDir } = configuration
  const own = databaseUrl === undefined ? await startPrivateDatabase({ dataDir, as, say }) : undefined
  const connection: pg.PoolConfig = own?.connection ?? { connectionString: databaseUrl, application_name: 'homeroom', keepAlive: true }
  try {
    if (databaseUrl !== undefined) await checkReachable(connection, databaseUrl)
    const { db, pool } = openDatabase({ ...connection, connectionTimeoutMillis: 10_000 })
    try {
      await checkAge(db)
      if (isUpToDate)
        await migrate(db).catch((error: unknown) => {
          throw cannotMigrate(error)
        })
    } catch (error) {
      await pool.end()
      throw error
    }
    return {
      db,
      pool,
      connection,
      stop: async () => {
        // A query under way gets a moment; then its connection is cut, by the database's end or by our own.
        await Promise.race([pool.end(), pause(2000)])
        await own?.stop()
      },
    }
  } catch (error) {
    await own?.stop()
    throw error
  }
}

/** Where DATABASE_URL leads, without its password. */
const nameOf = (databaseUrl: string): string => {
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}

const checkReachable = async (connection: pg.PoolConfig, databaseUrl: string): Promise<void> => {
  let name: string
  let client: pg.Client
  try {
    name = nameOf(databaseUrl)
    client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  } catch {
    throw new CannotStart('DATABASE_URL is no address of a PostgreSQL; it reads like postgres://user:password@host:5432/database')
  }
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new CannotStart(`The database of DATABASE_URL (${name}) cannot be used: ${refusalOf(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Why a database does not take us, in plain words. */
export const refusalOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  if (code === '28P01' || code === '28000') return 'it refuses the user or the password'
  if (code === '3D000') return 'there is no database of that name on that server'
  if (/timeout/i.test(error.message)) return 'it does not answer in time'
  return reasonOf(error)
}

const checkAge = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(db)
  const version = rows[0]?.version ?? 0
  if (version < OLDEST * 10_000) {
    throw new CannotStart(`The database is PostgreSQL ${Math.floor(version / 10_000)}; Homeroom needs ${OLDEST} or newer`)
  }
}

const cannotMigrate = (error: unknown): Error => {
  if (error instanceof NewerDatabase) return new CannotStart(error.message)
  if (!(error instanceof Error)) return new Error(String(error))
  const code = 'code' in error ? String(error.code) : ''
  if (code === '42501' && /extension/i.test(error.message)) {
    return new CannotStart(
      'The user of DATABASE_URL may not create the extensions pg_trgm and unaccent; let an administrator run "create extension pg_trgm; create extension unaccent;" in that database',
    )
  }
  if (code === '42501') return new CannotStart(`The user of DATABASE_URL may not make tables in that database (${error.message})`)
  if (code === '0A000' || code === '58P01')
    return new CannotStart(
      `The database lacks the extensions pg_trgm and unaccent (${error.message}); install PostgreSQL’s contrib package there`,
    )
  return new CannotStart(
    `The database of DATABASE_URL cannot be brought up to date (${error.message}); give Homeroom a database of its own`,
  )
}
