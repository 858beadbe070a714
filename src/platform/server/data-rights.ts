import { sql } from 'kysely'

import type { Db } from '../../database/connection.server.ts'
import type { Configuration } from './configuration.ts'
import { getUser } from './credentials.ts'
import { StartupError } from './startup-errors.ts'

/** Grants a role the rights that the server needs, also on tables created later, so that a running server can use them immediately. */
const grantDataRights = async (db: Db, name: string): Promise<void> => {
  const { rows } = await sql<{ exists: boolean }>`select exists (select from pg_roles where rolname = ${name})`.execute(db)
  if (rows[0]?.exists !== true)
    throw new StartupError(`There is no role "${name}", which DATABASE_URL names; make it with "createuser --pwprompt ${name}"`)
  const role = sql.id(name)
  await db.transaction().execute(async (tx) => {
    for (const statement of [
      sql`grant usage on schema public to ${role}`,
      sql`grant select, insert, update, delete on all tables in schema public to ${role}`,
      sql`grant usage, select on all sequences in schema public to ${role}`,
      // Only the owner writes the list of applied migrations.
      sql`revoke insert, update, delete on table migration from ${role}`,
      sql`alter default privileges in schema public grant select, insert, update, delete on tables to ${role}`,
      sql`alter default privileges in schema public grant usage, select on sequences to ${role}`,
    ])
      await statement.execute(tx)
  })
}

/** If the role in DATABASE_URL does not own the tables, grants it its rights and returns its name. */
export const grantServerRole = async (db: Db, { databaseUrl }: Configuration): Promise<string | undefined> => {
  const name = getUser(databaseUrl ?? '')
  const { rows } = await sql<{ name: string }>`select current_user as name`.execute(db)
  if (name === undefined || name === rows[0]?.name) return undefined
  await grantDataRights(db, name)
  return name
}
