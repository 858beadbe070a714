import { readFileSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type pg from 'pg'

import { onDatabase } from '../../support/database.ts'
import { getFreePort } from '../../support/free-port.ts'
import { Cluster, type OtherPostgres } from '../../support/other-postgres.ts'
import { waitUntil } from '../../support/wait-until.ts'

const ADMINISTRATOR = 'postgres'
const OWNER = 'homeroom'
const DATABASE = 'homeroom'
const SETTINGS = ['wal_keep_size=256MB', 'shared_buffers=32MB']

/**
 * A primary and a streaming standby of the system's PostgreSQL, in temporary folders and on their own ports. Once it has a standby, the primary waits
 * for it to confirm each commit. The two members exchange roles.
 */
export class PostgresPair implements AsyncDisposable {
  readonly #folder: string
  #primary: Cluster
  #standby: Cluster
  /** A primary that was replaced while it was frozen or running. */
  #left: Cluster | undefined

  private constructor({ bin }: OtherPostgres, folder: string, ports: readonly [number, number]) {
    this.#folder = folder
    this.#primary = new Cluster(bin, join(folder, 'one'), ports[0], ADMINISTRATOR)
    this.#standby = new Cluster(bin, join(folder, 'two'), ports[1], ADMINISTRATOR)
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
    return onDatabase({ connectionString: this.#primary.url }, DATABASE)
  }

  /** Kills every process of the primary with -9, like a power failure. */
  kill(): Promise<void> {
    return this.#primary.stop('SIGKILL')
  }

  /** Freezes the primary: the system still accepts connections for it, but nothing responds. */
  pause(): void {
    this.#primary.signal('SIGSTOP')
  }

  /** Resumes it, unaware that it has been replaced. Returns how many connections to it remain; those that only query its status end quickly. */
  async resume(): Promise<number> {
    const old = this.#left
    if (!old) throw new Error('No primary was replaced')
    old.signal('SIGCONT')
    await old.waitUntilReady()
    await pause(3000)
    let least = Infinity
    for (let attempt = 0; attempt < 20; attempt++, await pause(100)) least = Math.min(least, connectionsTo(old.port))
    return least
  }

  /** Promotes the standby, which then has no standby itself. */
  async promote(): Promise<void> {
    const next = this.#standby
    await next.query('select pg_promote(true, 60)')
    this.#left = this.#primary
    this.#standby = this.#primary
    this.#primary = next
  }

  /** The other member becomes a new standby, copied from the primary, which waits for it from then on. */
  async rebuild(): Promise<void> {
    const [primary, standby] = [this.#primary, this.#standby]
    await standby.stop()
    await standby.createFolder()
    const from = `${primary.url}?application_name=standby`
    standby.run('pg_basebackup', ['-D', standby.folder, '-R', '-X', 'stream', '-c', 'fast', '-d', from])
    // As a primary it has no standby to wait for.
    await appendFile(join(standby.folder, 'postgresql.auto.conf'), `synchronous_standby_names = ''\n`)
    standby.serve(SETTINGS)
    const states = () => primary.query<{ state: string; sync_state: string }>('select state, sync_state from pg_stat_replication')
    await waitUntil('the standby follows', async () => (await states()).some(({ state }) => state === 'streaming'))
    await this.waitFor('FIRST 1 (standby)')
    await waitUntil('the primary waits for its standby', async () => (await states()).some(({ sync_state: state }) => state === 'sync'))
  }

  /** Sets the standbys that confirm the primary's commits; none if empty. */
  async waitFor(standbys: string): Promise<void> {
    await this.#primary.query(`alter system set synchronous_standby_names = '${standbys}'`)
    await this.#primary.query('select pg_reload_conf()')
  }

  /** Cancels commits waiting for a standby, like an administrator; returns their number. */
  async endWaits(): Promise<number> {
    return (await this.#primary.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)).length
  }

  async stop(): Promise<void> {
    for (const member of [this.#primary, this.#standby]) await member.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #createPrimary(): Promise<void> {
    await this.#primary.initialize()
    this.#primary.serve(SETTINGS)
    await this.#primary.waitUntilReady()
    await this.#primary.query(`create role ${OWNER} login password '${OWNER}'`)
    await this.#primary.query(`create database ${DATABASE} owner ${OWNER}`)
  }
}

/** Counted on the client side: a server waiting for its standby does not notice that the client is gone. */
const connectionsTo = (port: number): number => {
  const there = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  return lines.map((line) => line.trim().split(/\s+/)).filter(([, , remote, state]) => remote?.endsWith(there) && state === '01').length
}
