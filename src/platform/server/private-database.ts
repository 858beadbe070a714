import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, fchownSync, openSync, renameSync, statSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'

import { LOCKS } from '../../database/locks.ts'
import { getErrorCode } from './error-code.ts'
import {
  findLocation,
  hasProcess,
  isTemporary,
  createCluster,
  createSocketFolder,
  type DatabaseLocation,
  writeAccessRules,
} from './private-database-location.ts'
import { terminateOrphans } from './private-database-orphans.ts'
import { StartupError, getErrorReason } from './startup-errors.ts'

/** The PostgreSQL that comes with the packages: one per data folder, on a Unix socket only, for our own user only. */
export interface PrivateDatabase {
  readonly connection: pg.PoolConfig
  /** Stops the database, unless another process of ours still uses it; then that one stops it. */
  readonly stop: () => Promise<void>
}

interface PrivateDatabaseOptions {
  readonly dataDir: string
  /** A data folder has one server; a guest (an import) may run at the same time. */
  readonly as: 'server' | 'guest'
  readonly writeLine: (line: string) => void
  /** False only in tests, which need no durable writes. */
  readonly durable?: boolean
}

// Advisory locks of the running database show who uses it; they are released when the process that holds them ends, even if it is killed.
const IN_USE = LOCKS.privateDatabaseInUse
const SERVER_LOCK = LOCKS.privateDatabaseServer
const START_TIMEOUT = 60_000
/** Retries, a quarter of a second apart, while the processes of a killed server have not ended yet; after `RETRIES_BEFORE_TERMINATION` they are terminated. */
const MAX_RETRIES = 20
const RETRIES_BEFORE_TERMINATION = 4
const STOP_TIMEOUT = 30_000
/** Not ready yet, or no longer: shutting down, starting up, no socket, connection closed. */
const TRANSIENT_CODES = new Set(['57P01', '57P02', '57P03', 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** Starts the private database, or takes over one that an ended server left running. */
export const startPrivateDatabase = async ({
  dataDir,
  as,
  writeLine,
  durable = true,
}: PrivateDatabaseOptions): Promise<PrivateDatabase> => {
  const location = await findLocation(dataDir, writeLine)
  await createCluster(location, durable)
  await checkVersion(location)
  await writeAccessRules(location)

  const stopped = new AbortController()
  let hold = await acquireLock(location, as, durable)
  const watch = (client: pg.Client): void => {
    client.on('error', () => {}) // `end` follows
    client.once('end', () => {
      if (!stopped.signal.aborted) void restart()
    })
  }
  const restart = async (): Promise<void> => {
    writeLine('The private database has ended; starting it again')
    for (let wait = 100; !stopped.signal.aborted; wait = Math.min(wait * 2, 10_000)) {
      try {
        hold = await acquireLock(location, as, durable)
        if (stopped.signal.aborted) return await release(location, hold)
        return watch(hold.client)
      } catch (error) {
        writeLine(`The private database does not start: ${getErrorReason(error)}`)
        await pause(wait)
      }
    }
  }
  watch(hold.client)

  return {
    connection: hold.connection,
    stop: async () => {
      if (stopped.signal.aborted) return
      stopped.abort()
      await release(location, hold)
    },
  }
}

/** Releases the lock; the process that finds no other lock stops the database. */
const release = async (location: DatabaseLocation, { client }: DataDirLock): Promise<void> => {
  const alone = await client
    .query<{ alone: boolean }>('select pg_advisory_unlock_all(), pg_try_advisory_lock($1) as alone', [IN_USE])
    .then(({ rows }) => rows[0]?.alone === true)
    .catch(() => true)
  if (alone) await stopPostmaster(location, 'SIGINT')
  await client.end().catch(() => {})
}

const checkVersion = async ({ cluster, binaries }: DatabaseLocation): Promise<void> => {
  const clusterVersion = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  const ourVersion = /\d+/.exec(spawnSync(binaries.postgres, ['--version'], { encoding: 'utf8', cwd: '/' }).stdout)?.[0]
  if (clusterVersion !== ourVersion) {
    throw new StartupError(
      `The database in ${cluster} is of PostgreSQL ${clusterVersion}, and this version of Homeroom brings ${ourVersion ?? 'none'}; restore a backup into an empty DATA_DIR`,
    )
  }
}

interface DataDirLock {
  readonly client: pg.Client
  readonly connection: pg.PoolConfig
}

/** Connects to the cluster's database, starting it if it is not running, and marks it as in use. */
const acquireLock = async (location: DatabaseLocation, as: PrivateDatabaseOptions['as'], durable: boolean): Promise<DataDirLock> => {
  const deadline = Date.now() + START_TIMEOUT
  let child: ChildProcess | undefined
  let waited = 0
  let retries = 0
  for (;;) {
    const running = await runningPostmaster(location)
    if (running && running.socketFolder === '') {
      // It has just started and has not written the path of its socket yet.
    } else if (running) {
      const connection: pg.PoolConfig = { host: running.socketFolder, port: 5432, user: 'homeroom', database: 'homeroom', ssl: false }
      try {
        return { client: await lockedClient(location, connection, as), connection }
      } catch (error) {
        if (getErrorCode(error) === '28000') process.kill(running.pid, 'SIGHUP') // makes it reload the access rules: it still uses another user's
        else if (!TRANSIENT_CODES.has(getErrorCode(error))) throw error
        // Ready, but its socket is gone (someone cleared the temporary folder), so it is unreachable.
        if (running.ready && getErrorCode(error) === 'ENOENT' && ++waited > 100) await stopPostmaster(location, 'SIGINT')
      }
    } else if (child === undefined) {
      child = await spawnPostmaster(location, durable)
    } else if (child.exitCode !== null || child.signalCode !== null) {
      const lastLines = await readLastLogLines(location)
      // The remains of a killed server take a moment to disappear.
      if (!/shared memory|lock file/.test(lastLines) || ++retries > MAX_RETRIES) {
        throw new StartupError(`The private database does not start: ${lastLines} (more in ${location.log})`)
      }
      await pause(250)
      if (retries > RETRIES_BEFORE_TERMINATION) await terminateOrphans(location.cluster)
      child = undefined
    }
    if (Date.now() > deadline)
      throw new StartupError(`The private database is not ready after ${START_TIMEOUT / 1000} s; see ${location.log}`)
    await pause(20)
  }
}

const lockedClient = async (
  location: DatabaseLocation,
  connection: pg.PoolConfig,
  as: PrivateDatabaseOptions['as'],
): Promise<pg.Client> => {
  const client = await connectOrCreate({ ...connection, application_name: `homeroom ${as} ${process.pid}` })
  try {
    if (as === 'server') await acquireServerLock(client, location)
    await client.query('select pg_advisory_lock_shared($1)', [IN_USE])
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** A server killed a moment ago may hold the lock until its connection breaks. */
const acquireServerLock = async (client: pg.Client, { cluster }: DatabaseLocation): Promise<void> => {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [SERVER_LOCK])
    if (rows[0]?.got === true) return
    await pause(50)
  }
  const { rows } = await client.query<{
    name: string
  }>(`select application_name as name from pg_stat_activity where application_name like 'homeroom server %'
     and pid <> pg_backend_pid()`)
  const pid = rows[0]?.name.split(' ').at(-1)
  throw new StartupError(
    `Another Homeroom server${pid === undefined ? '' : ` (process ${pid})`} works with the database in ${cluster}; stop it or set DATA_DIR to another folder`,
  )
}

const connectOrCreate = async (connection: pg.PoolConfig): Promise<pg.Client> => {
  const open = async (database: string): Promise<pg.Client> => {
    const client = new pg.Client({ ...connection, database })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  try {
    return await open('homeroom')
  } catch (error) {
    if (getErrorCode(error) !== '3D000') throw error
  }
  const first = await open('postgres')
  try {
    await first.query('create database homeroom')
  } catch (error) {
    if (getErrorCode(error) !== '42P04' && getErrorCode(error) !== '23505') throw error // another process was faster
  } finally {
    await first.end()
  }
  return open('homeroom')
}

interface Postmaster {
  readonly pid: number
  readonly socketFolder: string
  readonly ready: boolean
}

/** The live server of this cluster, by its pid file. A stale file, or one whose number now belongs to another program, does not count. */
const runningPostmaster = async ({ cluster }: DatabaseLocation): Promise<Postmaster | undefined> => {
  const file = join(cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0 || !hasProcess(pid)) return undefined
  if (await isServerOfCluster(pid, cluster)) return { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
  // PostgreSQL only compares the number, and would refuse to start because of an unrelated process or a zombie with that number.
  if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true })
  return undefined
}

const isServerOfCluster = async (pid: number, cluster: string): Promise<boolean> => {
  const arguments_ = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(
    () => spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout ?? '',
  )
  return arguments_.includes('postgres') && arguments_.includes(cluster)
}

const spawnPostmaster = async (location: DatabaseLocation, durable: boolean): Promise<ChildProcess> => {
  const { cluster, binaries, owner, self, log } = location
  const settings = {
    listen_addresses: '',
    unix_socket_directories: await createSocketFolder(location),
    unix_socket_permissions: '0700',
    port: '5432',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: '60',
    // Tests run many servers on one database.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Logs to a file, since a closed pipe would kill it; in its own session, so that Ctrl C reaches us and not the database.
  const output = openLog(log)
  if (owner.name !== self.name) fchownSync(output, owner.uid, owner.gid)
  try {
    const child = spawn(binaries.postgres, ['-D', cluster, ...args], {
      detached: true,
      stdio: ['ignore', output, output],
      cwd: '/',
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
      ...(owner.name === self.name ? {} : { uid: owner.uid, gid: owner.gid }),
    })
    child.on('error', () => {})
    child.unref()
    return child
  } finally {
    closeSync(output)
  }
}

const openLog = (log: string): number => {
  try {
    if (statSync(log).size > 5_000_000) renameSync(log, `${log}.old`)
  } catch {
    // there is none yet
  }
  return openSync(log, 'a', 0o600)
}

const readLastLogLines = async ({ log }: DatabaseLocation): Promise<string> => {
  const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n')
  return lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line))?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '') ?? 'it gave no reason'
}

/** Fast shutdown: closes the connections, writes everything, and has exited when this returns. */
const stopPostmaster = async (location: DatabaseLocation, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
  const running = await runningPostmaster(location)
  if (!running) return
  process.kill(running.pid, signal)
  const deadline = Date.now() + STOP_TIMEOUT
  while ((await runningPostmaster(location))?.pid === running.pid) {
    if (Date.now() > deadline) return signal === 'SIGINT' ? stopPostmaster(location, 'SIGQUIT') : undefined
    await pause(10)
  }
  if (isTemporary(location, running.socketFolder)) await rm(running.socketFolder, { recursive: true, force: true })
  // The pid file disappears a moment before the process does.
  for (let attempt = 0; attempt < 100 && (await isRunning(running.pid)); attempt++) await pause(20)
}

/** Whether a process is running; a zombie keeps its number until its parent collects it. */
const isRunning = async (pid: number): Promise<boolean> => {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').then(
    (line) => line.slice(line.lastIndexOf(')') + 1).trim(),
    () => spawnSync('ps', ['-p', String(pid), '-o', 'stat='], { encoding: 'utf8' }).stdout?.trim() ?? '',
  )
  return state !== '' && !/^[ZX]/.test(state)
}
