import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

import { sql } from 'kysely'

import type { Db } from './connection.server.ts'
import { LOCKS } from './locks.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** The migrations of this version, in their order. */
export const ownMigrations = async (): Promise<string[]> => (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted()

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A migration as a database remembers it. */
export interface Applied {
  readonly name: string
  readonly digest: string
}

/** Applied migrations whose files say something else by now: such a database is not the one this version was made for. */
export const changedSince = async (applied: readonly Applied[], folder: URL = FOLDER): Promise<string[]> => {
  const changed = await Promise.all(
    applied.map(async ({ name, digest }) => {
      const text = await readFile(new URL(name, folder), 'utf8').catch(() => undefined)
      // One that is missing is told as such.
      return text === undefined || digestOf(text) === digest || digestOf(text.replaceAll('\r\n', '\n')) === digest ? [] : [name]
    }),
  )
  return changed.flat()
}

/** What to do about them, for a start and for the doctor. */
export const changedInWords = (names: readonly string[]): string =>
  `The tables were made by other files than this version has (${names.join(', ')} changed since); back it up with "homeroom backup FILE" and restore that into an empty database, or start the version the tables are of`

/** Whether a migration that is not among ours comes after all of them; one in between was taken away. */
export const unknownInWords = (name: string, ours: readonly string[]): string =>
  name > (ours.at(-1) ?? '')
    ? `belongs to a newer version of Homeroom (it has ${name}); start that version`
    : `has gone through a migration whose file is missing here (${name}); install this version anew, or start the one the tables are of`

/** The migrations a database has gone through; none where it is empty. */
export const appliedMigrations = async (db: Db): Promise<Applied[]> => {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('migration') is not null as there`.execute(db)
  if (rows[0]?.there !== true) return []
  return (await sql<Applied>`select name, digest from migration order by name`.execute(db)).rows
}

/** A database that a newer version of ours has been at: this version must not touch it. */
export class NewerDatabase extends Error {}

/**
 * Applies what is missing of `migrations/`, in order, each in its own transaction, under an advisory lock. Answers what it applied. With `only`,
 * no others than these; where they are more than we have, they are of a newer version.
 */
export const migrate = async (db: Db, only?: readonly string[]): Promise<string[]> =>
  db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${LOCKS.migration})`.execute(connection)
    try {
      await sql`create table if not exists migration (name text primary key, digest text not null, at timestamptz not null default now())`.execute(
        connection,
      )
      const ours = await ownMigrations()
      const newer = only?.find((file) => !ours.includes(file))
      if (newer !== undefined)
        throw new NewerDatabase(`The backup belongs to a newer version of Homeroom (it has ${newer}); use that version`)
      const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(connection)
      const unknown = rows.filter((row) => !ours.includes(row.name))
      if (unknown.length > 0) {
        throw new NewerDatabase(`The database ${unknownInWords(unknown.at(-1)?.name ?? '', ours)}`)
      }
      const done = new Set(rows.map((row) => row.name))
      const missing = (only?.toSorted() ?? ours).filter((file) => !done.has(file))
      for (const file of missing) {
        const text = await readFile(new URL(file, FOLDER), 'utf8')
        await connection.transaction().execute(async (tx) => {
          await sql.raw(text).execute(tx)
          await sql`insert into migration (name, digest) values (${file}, ${digestOf(text)})`.execute(tx)
        })
      }
      return missing
    } finally {
      await sql`select pg_advisory_unlock(${LOCKS.migration})`.execute(connection)
    }
  })
