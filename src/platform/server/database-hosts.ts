import { setTimeout as pause } from 'node:timers/promises'
import { callbackify } from 'node:util'

import pg from 'pg'

import { type Host, formatHost } from './database-address.ts'
import { getErrorCode } from './error-code.ts'
import { getErrorReason } from './startup-errors.ts'

/** How long a host may take to accept a connection and to report whether it accepts writes. */
const RESPONSE_TIMEOUT_MS = 3_000
/** How long a connection may leave a trivial query unanswered before all connections are considered dead. */
const SILENCE_MS = 4_000

/** Wrong user or password, or no such database. */
const REFUSED = new Set(['28P01', '28000', '3D000'])

/** The reason a database refused a connection, for messages. */
export const getRefusal = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = getErrorCode(error)
  if (code === '28P01' || code === '28000') return 'it refuses the user or the password'
  if (code === '3D000') return 'that server has no database with this name'
  if (code === '57P03') return 'it is just starting'
  if (/timeout/i.test(error.message)) return 'it does not answer in time'
  return getErrorReason(error)
}

interface Writer {
  readonly host: Host
  readonly timeline: number
}

/** A database that does not accept writes: a standby, or a primary that has been replaced. Its code is PostgreSQL's. */
export class ReadOnlyError extends Error {
  override readonly name = 'AcceptsNoWrites'
  readonly code = '25006'
  /** Whether a retry cannot help, because a host has refused the login. */
  get isRefused(): boolean {
    return this.cause instanceof AggregateError && this.cause.errors.some((error) => REFUSED.has(getErrorCode(error)))
  }
}

const READ_ONLY_CODE = `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "readsOnly"`
const TIMELINE = `select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`

/** Verifies that a connection can write; returns the timeline it writes, or 0 if the engine has none. */
const readTimeline = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ readsOnly: boolean }>(READ_ONLY_CODE)
  if (rows[0]?.readsOnly !== false) throw new ReadOnlyError('it is a standby, and only reads')
  return client.query<{ timeline: number }>(TIMELINE).then(
    (answer) => answer.rows[0]?.timeline ?? 0,
    () => 0,
  )
}

/** Resolves when a response is overdue; counted in short steps, since this process itself may have been busy. */
const waitForSilence = async (): Promise<false> => {
  for (let waited = 0; waited < SILENCE_MS; waited += 250) await pause(250)
  return false
}

/** Closes a connection without waiting for the other end. */
const destroyConnection = (client: pg.Client): void => void client.connection.stream.destroy()

/** Uses a connection, and closes it if that takes too long. */
const withConnectionTimeout = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    destroyConnection(client)
  }, RESPONSE_TIMEOUT_MS)
  try {
    return await work()
  } catch (error) {
    throw isLate ? new Error('timeout expired', { cause: error }) : error
  } finally {
    clearTimeout(late)
  }
}

/**
 * A database on several hosts, one of which accepts writes. Its `Client` connects to that one and verifies it, for the pool and for the listening
 * connection. Each promotion starts a timeline with a higher number: a primary on a lower timeline than already seen has been replaced, and is not
 * written to, even if it still accepts writes.
 */
export class DatabaseHosts {
  readonly Client: new (config?: pg.ClientConfig) => pg.Client
  readonly #hosts: readonly Host[]
  readonly #address: pg.ClientConfig
  readonly #open = new Set<pg.Client>()
  #writer: Host | undefined
  #seeking: Promise<Host> | undefined
  #timeline = 0

  constructor(hosts: readonly Host[], address: pg.ClientConfig) {
    this.#hosts = hosts
    this.#address = address
    this.Client = this.#makeClient()
  }

  /** The host that accepts writes: the known one, or the one found by querying all of them. */
  find(): Promise<Host> {
    if (this.#writer) return Promise.resolve(this.#writer)
    this.#seeking ??= this.#seek().finally(() => {
      this.#seeking = undefined
    })
    return this.#seeking
  }

  /** Closes every open connection; operations in progress fail immediately. */
  cutOff(): void {
    this.#writer = undefined
    for (const client of this.#open) destroyConnection(client)
  }

  /**
   * Checks over an open connection that its database still responds and accepts writes, and that no other host has replaced it; otherwise all
   * connections are closed.
   */
  async check(client: pg.Client): Promise<void> {
    const timeline = readTimeline(client).then(
      () => true,
      () => false,
    )
    if (!(await Promise.race([timeline, waitForSilence()])) || (await this.#isReplaced())) this.cutOff()
  }

  async #isReplaced(): Promise<boolean> {
    const others = this.#hosts.filter((host) => host !== this.#writer)
    return Promise.any(others.map((host) => this.#ifPromoted(this.#queryHost(host)))).then(
      () => true,
      () => false,
    )
  }

  async #seek(): Promise<Host> {
    const queries = this.#hosts.map((host) => this.#queryHost(host))
    const promoted = await Promise.any(queries.map((answer) => this.#ifPromoted(answer))).catch(() => undefined)
    if (promoted) return (this.#writer = promoted.host)
    const answers = await Promise.allSettled(queries)
    const writers = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const newest = writers.toSorted((a, b) => b.timeline - a.timeline)[0]
    if (newest) return (this.#writer = newest.host)
    const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
    throw new ReadOnlyError(this.#hosts.map((host, at) => `${formatHost(host)}: ${getRefusal(reasons[at])}`).join('; '), {
      cause: new AggregateError(reasons),
    })
  }

  /** A writer on a higher timeline than already seen is current; the other hosts, one of which may not respond, need not be compared. */
  async #ifPromoted(answer: Promise<Writer>): Promise<Writer> {
    const writer = await answer
    if (this.#timeline === 0 || writer.timeline <= this.#timeline) throw new ReadOnlyError('it may have been replaced')
    return writer
  }

  async #queryHost(host: Host): Promise<Writer> {
    const client = Object.assign(new pg.Client(this.#address), host)
    client.on('error', () => {})
    try {
      return await withConnectionTimeout(client, async () => {
        await client.connect()
        return { host, timeline: this.#checkTimeline(await readTimeline(client)) }
      })
    } finally {
      client.end().catch(() => {})
    }
  }

  #checkTimeline(timeline: number): number {
    if (timeline < this.#timeline) throw new ReadOnlyError('it is a primary that another one has replaced')
    return timeline
  }

  #forget(host: Host): void {
    if (this.#writer === host) this.#writer = undefined
  }

  #makeClient(): new (config?: pg.ClientConfig) => pg.Client {
    const find = (): Promise<Host> => this.find()
    const cutOff = (): void => this.cutOff()
    const opened = async (client: pg.Client): Promise<void> => {
      this.#timeline = this.#checkTimeline(await readTimeline(client))
      this.#open.add(client)
      client.once('end', () => this.#open.delete(client))
    }
    const forget = (host: Host): void => this.#forget(host)

    return class extends pg.Client {
      constructor(config: pg.ClientConfig = {}) {
        // A pool makes the password of its configuration non-enumerable, so the spread omits it.
        super({ ...config, password: config.password, connectionTimeoutMillis: RESPONSE_TIMEOUT_MS })
        this.connection.on('errorMessage', ({ code }: { code?: string }) => {
          if (code === '25006') setImmediate(cutOff)
        })
      }

      override connect(): Promise<pg.Client>
      override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
      override connect(callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | void {
        if (!callback) return this.#connect()
        callbackify(() => this.#connect())(callback as (error: Error | null, client: pg.Client) => void)
      }

      async #connect(): Promise<pg.Client> {
        const host = await find()
        Object.assign(this, host)
        this.on('error', () => forget(host))
        try {
          await withConnectionTimeout(this, async () => {
            await super.connect()
            await opened(this)
          })
        } catch (error) {
          forget(host)
          destroyConnection(this)
          throw error
        }
        return this
      }
    }
  }
}
