import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'

import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
/** What a query takes: the database, or a transaction on it. */
export type Queryable = Db | Tx

/** PostgreSQL's type number of `date[]`, which `pg` has no name for. */
const DATE_ARRAY_OID: number = 1182

// A calendar day and a big number stay what they are on the wire; a `Date` would shift a day by the time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, String)
pg.types.setTypeParser(DATE_ARRAY_OID, (value) => (value === '{}' ? [] : value.slice(1, -1).split(',')))
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const SETTINGS_TIMEOUT_MS = 10_000

/** A connection works without its settings too, so that only a broken one is an error. The pool waits for this. */
const applySettings = (client: pg.ClientBase, settings: string): Promise<unknown> =>
  client.query({ text: settings, query_timeout: SETTINGS_TIMEOUT_MS } as pg.QueryConfig).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError && error.code !== undefined)) throw error
  })

/** Opens a pool. `url` is a `postgres://` address, or `{host, user, database}` for a Unix socket. */
export const openDatabase = (connection: pg.PoolConfig, size = 10, statementTimeout?: string): { db: Db; pool: pg.Pool } => {
  // Compiling a query takes PostgreSQL longer than ours run. The read model compares moments as text, so that they are of one time zone.
  const settings = `set jit = off; set time zone 'UTC'${statementTimeout === undefined ? '' : `; set statement_timeout = '${statementTimeout}'`}`
  const pool = new pg.Pool({
    max: size,
    onConnect: (client): unknown => applySettings(client, settings),
    ...connection,
  })
  pool.on('error', () => {}) // an idle connection that breaks is replaced by the pool; the next query says what is wrong
  pool.on('connect', (client) => {
    client.on('error', () => {}) // one that breaks in a transaction: its queries say so, and no one else listens
    client.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') failConnection(client)
    })
  })
  return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), pool }
}

/**
 * PostgreSQL says that a commit did not wait for its standby, since it took too long or someone ended the wait: it is written, but would not
 * outlive this primary, and so is not to be reported as saved. The query that waits for it fails as if the connection were gone.
 */
const failConnection = (client: pg.PoolClient): void =>
  void client.connection.emit('error', new Error('Connection terminated: the standby has not confirmed what was written'))

/** Who changes something, and why: read by the change trigger. */
export interface Actor {
  account: string | null
  name: string
  request?: string | undefined
  /** The version the edit was based on. */
  basedOn?: number | undefined
  /** When it happened, where that is not now (a sample network's past). */
  at?: Date | undefined
}

/** A query that sets who acts for the change trigger, for the rest of the transaction it is in. */
export const actorSettings = (actor: Actor): RawBuilder<unknown> => sql`
  select set_config('homeroom.actor', ${actor.account ?? ''}, true),
         set_config('homeroom.actor_name', ${actor.name}, true),
         set_config('homeroom.request', ${actor.request ?? ''}, true),
         set_config('homeroom.based_on', ${actor.basedOn === undefined ? '' : String(actor.basedOn)}, true),
         set_config('homeroom.at', ${actor.at === undefined ? '' : actor.at.toISOString()}, true)`

/** Sets who acts for the change trigger, for the rest of this transaction. */
export const setActor = async (tx: Tx, actor: Actor): Promise<void> => {
  await actorSettings(actor).execute(tx)
}

/** What this transaction has changed so far: the lines that the change trigger will send. */
export const readChangedRecords = async (tx: Tx): Promise<string[]> => {
  const { rows } = await sql<{ touched: string | null }>`select current_setting('homeroom.changed_records', true) as touched`.execute(tx)
  return (rows[0]?.touched ?? '').split('\n').filter(Boolean)
}
