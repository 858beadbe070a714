import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { Db } from '../../src/database/connection.server.ts'
import { type Configuration, readConfiguration } from '../../src/platform/server/configuration.ts'
import { openConfiguredDatabase, type OpenedDatabase } from '../../src/platform/server/database.ts'
import { getFreePort } from './free-port.ts'
import { signalProcessTree } from './process-tree.ts'
import { type RunningProgram, startHomeroom } from './server-process.ts'
import { signInAt, type SignedInUser } from './sessions.ts'
import { createDataFolder, removeFolder } from './temporary-folder.ts'

export type Environment = Readonly<Record<string, string>>

const TIMEOUT_MS = 120_000
const MAX_OUTPUT_CHARACTERS = 3000

/** A server in a separate process, as run by `npm start`, which a test can kill and start again. */
export class TestServer implements AsyncDisposable {
  readonly environment: Environment & { readonly PORT: string; readonly DATA_DIR: string }
  readonly configuration: Configuration
  readonly url: string
  readonly #folder: string | undefined
  #program: RunningProgram | undefined
  #openedDatabase: OpenedDatabase | undefined
  #databaseProcess: { readonly pid: number; readonly cluster: string } | undefined

  /** `folder` is removed when the server stops. */
  constructor(environment: TestServer['environment'], folder?: string) {
    this.environment = environment
    this.#folder = folder
    this.configuration = readConfiguration(environment)
    this.url = `http://127.0.0.1:${environment.PORT}`
  }

  /** The program that was started last. */
  get program(): RunningProgram {
    if (!this.#program) throw new Error('The server has not been started')
    return this.#program
  }

  get isRunning(): boolean {
    return this.#program !== undefined && this.program.child.exitCode === null && this.program.child.signalCode === null
  }

  /** Starts the program without waiting for it. */
  spawn(): RunningProgram {
    return (this.#program = startHomeroom(this.environment))
  }

  /** Starts the program and waits until it is ready; returns the milliseconds it took. */
  async start(): Promise<number> {
    this.spawn()
    return this.waitUntilReady()
  }

  /** Waits until `/readyz` returns 200; returns the milliseconds it took. */
  async waitUntilReady(): Promise<number> {
    const from = performance.now()
    const fail = (what: string): Error => new Error(`${what}: ${this.program.output().slice(-MAX_OUTPUT_CHARACTERS)}`)
    for (; performance.now() - from < TIMEOUT_MS; await pause(20)) {
      if (!this.isRunning) throw fail('The server has ended')
      const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => undefined)
      if (answer?.status === 200) return performance.now() - from
    }
    throw fail(`The server is not ready after ${TIMEOUT_MS / 1000} s`)
  }

  /** `kill -9` of only the program; its private database keeps running. */
  async kill(): Promise<void> {
    this.program.child.kill('SIGKILL')
    await this.program.ended
  }

  /** Finds the process of the private database, for when its folder can no longer be read. */
  async locateDatabase(): Promise<void> {
    const { DATA_DIR } = this.environment
    const cluster = await readFile(join(DATA_DIR, 'postgres.location'), 'utf8').then(
      (text) => text.trim(),
      () => join(DATA_DIR, 'postgres'),
    )
    const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
    if (pid > 0) this.#databaseProcess = { pid, cluster }
  }

  /** `kill -9` of the private database: its first process and all its children. */
  async killDatabase(): Promise<void> {
    await this.locateDatabase()
    if (this.#databaseProcess === undefined) return
    const { pid, cluster } = this.#databaseProcess
    // The number in the file may belong to another program by now.
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (commandLine.includes(cluster)) signalProcessTree(pid, 'SIGKILL')
  }

  /** Runs work on its database next to the server. */
  async withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const { db, stop } = await openConfiguredDatabase(this.configuration, 'guest', () => {})
    return work(db).finally(stop)
  }

  /** Signs in a new user at a level. */
  signInAt(level: number): Promise<SignedInUser> {
    return this.withDatabase((db) => signInAt({ db, configuration: this.configuration }, level))
  }

  /** Its database, which `startServer` opens until the server stops. */
  get db(): Db {
    return this.#database.db
  }

  get connection(): OpenedDatabase['connection'] {
    return this.#database.connection
  }

  get #database(): OpenedDatabase {
    if (!this.#openedDatabase) throw new Error('The database is not open')
    return this.#openedDatabase
  }

  async openDatabase(): Promise<void> {
    this.#openedDatabase = await openConfiguredDatabase(this.configuration, 'guest', () => {})
  }

  /** Stops the program in order; its private database keeps running while it is open. */
  async terminate(): Promise<void> {
    if (this.isRunning) this.program.child.kill('SIGTERM')
    await this.#program?.ended
  }

  /** Stops everything still running in order. */
  async stop(): Promise<void> {
    await this.#openedDatabase?.stop()
    await this.terminate()
    await this.killDatabase()
    if (this.#folder !== undefined) await removeFolder(this.#folder)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

/** A server that is not started yet, without the web app; its data folder and port are new unless the environment names them. */
export const createServer = async (environment: Environment = {}): Promise<TestServer> => {
  const folder = environment['DATA_DIR'] === undefined ? await createDataFolder() : undefined
  const defaults = { PORT: String(await getFreePort()), DATA_DIR: join(folder ?? '', 'data'), SAMPLE: '3', SERVE: 'app,locations' }
  return new TestServer({ ...defaults, LOG_LEVEL: 'error', ...environment }, folder)
}

/** Starts a server with all its parts, and opens its database. */
export const startServer = async (environment: Environment = {}): Promise<TestServer> => {
  const server = await createServer({ SERVE: 'web,app,locations', ...environment })
  try {
    await server.start()
    await server.openDatabase()
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}
