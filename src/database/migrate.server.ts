import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

import { sql } from 'kysely'

import type { Db, Queryable } from './connection.server.ts'
import { LOCKS } from './locks.ts'

const MIGRATIONS_FOLDER = new URL('./migrations/', import.meta.url)

/** The file names of this version's migrations, in order. */
export const listMigrations = async (): Promise<string[]> =>
  (await readdir(MIGRATIONS_FOLDER)).filter((file) => file.endsWith('.sql')).toSorted()

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A row of the table `migration`. */
export interface AppliedMigration {
  readonly name: string
  /** SHA-256 of the file when it was applied. */
  readonly digest: string
}

/** Applied migrations whose files have changed since; the database is then incompatible with this version. */
export const findChangedMigrations = async (applied: readonly AppliedMigration[], folder: URL = MIGRATIONS_FOLDER): Promise<string[]> => {
  const changed = await Promise.all(
    applied.map(async ({ name, digest }) => {
      const text = await readFile(new URL(name, folder), 'utf8').catch(() => undefined)
      // A missing file is reported by describeUnknownMigration.
      return text === undefined || hash(text) === digest || hash(text.replaceAll('\r\n', '\n')) === digest ? [] : [name]
    }),
  )
  return changed.flat()
}

/** What to do about changed migrations, for startup and the doctor. */
export const describeChangedMigrations = (names: readonly string[]): string =>
  `The database was created by other migration files than this version has (${names.join(', ')} changed since). Back it up with "homeroom backup FILE" and restore that into an empty database, or start the version that created it`

/** What is wrong with a database or backup that has migrations unknown to this version, and what to do; undefined if it has none. */
export const describeUnknownMigration = (applied: readonly string[], own: readonly string[]): string | undefined => {
  const unknown = applied.findLast((name) => !own.includes(name))
  if (unknown === undefined) return undefined
  if (!applied.includes(own[0] ?? ''))
    return `was created by a development version before the first release (it has ${unknown}) and cannot be brought up to date; use that version, or begin with an empty database (another DATA_DIR or DATABASE_URL)`
  return unknown > (own.at(-1) ?? '')
    ? `belongs to a newer version of Homeroom (it has ${unknown}); start that version`
    : `has a migration whose file is missing in this version (${unknown}); reinstall this version, or start the version that applied it`
}

/** The applied migrations of a database, in order; empty for an empty database. */
export const listAppliedMigrations = async (db: Queryable): Promise<AppliedMigration[]> => {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('migration') is not null as exists`.execute(db)
  if (rows[0]?.exists !== true) return []
  return (await sql<AppliedMigration>`select name, digest from migration order by name`.execute(db)).rows
}

export const listAppliedMigrationNames = async (db: Queryable): Promise<string[]> =>
  (await listAppliedMigrations(db)).map(({ name }) => name)

/** The pending migrations of a database; throws if it has some that are unknown to this version. */
export const listPendingMigrations = async (db: Queryable): Promise<string[]> => {
  const own = await listMigrations()
  const applied = await listAppliedMigrationNames(db)
  const unknown = describeUnknownMigration(applied, own)
  if (unknown !== undefined) throw new IncompatibleDatabase(`The database ${unknown}`)
  return own.filter((name) => !applied.includes(name))
}

/** Why a role cannot change the tables; undefined if it can, as their owner or a member of that role. */
export const findSchemaOwnerError = async (db: Queryable): Promise<string | undefined> => {
  const { rows } = await sql<{ role: string; mayChange: boolean }>`
    select current_user as role, has_schema_privilege('public', 'create')
      and coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('migration')), true) as "mayChange"`.execute(
    db,
  )
  return rows[0]?.mayChange === false ? `The database role "${rows[0].role}" may not change the tables` : undefined
}

/** A database or backup with migrations unknown to this version, which must not touch it. */
export class IncompatibleDatabase extends Error {}

/**
 * Applies the pending migrations in order, each in its own transaction, under an advisory lock. Returns the applied ones. `only` limits them to the
 * migrations of a backup.
 */
export const migrate = async (db: Db, only?: readonly string[]): Promise<string[]> =>
  db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${LOCKS.migration})`.execute(connection)
    try {
      await sql`create table if not exists migration (name text primary key, digest text not null, at timestamptz not null default now())`.execute(
        connection,
      )
      const own = await listMigrations()
      const unknownInBackup = describeUnknownMigration(only?.toSorted() ?? [], own)
      if (unknownInBackup !== undefined) throw new IncompatibleDatabase(`The backup ${unknownInBackup}`)
      const applied = await listAppliedMigrationNames(connection)
      const unknown = describeUnknownMigration(applied, own)
      if (unknown !== undefined) throw new IncompatibleDatabase(`The database ${unknown}`)
      const missing = (only?.toSorted() ?? own).filter((file) => !applied.includes(file))
      for (const file of missing) {
        const text = await readFile(new URL(file, MIGRATIONS_FOLDER), 'utf8')
        await connection.transaction().execute(async (tx) => {
          await sql.raw(text).execute(tx)
          await sql`insert into migration (name, digest) values (${file}, ${hash(text)})`.execute(tx)
        })
      }
      return missing
    } finally {
      await sql`select pg_advisory_unlock(${LOCKS.migration})`.execute(connection)
    }
  })
