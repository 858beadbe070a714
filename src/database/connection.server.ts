import { type Compilable, Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'

import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
/** The database or a transaction. */
export type Queryable = Db | Tx

/** PostgreSQL's OID of `date[]`, for which `pg` has no name. */
const DATE_ARRAY_OID: number = 1182

// Days and bigints stay text; a `Date` would shift a day by the time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, String)
pg.types.setTypeParser(DATE_ARRAY_OID, (value) => (value === '{}' ? [] : value.slice(1, -1).split(',')))
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const SETTINGS_TIMEOUT_MS = 10_000

/** Only connection errors are reported, since a connection works without its settings too. The pool waits for this. */
const applySettings = (client: pg.ClientBase, settings: string): Promise<unknown> =>
  client.query({ text: settings, query_timeout: SETTINGS_TIMEOUT_MS } as pg.QueryConfig).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError && error.code !== undefined)) throw error
  })

/** Opens a pool. `url` is a `postgres://` URL, or `{host, user, database}` for a Unix socket. */
export const openDatabase = (connection: pg.PoolConfig, size = 10, statementTimeout?: string): { db: Db; pool: pg.Pool } => {
  // JIT compilation takes PostgreSQL longer than our queries run. The read model compares moments as text, so they need one time zone.
  const settings = `set jit = off; set time zone 'UTC'${statementTimeout === undefined ? '' : `; set statement_timeout = '${statementTimeout}'`}`
  const pool = new pg.Pool({
    max: size,
    onConnect: (client): unknown => applySettings(client, settings),
    ...connection,
  })
  pool.on('error', () => {}) // the pool replaces an idle connection that breaks; the next query reports the error
  pool.on('connect', (client) => {
    client.on('error', () => {}) // if it breaks within a transaction, its queries report the error
    client.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') failConnection(client)
    })
  })
  return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), pool }
}

/**
 * PostgreSQL reports with this notice that a commit did not wait for its standby, because of a timeout or cancellation. The commit is written, but
 * would not survive the loss of this primary, so it must not be reported as saved: the query fails as if the connection were lost.
 */
const failConnection = (client: pg.PoolClient): void =>
  void client.connection.emit('error', new Error('Connection terminated: the standby has not confirmed what was written'))

/** Who makes a change, and why: read by the triggers `set_version`, `set_check` and `record_history`. */
export interface Actor {
  account: string | null
  name: string
  request?: string | undefined
  /** The version that the edit was based on. */
  basedOn?: number | undefined
  /** Whether all of the form was seen: the change is then a check of the record. */
  isSeen?: boolean | undefined
  /** When it happened, if not now (history of the sample network). */
  at?: Date | undefined
}

const ACTOR_SETTINGS = ['actor', 'actor_name', 'request', 'based_on', 'seen', 'at'] as const

/** The values of these settings, in their order. */
export const getActorValues = ({ account, name, request, basedOn, isSeen, at }: Actor): string[] => [
  account ?? '',
  name,
  request ?? '',
  basedOn === undefined ? '' : String(basedOn),
  isSeen ? 'yes' : '',
  at === undefined ? '' : at.toISOString(),
]

/** A query that sets the actor for these triggers, for the rest of its transaction. */
export const actorSettings = (actor: Actor): RawBuilder<unknown> => {
  const values = getActorValues(actor)
  return sql`select ${sql.join(ACTOR_SETTINGS.map((name, at) => sql`set_config(${sql.lit(`homeroom.${name}`)}, ${values[at]}, true)`))}`
}

/** Sets the actor for the triggers `set_version` and `record_history`, for the rest of this transaction. */
export const setActor = async (tx: Tx, actor: Actor): Promise<void> => {
  await actorSettings(actor).execute(tx)
}

/** Whether this transaction gets an advisory lock (locks.ts), which it holds until it ends. */
export const tryLock = async (tx: Tx, lock: number | RawBuilder<unknown>): Promise<boolean> => {
  const { rows } = await sql<{ isTaken: boolean }>`select pg_try_advisory_xact_lock(${lock}) as "isTaken"`.execute(tx)
  return rows[0]?.isTaken ?? false
}

/** Uses a connection of the pool, which closes it after an error. */
export const withClient = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(broken)
  }
}

/** Runs a query under a name that stands for its text: each connection plans it once, which takes longer than running it. */
export const executePrepared = async <T extends object>(pool: pg.Pool, name: string, query: Compilable<T>): Promise<T[]> => {
  const { sql: text, parameters } = query.compile()
  const { rows } = await pool.query<T>({ name, text, values: [...parameters] })
  return rows
}

/** The changes of this transaction so far: the lines that `notify_record_change` has sent. */
export const readChangedRecords = async (tx: Tx): Promise<string[]> => {
  const { rows } = await sql<{ touched: string | null }>`select current_setting('homeroom.changed_records', true) as touched`.execute(tx)
  return (rows[0]?.touched ?? '').split('\n').filter(Boolean)
}
