import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'

import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
/** What a query takes: the database, or a transaction on it. */
export type Queryable = Db | Tx

/** PostgreSQL's number for `date[]`, which `pg` has no name for. */
const DATES: number = 1182

// A calendar day and a big number stay what they are on the wire; a `Date` would shift a day by the time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, String)
pg.types.setTypeParser(DATES, (value) => (value === '{}' ? [] : value.slice(1, -1).split(',')))
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Opens a pool. `url` is a `postgres://` address, or `{host, user, database}` for a Unix socket. */
export const openDatabase = (connection: pg.PoolConfig, size = 10): { db: Db; pool: pg.Pool } => {
  const pool = new pg.Pool({
    max: size,
    // Compiling a query takes PostgreSQL longer than ours run; a connection that does not take it is none the worse. The pool waits for this.
    onConnect: (client): unknown => client.query('set jit = off').catch(() => {}),
    ...connection,
  })
  pool.on('error', () => {}) // an idle connection that breaks is replaced by the pool; the next query says what is wrong
  pool.on('connect', (client) => void client.on('error', () => {})) // and so does one that breaks between two queries of a transaction
  return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), pool }
}

/** Who changes something, and why: read by the change trigger (architecture, Database). */
export interface Actor {
  account: string | null
  name: string
  request?: string | undefined
  /** The version the edit was based on (D6). */
  basedOn?: number | undefined
  /** When it happened, where that is not now (a sample network's past). */
  at?: Date | undefined
}

/** Tells the change trigger who acts, for the rest of this transaction. */
export const setActor = async (tx: Tx, actor: Actor): Promise<void> => {
  await sql`select set_config('homeroom.actor', ${actor.account ?? ''}, true),
                   set_config('homeroom.actor_name', ${actor.name}, true),
                   set_config('homeroom.request', ${actor.request ?? ''}, true),
                   set_config('homeroom.based_on', ${actor.basedOn === undefined ? '' : String(actor.basedOn)}, true),
                   set_config('homeroom.at', ${actor.at === undefined ? '' : actor.at.toISOString()}, true)`.execute(tx)
}

/** The tables this transaction has changed so far, as the change trigger noted them. */
export const touchedTables = async (tx: Tx): Promise<string[]> => {
  const { rows } = await sql<{ touched: string | null }>`select current_setting('homeroom.touched', true) as touched`.execute(tx)
  return (rows[0]?.touched ?? '').split(' ').filter(Boolean)
}
