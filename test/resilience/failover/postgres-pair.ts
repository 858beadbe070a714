import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'

import { getFreePort } from '../../support/free-port.ts'
import type { OtherPostgres } from '../../support/other-postgres.ts'
import { signalProcessTree } from '../../support/process-tree.ts'
import { waitUntil } from '../../support/wait-until.ts'

const ADMINISTRATOR = 'postgres'
const OWNER = 'homeroom'
const DATABASE = 'homeroom'
const ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C', PGPASSWORD: ADMINISTRATOR }

interface Member {
  readonly folder: string
  readonly port: number
  process?: ChildProcess
}

/**
 * A primary and a streaming standby of the system's PostgreSQL, in temporary folders and on their own ports. Once it has a standby, the primary waits
 * for it to confirm each commit. The two members exchange roles.
 */
export class PostgresPair implements AsyncDisposable {
  readonly #bin: string
  readonly #folder: string
  readonly #as: { uid?: number; gid?: number }
  #primary: Member
  #standby: Member
  /** A primary that was replaced while it was frozen or running. */
  #left: Member | undefined

  private constructor({ bin }: OtherPostgres, folder: string, ports: readonly [number, number]) {
    this.#bin = bin
    this.#folder = folder
    const id = (flag: string): number => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
    this.#as = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {}
    this.#primary = { folder: join(folder, 'one'), port: ports[0] }
    this.#standby = { folder: join(folder, 'two'), port: ports[1] }
  }

  static async start(postgres: OtherPostgres): Promise<PostgresPair> {
    const folder = await mkdtemp(join(tmpdir(), 'homeroom-pair-'))
    await chmod(folder, 0o755)
    const pair = new PostgresPair(postgres, folder, [await getFreePort(), await getFreePort()])
    try {
      await pair.#createPrimary()
      await pair.rebuild()
    } catch (error) {
      await pair.stop()
      throw error
    }
    return pair
  }

  /** The value of DATABASE_URL: both hosts. */
  get url(): string {
    const ports = [this.#primary.port, this.#standby.port].toSorted((a, b) => a - b)
    return `postgres://${OWNER}:${OWNER}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${DATABASE}`
  }

  /** Only the primary, with all rights. */
  get primary(): pg.PoolConfig {
    return { connectionString: `postgres://${ADMINISTRATOR}:${ADMINISTRATOR}@127.0.0.1:${this.#primary.port}/${DATABASE}` }
  }

  /** Kills every process of the primary with -9, like a power failure. */
  async kill(): Promise<void> {
    const { process: postmaster } = this.#primary
    const exited = postmaster && once(postmaster, 'exit')
    signal(this.#primary, 'SIGKILL')
    await exited
  }

  /** Freezes the primary: the system still accepts connections for it, but nothing responds. */
  pause(): void {
    signal(this.#primary, 'SIGSTOP')
  }

  /** Resumes it, unaware that it has been replaced. Returns how many connections to it remain; those that only query its status end quickly. */
  async resume(): Promise<number> {
    const old = this.#left
    if (!old) throw new Error('No primary was replaced')
    signal(old, 'SIGCONT')
    await waitUntil('the old primary answers', async () => (await this.#query(old, 'select 1')).length === 1)
    await pause(3000)
    let least = Infinity
    for (let attempt = 0; attempt < 20; attempt++, await pause(100)) least = Math.min(least, connectionsTo(old.port))
    return least
  }

  /** Promotes the standby, which then has no standby itself. */
  async promote(): Promise<void> {
    const next = this.#standby
    await this.#query(next, 'select pg_promote(true, 60)')
    this.#left = this.#primary
    this.#standby = this.#primary
    this.#primary = next
  }

  /** The other member becomes a new standby, copied from the primary, which waits for it from then on. */
  async rebuild(): Promise<void> {
    const standby = this.#standby
    if (standby.process && standby.process.exitCode === null && standby.process.signalCode === null) await this.#end(standby)
    await rm(standby.folder, { recursive: true, force: true })
    await mkdir(standby.folder, { mode: 0o700 })
    if (this.#as.uid !== undefined) await chown(standby.folder, this.#as.uid, this.#as.gid ?? 0)
    const from = `host=127.0.0.1 port=${this.#primary.port} user=${ADMINISTRATOR} password=${ADMINISTRATOR} application_name=standby`
    this.#run('pg_basebackup', ['-D', standby.folder, '-R', '-X', 'stream', '-c', 'fast', '-d', from])
    // As a primary it has no standby to wait for.
    await appendFile(join(standby.folder, 'postgresql.auto.conf'), `synchronous_standby_names = ''\n`)
    this.#serve(standby)
    const states = () =>
      this.#query<{ state: string; sync_state: string }>(this.#primary, 'select state, sync_state from pg_stat_replication')
    await waitUntil('the standby follows', async () => (await states()).some(({ state }) => state === 'streaming'))
    await this.waitFor('FIRST 1 (standby)')
    await waitUntil('the primary waits for its standby', async () => (await states()).some(({ sync_state: state }) => state === 'sync'))
  }

  /** Sets the standbys that confirm the primary's commits; none if empty. */
  async waitFor(standbys: string): Promise<void> {
    await this.#query(this.#primary, `alter system set synchronous_standby_names = '${standbys}'`)
    await this.#query(this.#primary, 'select pg_reload_conf()')
  }

  /** Cancels commits waiting for a standby, like an administrator; returns their number. */
  async endWaits(): Promise<number> {
    return (await this.#query(this.#primary, `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)).length
  }

  async stop(): Promise<void> {
    for (const member of [this.#primary, this.#standby]) if (member.process) await this.#end(member)
    await rm(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #createPrimary(): Promise<void> {
    const { folder } = this.#primary
    const password = join(this.#folder, 'password')
    await mkdir(folder, { mode: 0o700 })
    await writeFile(password, `${ADMINISTRATOR}\n`)
    if (this.#as.uid !== undefined) for (const path of [folder, password]) await chown(path, this.#as.uid, this.#as.gid ?? 0)
    const words = ['--auth=scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8']
    this.#run('initdb', ['-D', folder, '-U', ADMINISTRATOR, `--pwfile=${password}`, ...words])
    this.#serve(this.#primary)
    await waitUntil('the primary answers', async () => (await this.#query(this.#primary, 'select 1')).length === 1)
    await this.#query(this.#primary, `create role ${OWNER} login password '${OWNER}'`)
    await this.#query(this.#primary, `create database ${DATABASE} owner ${OWNER}`)
  }

  #run(program: string, words: readonly string[]): void {
    const { status, stderr } = spawnSync(join(this.#bin, program), words, { ...this.#as, cwd: '/', env: ENVIRONMENT, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }

  #serve(member: Member): void {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${member.port}`,
      'unix_socket_directories=',
      'wal_keep_size=256MB',
      'shared_buffers=32MB',
    ]
    const words = ['-D', member.folder, ...settings.flatMap((setting) => ['-c', setting])]
    member.process = spawn(join(this.#bin, 'postgres'), words, { ...this.#as, cwd: '/', env: ENVIRONMENT, stdio: 'ignore' })
  }

  async #end(member: Member): Promise<void> {
    const { process: postmaster } = member
    if (!postmaster || postmaster.exitCode !== null || postmaster.signalCode !== null) return
    const exited = once(postmaster, 'exit')
    signal(member, 'SIGCONT')
    postmaster.kill('SIGQUIT')
    await exited
  }

  async #query<T extends object>({ port }: Member, statement: string): Promise<T[]> {
    const connection = { host: '127.0.0.1', port, user: ADMINISTRATOR, password: ADMINISTRATOR, database: 'postgres' }
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    await client.connect()
    return client
      .query<T>(statement)
      .then(({ rows }) => rows)
      .finally(() => client.end())
  }
}

const signal = ({ process: postmaster }: Member, name: NodeJS.Signals): void => {
  if (postmaster?.pid !== undefined) signalProcessTree(postmaster.pid, name)
}

/** Counted on the client side: a server waiting for its standby does not notice that the client is gone. */
const connectionsTo = (port: number): number => {
  const there = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  return lines.map((line) => line.trim().split(/\s+/)).filter(([, , remote, state]) => remote?.endsWith(there) && state === '01').length
}
