import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { getFreePort } from './free-port.ts'
import { signalProcessTree } from './process-tree.ts'
import { REPOSITORY } from './server-process.ts'
import { waitUntil } from './wait-until.ts'

// A PostgreSQL other than the private one, with its own cluster in a temporary folder, reached over TCP with a password, like DATABASE_URL in
// production. `npm run test:all` uses the oldest supported one from an npm package; tests that need the command line tools (pg_basebackup, pg_dump)
// use the system's.

const SYSTEM_FOLDER = '/usr/lib/postgresql'
const MIN_VERSION = 15

export interface OtherPostgres {
  readonly version: number
  readonly bin: string
}

/** The oldest supported PostgreSQL, from the packages of this checkout; undefined if npm has none for the platform. */
export const findPackagedPostgres = (): OtherPostgres | undefined => {
  const bin = join(REPOSITORY, 'node_modules', `postgres-${MIN_VERSION}-${process.platform}-${process.arch}`, 'native', 'bin')
  return existsSync(join(bin, 'initdb')) ? { version: MIN_VERSION, bin } : undefined
}

/** The oldest supported PostgreSQL installed on this machine, if any; tests install no system packages. */
export const findSystemPostgres = (): OtherPostgres | undefined =>
  (existsSync(SYSTEM_FOLDER) ? readdirSync(SYSTEM_FOLDER) : [])
    .map(Number)
    .filter((version) => version >= MIN_VERSION && existsSync(join(SYSTEM_FOLDER, String(version), 'bin', 'initdb')))
    .toSorted((a, b) => a - b)
    .map((version) => ({ version, bin: join(SYSTEM_FOLDER, String(version), 'bin') }))[0]

const PASSWORD = 'homeroom'

/** PostgreSQL refuses to run as root. */
const getUser = (): { uid?: number; gid?: number } => {
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {}
}

/** A cluster in a folder of its own, which is served on a port of loopback. The superuser's password is "homeroom". */
export class Cluster {
  readonly folder: string
  readonly url: string
  readonly port: number
  readonly #bin: string
  readonly #superuser: string
  readonly #options = { ...getUser(), cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C' } }
  #process: ChildProcess | undefined

  constructor(bin: string, folder: string, port: number, superuser: string) {
    this.#bin = bin
    this.folder = folder
    this.port = port
    this.#superuser = superuser
    this.url = `postgres://${superuser}:${PASSWORD}@127.0.0.1:${port}/postgres`
  }

  /** Creates the folder, empty. */
  async createFolder(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
    await mkdir(this.folder, { mode: 0o700 })
    await this.#giveToUser(this.folder)
  }

  /** Creates the cluster with its first databases. */
  async initialize(): Promise<void> {
    const password = `${this.folder}-password`
    await writeFile(password, `${PASSWORD}\n`)
    await this.#giveToUser(password)
    await this.createFolder()
    const words = ['--auth=scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
    this.run('initdb', ['-D', this.folder, '-U', this.#superuser, `--pwfile=${password}`, ...words])
  }

  /** Runs a program of PostgreSQL to its end. */
  run(program: string, words: readonly string[]): void {
    const { status, stderr } = spawnSync(join(this.#bin, program), words, { ...this.#options, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }

  /** Starts the server without waiting for it. */
  serve(settings: readonly string[]): void {
    const all = ['listen_addresses=127.0.0.1', `port=${this.port}`, 'unix_socket_directories=', ...settings]
    const words = ['-D', this.folder, ...all.flatMap((setting) => ['-c', setting])]
    this.#process = spawn(join(this.#bin, 'postgres'), words, { ...this.#options, stdio: 'ignore' })
  }

  waitUntilReady(): Promise<void> {
    return waitUntil('PostgreSQL answers', async () => (await this.query('select 1')).length === 1)
  }

  /** Runs a statement as the superuser. */
  async query<T extends object>(statement: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query<T>(statement).finally(() => client.end())
    return rows
  }

  /** Sends a signal to the server with all its processes. */
  signal(name: NodeJS.Signals): void {
    if (this.#process?.pid !== undefined) signalProcessTree(this.#process.pid, name)
  }

  /** Ends the server, even if it is frozen. */
  async stop(signal: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT'): Promise<void> {
    const server = this.#process
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    this.signal(signal)
    this.signal('SIGCONT')
    await exited
  }

  async #giveToUser(path: string): Promise<void> {
    const { uid, gid } = this.#options
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
  }
}

/** Starts a cluster in a temporary folder, without durability. */
export const startOtherPostgres = async ({ version, bin }: OtherPostgres, superuser = 'homeroom') => {
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-other-'))
  await chmod(folder, 0o755)
  // The user that runs it may not have access to the checkout.
  const programs = process.getuid?.() === 0 && bin.startsWith(REPOSITORY) ? join(folder, 'native', 'bin') : bin
  if (programs !== bin) await cp(join(bin, '..'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  const cluster = new Cluster(programs, join(folder, 'cluster'), await getFreePort(), superuser)
  await cluster.initialize()
  // As many connections as the private PostgreSQL of the tests allows: each test file has its own pool.
  cluster.serve(['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'])
  await cluster.waitUntilReady()
  const stop = async (): Promise<void> => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: cluster.url, version, query: (statement: string) => cluster.query(statement), stop }
}
