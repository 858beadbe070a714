import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import pg from 'pg'

import { type Db, openDatabase } from '../../database/connection.server.ts'
import {
  describeChangedMigrations,
  findChangedMigrations,
  findSchemaOwnerError,
  IncompatibleDatabase,
  listAppliedMigrations,
  listPendingMigrations,
  migrate,
} from '../../database/migrate.server.ts'
import type { Configuration } from './configuration.ts'
import { parseHosts } from './database-address.ts'
import { ReadOnlyError, DatabaseHosts, getRefusal } from './database-hosts.ts'
import { getErrorCode } from './error-code.ts'
import { startPrivateDatabase } from './private-database.ts'
import { StartupError } from './startup-errors.ts'

/** An open database, migrated and ready. */
export interface OpenedDatabase {
  readonly db: Db
  readonly pool: pg.Pool
  readonly connection: DatabaseAddress
  /** Closes the connections, and stops the private database unless another process uses it. */
  readonly stop: () => Promise<void>
}

/** How to connect to a database. If it has several hosts, `hosts` is set and `Client` connects to the one that accepts writes. */
export type DatabaseAddress = pg.PoolConfig & { readonly hosts?: DatabaseHosts }

const MIN_POSTGRES_VERSION = 15
/** How long startup waits for one of several hosts to accept writes: about as long as a promotion takes. */
const WRITER_WAIT_MS = 10_000
/**
 * The longest statement of a server on several hosts, including a save's wait for the standby: callers get an error instead of waiting for a standby
 * that is gone.
 */
const MAX_STATEMENT_MS = '30s'

/** Runs a command with the configured database, and closes it whatever happens. */
export const withConfiguredDatabase = async <Result>(
  configuration: Configuration,
  writeLine: (line: string) => void,
  run: (database: OpenedDatabase) => Promise<Result>,
  options: { isUpToDate?: boolean } = {},
): Promise<Result> => {
  const database = await openConfiguredDatabase(configuration, 'guest', writeLine, options)
  try {
    return await run(database)
  } finally {
    await database.stop()
  }
}

/** Opens the configured database (the private one without DATABASE_URL) and, unless `isUpToDate` is false, migrates it; errors are one line. */
export const openConfiguredDatabase = async (
  configuration: Configuration,
  as: 'server' | 'guest',
  writeLine: (line: string) => void,
  { isUpToDate = true }: { isUpToDate?: boolean } = {},
): Promise<OpenedDatabase> => {
  const { databaseUrl, dataDir } = configuration
  const own = databaseUrl === undefined ? await startPrivateDatabase({ dataDir, as, writeLine }) : undefined
  const connection: DatabaseAddress = own?.connection ?? toConnectionConfig(databaseUrl ?? '')
  const poolConfig = { ...connection, connectionTimeoutMillis: 10_000 }
  try {
    if (databaseUrl !== undefined) await checkReachable(connection, databaseUrl)
    await prepare(openDatabase(poolConfig, 2), isUpToDate, (message) => {
      // In production a backup must be restored; in development a changed, unreleased migration does not prevent startup.
      if (configuration.isProduction && as === 'server') throw new StartupError(message)
      writeLine(`Warning: ${message}`)
    })
    const { db, pool } = openDatabase(poolConfig, 10, as === 'server' && connection.hosts ? MAX_STATEMENT_MS : undefined)
    return {
      db,
      pool,
      connection,
      stop: async () => {
        // Running queries get two seconds before their connections are closed. The timer does not keep a command's process alive.
        await Promise.race([pool.end(), pause(2000, undefined, { ref: false })])
        await own?.stop()
      },
    }
  } catch (error) {
    await own?.stop()
    throw error
  }
}

const prepare = async (
  { db, pool }: ReturnType<typeof openDatabase>,
  isUpToDate: boolean,
  onChanged: (message: string) => void,
): Promise<void> => {
  try {
    await checkVersion(db)
    const changed = await findChangedMigrations(await listAppliedMigrations(db))
    if (changed.length > 0) onChanged(describeChangedMigrations(changed))
    if (isUpToDate)
      await bringUpToDate(db).catch((error: unknown) => {
        throw toMigrationError(error)
      })
  } finally {
    await pool.end()
  }
}

/** With a role that has only the server's rights, "homeroom migrate" applies the migrations. */
const bringUpToDate = async (db: Db): Promise<void> => {
  const pending = await listPendingMigrations(db)
  if (pending.length === 0) return
  const ownerError = await findSchemaOwnerError(db)
  if (ownerError !== undefined)
    throw new StartupError(
      `The tables lack ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`} (${pending.join(', ')}). ${ownerError}; run "homeroom migrate" with the role that owns them in OWNER_DATABASE_URL, then start again`,
    )
  await migrate(db)
}

const toConnectionConfig = (databaseUrl: string): DatabaseAddress => {
  const common = { application_name: 'homeroom', keepAlive: true }
  const list = parseHosts(databaseUrl)
  if (!list) return { connectionString: databaseUrl, ...common }
  const one = { connectionString: list.first, ...common }
  const hosts = new DatabaseHosts(list.hosts, one)
  return { ...one, hosts, Client: hosts.Client }
}

/** The target of DATABASE_URL, without its password. */
const describeDatabase = (databaseUrl: string): string => {
  const { hostname, port, pathname } = new URL(databaseUrl.replace('@/', '@localhost/'))
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}

/** Waits briefly for a host that accepts writes: a server may be started during a failover. */
const checkHosts = async (hosts: DatabaseHosts): Promise<void> => {
  for (const until = Date.now() + WRITER_WAIT_MS; ; await pause(500)) {
    try {
      await hosts.find()
      return
    } catch (error) {
      if (error instanceof ReadOnlyError && !error.isRefused && Date.now() < until) continue
      throw new StartupError(`None of the hosts of DATABASE_URL accepts writes (${getRefusal(error)})`)
    }
  }
}

const checkReachable = async (connection: DatabaseAddress, databaseUrl: string): Promise<void> => {
  if (connection.hosts) return checkHosts(connection.hosts)
  let name: string
  let client: pg.Client
  try {
    name = describeDatabase(databaseUrl)
    client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  } catch {
    throw invalidUrlError()
  }
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new StartupError(`The database of DATABASE_URL (${name}) cannot be used: ${getRefusal(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}

const invalidUrlError = (): StartupError =>
  new StartupError('DATABASE_URL is not a valid PostgreSQL URL. Example: postgres://user:password@host:5432/database')

/** Names may contain any letter, and the search compares individual letters, so the database must use UTF8. */
export const formatEncodingError = (encoding: string): string =>
  `keeps its text as ${encoding}, and Homeroom needs UTF8; make another one with "createdb --encoding UTF8 --template template0"`

const checkVersion = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`.execute(db)
  const { version = 0, encoding = 'UTF8' } = rows[0] ?? {}
  if (version < MIN_POSTGRES_VERSION * 10_000) {
    throw new StartupError(`The database is PostgreSQL ${Math.floor(version / 10_000)}; Homeroom needs ${MIN_POSTGRES_VERSION} or newer`)
  }
  if (encoding !== 'UTF8') throw new StartupError(`The database of DATABASE_URL ${formatEncodingError(encoding)}`)
}

/** Converts the error of a failed migration to a message for the operator. */
export const toMigrationError = (error: unknown): Error => {
  if (error instanceof StartupError) return error
  if (error instanceof IncompatibleDatabase) return new StartupError(error.message)
  if (!(error instanceof Error)) return new Error(String(error))
  const code = getErrorCode(error)
  if (code === '42501' && /extension/i.test(error.message)) {
    return new StartupError(
      'The user of DATABASE_URL may not create the extensions pg_trgm and unaccent; let an administrator run "create extension pg_trgm; create extension unaccent;" in that database',
    )
  }
  if (code === '42501') return new StartupError(`The user of DATABASE_URL may not make tables in that database (${error.message})`)
  if (code === '0A000' || code === '58P01')
    return new StartupError(
      `The database lacks the extensions pg_trgm and unaccent (${error.message}); install PostgreSQL’s contrib package there`,
    )
  return new StartupError(
    `The database of DATABASE_URL cannot be brought up to date (${error.message}); give Homeroom a database of its own`,
  )
}
