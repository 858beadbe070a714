import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

import { sql } from 'kysely'

import type { Db } from './connection.server.ts'
import { LOCKS } from './locks.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** The migrations of this version, in their order. */
export const ownMigrations = async (): Promise<string[]> => (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted()

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
        throw new NewerDatabase(`The database belongs to a newer version of Homeroom (it has ${unknown.at(-1)?.name}); start that version`)
      }
      const done = new Set(rows.map((row) => row.name))
      const missing = (only?.toSorted() ?? ours).filter((file) => !done.has(file))
      for (const file of missing) {
        const text = await readFile(new URL(file, FOLDER), 'utf8')
        await connection.transaction().execute(async (tx) => {
          await sql.raw(text).execute(tx)
          await sql`insert into migration (name, digest) values (${file}, ${createHash('sha256').update(text).digest('hex')})`.execute(tx)
        })
      }
      return missing
    } finally {
      await sql`select pg_advisory_unlock(${LOCKS.migration})`.execute(connection)
    }
  })
