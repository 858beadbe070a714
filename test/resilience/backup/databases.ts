import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import pg from 'pg'

import type { Db } from '../../../src/database/connection.server.ts'
import { onDatabase, withConnection, withPrivateDatabase } from '../../support/database.ts'
import { findSystemPostgres, startOtherPostgres } from '../../support/other-postgres.ts'
import { type RunningProgram, startProgram } from '../../support/server-process.ts'

export const PRIVATE = 'private database'
export const POSTGRES = 'PostgreSQL'
export type DatabaseKind = typeof PRIVATE | typeof POSTGRES

/** A target for a network, empty until something is restored into it or a server starts on it. */
export interface TargetDatabase {
  readonly kind: DatabaseKind
  /** The settings for the server and the commands. */
  readonly settings: Readonly<Record<string, string>> & { readonly DATA_DIR: string }
  /** Files or database objects created in it; empty if none. */
  readonly traces: () => Promise<string[]>
  /** Runs work on its database with all rights. */
  readonly withDatabase: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

/** The kinds of targets available on this machine, and functions to create them. */
export interface TargetDatabases extends AsyncDisposable {
  readonly kinds: readonly DatabaseKind[]
  /** The version of the system's PostgreSQL. */
  readonly version: number | undefined
  readonly create: (kind: DatabaseKind) => Promise<TargetDatabase>
}

const OWNER = 'network'

/**
 * New targets under `folder`. The databases on the system's PostgreSQL belong to a role without other rights, and every second one uses an English
 * collation instead of byte order.
 */
export const openTargetDatabases = async (folder: string): Promise<TargetDatabases> => {
  const postgres = findSystemPostgres()
  const server = postgres && (await startOtherPostgres(postgres))
  let created = 0
  const administer = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client(server?.url)
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const inPrivate = (dataDir: string): TargetDatabase => ({
    kind: PRIVATE,
    settings: { DATA_DIR: dataDir },
    traces: () => readdir(dataDir).catch(() => []),
    withDatabase: (work) => withPrivateDatabase(dataDir, work),
  })
  const inPostgres = async (dataDir: string, name: string, url: string): Promise<TargetDatabase> => {
    const sorting = created % 2 === 0 ? '' : ` template template0 locale_provider icu icu_locale 'en-US'`
    await administer(`create database ${name} owner ${OWNER}${sorting}`)
    const connection = onDatabase({ connectionString: url }, name)
    const address = new URL(connection.connectionString ?? '')
    address.username = OWNER
    address.password = OWNER
    return {
      kind: POSTGRES,
      settings: { DATA_DIR: dataDir, DATABASE_URL: address.href },
      traces: async () => [...(await readdir(dataDir).catch(() => [])), ...(await withConnection(connection, listObjects))],
      withDatabase: (work) => withConnection(connection, work),
    }
  }
  if (server) await administer(`create role ${OWNER} login password '${OWNER}'`)
  return {
    kinds: server ? [PRIVATE, POSTGRES] : [PRIVATE],
    version: server?.version,
    create: async (kind) => {
      created++
      const dataDir = join(folder, `target-${created}`)
      return kind === PRIVATE || !server ? inPrivate(dataDir) : inPostgres(dataDir, `target_${created}`, server.url)
    },
    [Symbol.asyncDispose]: async () => server?.stop(),
  }
}

/** Tables, functions, schemas and extensions that a new database does not have. */
const listObjects = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
    union all select proname from pg_proc where pronamespace = 'public'::regnamespace
    union all select nspname from pg_namespace where nspname !~ '^(pg_|information_schema|public$)'
    union all select extname from pg_extension where extname <> 'plpgsql'`.execute(db)
  return rows.map(({ name }) => name)
}

/** `homeroom backup` or `homeroom restore`. */
export const startCommand = (command: 'backup' | 'restore', file: string, settings: Readonly<Record<string, string>>): RunningProgram =>
  startProgram(process.execPath, ['scripts/homeroom.mjs', command, file], settings)

export interface CommandResult {
  readonly code: number | null
  readonly printed: string
  readonly ms: number
}
export const runCommand = async (
  command: 'backup' | 'restore',
  file: string,
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult> => {
  const from = performance.now()
  const program = startCommand(command, file, settings)
  const { code } = await program.ended
  return { code, printed: program.output().trim(), ms: performance.now() - from }
}

/** The same, but throws unless it succeeds. */
export const runCommandOrThrow = async (...command: Parameters<typeof runCommand>): Promise<CommandResult> => {
  const ended = await runCommand(...command)
  if (ended.code !== 0) throw new Error(`homeroom ${command[0]} ended with ${ended.code}: ${ended.printed}`)
  return ended
}
