import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

import {
  type AppliedMigration,
  describeChangedMigrations,
  describeUnknownMigration,
  findChangedMigrations,
  listMigrations,
} from '../database/migrate.server.ts'
import type { Configuration } from '../platform/server/configuration.ts'
import { getRefusal } from '../platform/server/database-hosts.ts'
import { formatEncodingError } from '../platform/server/database.ts'
import { hasProcess } from '../platform/server/private-database-location.ts'
import { getHosts } from '../platform/server/production.ts'
import { type Finding, note, passed, failed } from './finding.ts'

const MIN_POSTGRES_VERSION = 150_000

interface DatabaseState {
  readonly version: string
  readonly number: number
  readonly standby: boolean
  readonly followers: number
  readonly synchronous: string
  readonly mayCreate: boolean
  readonly mayChange: boolean
  readonly unavailable: readonly string[]
  readonly missing: readonly string[]
  readonly encoding: string
  readonly applied: readonly AppliedMigration[] | null
}

/** Calls `read` with a new connection. */
const withClient = async <T>(connection: pg.ClientConfig, timeoutMs: number, read: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({
    ...connection,
    application_name: 'homeroom doctor',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => {}) // pending operations report it as well
  try {
    await client.connect()
    return await read(client)
  } finally {
    // Does not wait for a hung connection.
    void client.end().catch(() => undefined)
  }
}

/** All checks of one database; read-only. */
const readState = (connection: pg.ClientConfig, timeoutMs: number): Promise<DatabaseState> =>
  withClient(connection, timeoutMs, async (client) => {
    const { rows } = await client.query<Omit<DatabaseState, 'applied'> & { migrated: boolean }>(`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as number, pg_is_in_recovery() as standby,
        current_setting('server_encoding') as encoding,
        (select count(*)::int from pg_stat_replication) as followers, current_setting('synchronous_standby_names') as synchronous,
        has_database_privilege(current_database(), 'create') as "mayCreate",
        coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('migration')), true) as "mayChange",
        array(select name from unnest(array['pg_trgm', 'unaccent']) as name
          where not exists (select from pg_available_extensions as there where there.name = name.name)) as unavailable,
        array(select name from unnest(array['pg_trgm', 'unaccent']) as name where not exists (select from pg_extension where extname = name)) as missing,
        to_regclass('migration') is not null as migrated`)
    const [seen] = rows
    if (!seen) throw new Error('it answers nothing')
    const { migrated, ...rest } = seen
    const applied = migrated ? (await client.query<AppliedMigration>('select name, digest from migration order by name')).rows : null
    return { ...rest, applied }
  })

/** The findings for a database that responds. */
const toFindings = async (name: string, seen: DatabaseState): Promise<Finding[]> => {
  const findings: Finding[] = []
  const { version, number, standby, followers, synchronous, mayCreate, mayChange, unavailable, missing, encoding, applied } = seen
  const role = standby
    ? ', a standby'
    : followers === 0
      ? ''
      : `, followed by ${followers} (${synchronous === '' ? 'asynchronous' : 'synchronous'})`
  findings.push(
    number < MIN_POSTGRES_VERSION
      ? failed(`${name} is PostgreSQL ${version}; take 15 or newer`)
      : passed(`${name} answers: PostgreSQL ${version.split(' ')[0]}${role}`),
  )
  if (unavailable.length > 0)
    findings.push(failed(`${name} lacks ${unavailable.join(' and ')}; install PostgreSQL’s contrib package there`))
  else if (missing.length > 0 && !mayCreate && !standby)
    findings.push(
      failed(`its user may not create ${missing.join(' and ')}; let an administrator run "create extension" for them in that database`),
    )
  const own = await listMigrations()
  const appliedNames = (applied ?? []).map((migration) => migration.name)
  const unknown = describeUnknownMigration(appliedNames, own)
  const todo = own.filter((one) => !appliedNames.includes(one)).length
  const changed = await findChangedMigrations(applied ?? [])
  if (encoding !== 'UTF8') findings.push(failed(`${name} ${formatEncodingError(encoding)}`))
  if (changed.length > 0) findings.push(failed(describeChangedMigrations(changed)))
  else if (unknown !== undefined) findings.push(failed(`${name} ${unknown}`))
  else if (applied === null && !mayCreate)
    findings.push(failed('it is empty, and its user may not make tables; grant it "create" on that database'))
  else if (applied === null) findings.push(note('it is empty: the first start makes the tables'))
  else
    findings.push(
      todo === 0
        ? passed(`the tables are up to date (${own.length} migrations)${mayChange ? '' : ', and its role has data rights only'}`)
        : mayChange
          ? note(`${todo} migrations will run at the next start`)
          : failed(`${todo} migrations are missing, and its role may not change the tables; run "homeroom migrate"`),
    )
  return findings
}

/** The same URL with only this host. */
const isSingleHost = (databaseUrl: string, host: string): string =>
  databaseUrl.replace(/^(\w+:\/\/(?:[^/?]*@)?)[^/?]*/, (_all, before: string) => before + host)

const checkOther = async (databaseUrl: string, timeoutMs: number): Promise<Finding[]> => {
  const hosts = getHosts(databaseUrl)
  const looks = await Promise.all(
    hosts.map(async (host) => {
      const name = host === '' ? 'the database' : host
      try {
        return { name, seen: await readState({ connectionString: isSingleHost(databaseUrl, host) }, timeoutMs) }
      } catch (error) {
        const reason =
          error instanceof TypeError
            ? 'the address cannot be read; it is like postgres://user:password@host:5432/database'
            : getRefusal(error)
        return { name, reason }
      }
    }),
  )
  const findings: Finding[] = []
  for (const { name, seen, reason } of looks)
    findings.push(
      ...(seen
        ? await toFindings(name, seen)
        : [failed(`${name} cannot be used: ${reason}; check DATABASE_URL, and whether PostgreSQL runs there`)]),
    )
  const there = looks.flatMap(({ seen }) => (seen ? [seen] : []))
  const writable = there.filter(({ standby }) => !standby).length
  if (there.length > 0 && writable === 0)
    findings.push(failed('no host of DATABASE_URL takes writes: name the primary, or promote a standby'))
  if (writable > 1) findings.push(failed(`${writable} hosts of DATABASE_URL take writes; only one of them may`))
  return findings
}

/** The folder of the private database, and how to connect if it is running. */
const findPrivate = async (dataDir: string): Promise<{ cluster: string; connection: pg.ClientConfig | undefined }> => {
  const pointed = (await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => '')).trim()
  const cluster = pointed || join(dataDir, 'postgres')
  const [pid, , , , socketFolder = ''] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const isRunning = pid !== undefined && Number(pid) > 0 && hasProcess(Number(pid))
  const connection = { host: socketFolder, port: 5432, user: 'homeroom', database: 'homeroom', ssl: false }
  return { cluster, connection: isRunning ? connection : undefined }
}

/** The private database is checked only if it is running, and never started for the check. */
const checkPrivate = async (dataDir: string, timeoutMs: number): Promise<Finding[]> => {
  const { cluster, connection } = await findPrivate(dataDir)
  if (!connection) return [note(`the private database (${cluster}) does not run: the server starts it, and makes it where there is none`)]
  try {
    return await toFindings('the private database', await readState(connection, timeoutMs))
  } catch (error) {
    return [failed(`the private database runs, and cannot be used: ${getRefusal(error)}; run the doctor as the user the server runs as`)]
  }
}

/** The rows of a query, from the first host that responds; undefined if none does, which `checkDatabase` reports. */
export const queryDatabase = async <Row extends pg.QueryResultRow>(
  { databaseUrl, dataDir }: Configuration,
  timeoutMs: number,
  query: string,
): Promise<Row[] | undefined> => {
  const connections: (pg.ClientConfig | undefined)[] =
    databaseUrl === undefined
      ? [(await findPrivate(dataDir)).connection]
      : getHosts(databaseUrl).map((host) => ({ connectionString: isSingleHost(databaseUrl, host) }))
  for (const connection of connections) {
    if (!connection) continue
    try {
      return await withClient(connection, timeoutMs, async (client) => (await client.query<Row>(query)).rows)
    } catch {
      // tries the next host
    }
  }
  return undefined
}

export const checkDatabase = ({ databaseUrl, dataDir }: Configuration, timeoutMs: number): Promise<Finding[]> =>
  databaseUrl === undefined ? checkPrivate(dataDir, timeoutMs) : checkOther(databaseUrl, timeoutMs)
