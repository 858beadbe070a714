import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Db } from '../../../src/database/connection.server.ts'
import { onDatabase, withConnection, withPrivateDatabase } from '../../support/database.ts'
import { findSystemPostgres, startOtherPostgres } from '../../support/other-postgres.ts'
import type { Proof } from '../../support/proof.ts'
import { type RunningProgram, startProgram } from '../../support/server-process.ts'
import type { NetworkUnderLoad } from '../../support/writers/network-under-load.ts'

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
export type TargetDatabases = Awaited<ReturnType<typeof openTargetDatabases>>

/** A network under load whose backups are checked. */
export interface BackupRun {
  readonly proof: Proof
  readonly targets: TargetDatabases
  readonly network: NetworkUnderLoad
  /** Its database. */
  readonly source: TargetDatabase
  /** How the names of its backups begin. */
  readonly files: string
  /** The backup of the network at rest. */
  readonly atRest: string
}

const OWNER = 'network'

/**
 * New targets under `folder`. The databases on the system's PostgreSQL belong to a role without other rights, and every second one uses an English
 * collation instead of byte order.
 */
export const openTargetDatabases = async (folder: string) => {
  const postgres = findSystemPostgres()
  const server = postgres && (await startOtherPostgres(postgres))
  await server?.query(`create role ${OWNER} login password '${OWNER}'`)
  let created = 0
  const create = async (kind: DatabaseKind): Promise<TargetDatabase> => {
    const name = `target_${++created}`
    const dataDir = join(folder, name)
    const listFiles = (): Promise<string[]> => readdir(dataDir).catch(() => [])
    if (kind === PRIVATE || !server)
      return {
        kind: PRIVATE,
        settings: { DATA_DIR: dataDir },
        traces: listFiles,
        withDatabase: (work) => withPrivateDatabase(dataDir, work),
      }
    const sorting = created % 2 === 0 ? '' : ` template template0 locale_provider icu icu_locale 'en-US'`
    await server.query(`create database ${name} owner ${OWNER}${sorting}`)
    const connection = onDatabase({ connectionString: server.url }, name)
    const address = Object.assign(new URL(server.url), { username: OWNER, password: OWNER, pathname: name })
    return {
      kind,
      settings: { DATA_DIR: dataDir, DATABASE_URL: address.href },
      traces: async () => [...(await listFiles()), ...(await withConnection(connection, listObjects))],
      withDatabase: (work) => withConnection(connection, work),
    }
  }
  const kinds: readonly DatabaseKind[] = server ? [PRIVATE, POSTGRES] : [PRIVATE]
  return { kinds, version: server?.version, create, [Symbol.asyncDispose]: async () => server?.stop() }
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

type Settings = Readonly<Record<string, string>>

/** `homeroom backup` or `homeroom restore`. */
export const startCommand = (command: 'backup' | 'restore', file: string, settings: Settings): RunningProgram =>
  startProgram(process.execPath, ['scripts/homeroom.mjs', command, file], settings)

/** Runs a command to its end. */
export const runCommand = async (command: 'backup' | 'restore', file: string, settings: Settings) => {
  const from = performance.now()
  const program = startCommand(command, file, settings)
  const { code } = await program.ended
  return { code, printed: program.output().trim(), ms: performance.now() - from }
}

/** The same, but throws unless it succeeds; returns the milliseconds it took. */
export const runCommandOrThrow = async (...command: Parameters<typeof runCommand>): Promise<number> => {
  const { code, printed, ms } = await runCommand(...command)
  if (code !== 0) throw new Error(`homeroom ${command[0]} ended with ${code}: ${printed}`)
  return ms
}
