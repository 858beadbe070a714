import { setTimeout as pause } from 'node:timers/promises'
import { callbackify } from 'node:util'

import pg from 'pg'

import { type Host, formatHost } from './database-address.ts'
import { getErrorReason } from './startup-errors.ts'

/** How long a host may take to take a connection and to say whether it accepts writes. */
const RESPONSE_TIMEOUT_MS = 3_000
/** How long a connection may say nothing to a question that costs nothing, before all are taken for dead. */
const SILENCE_MS = 4_000

const getErrorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
/** Wrong user or password, no such database. */
const REFUSED = new Set(['28P01', '28000', '3D000'])

/** What a database says to a connection, in words. */
export const getRefusal = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = getErrorCode(error)
  if (code === '28P01' || code === '28000') return 'it refuses the user or the password'
  if (code === '3D000') return 'there is no database of that name on that server'
  if (code === '57P03') return 'it is just starting'
  if (/timeout/i.test(error.message)) return 'it does not answer in time'
  return getErrorReason(error)
}

interface Writer {
  readonly host: Host
  readonly timeline: number
}

/** A database that does not take what we write: a standby, or a primary that another one has replaced. It has PostgreSQL's code for that. */
export class ReadOnlyError extends Error {
  override readonly name = 'AcceptsNoWrites'
  readonly code = '25006'
  /** A mistake that no waiting fixes: a host that is there lets no one in. */
  get isRefused(): boolean {
    return this.cause instanceof AggregateError && this.cause.errors.some((error) => REFUSED.has(getErrorCode(error)))
  }
}

const READ_ONLY_CODE = `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "readsOnly"`
const TIMELINE = `select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`

/** Makes sure that a connection can write; gives the timeline it writes, or 0 where the engine has none. */
const readTimeline = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ readsOnly: boolean }>(READ_ONLY_CODE)
  if (rows[0]?.readsOnly !== false) throw new ReadOnlyError('it is a standby, and only reads')
  return client.query<{ timeline: number }>(TIMELINE).then(
    (answer) => answer.rows[0]?.timeline ?? 0,
    () => 0,
  )
}

/** The time after which no answer is one; in short steps, since none passes while this process itself is busy. */
const silence = async (): Promise<false> => {
  for (let waited = 0; waited < SILENCE_MS; waited += 250) await pause(250)
  return false
}

/** Breaks a connection off, whatever its other end does. */
const destroyConnection = (client: pg.Client): void => void client.connection.stream.destroy()

/** Does something with a connection that is broken off if it takes too long. */
const inTime = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
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
 * A database on several hosts, one of which accepts writes. Its `Client` connects to that one and verifies it, for the pool and for the connection that
 * listens. Each promotion begins a timeline of a higher number: a primary of a lower one than was seen has been replaced, and is not
 * written to, even if it does not know.
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

  /** The host that accepts writes: the one known to, or the one that all are asked for. */
  find(): Promise<Host> {
    if (this.#writer) return Promise.resolve(this.#writer)
    this.#seeking ??= this.#seek().finally(() => {
      this.#seeking = undefined
    })
    return this.#seeking
  }

  /** Breaks off every connection that is open; what was under way on them fails at once. */
  cutOff(): void {
    this.#writer = undefined
    for (const client of this.#open) destroyConnection(client)
  }

  /**
   * Asks over an open connection whether its database is still there and still writes, and the other hosts whether one of them has replaced it;
   * where all is not well, all connections are cut off.
   */
  async check(client: pg.Client): Promise<void> {
    const asking = readTimeline(client).then(
      () => true,
      () => false,
    )
    if (!(await Promise.race([asking, silence()])) || (await this.#isReplaced())) this.cutOff()
  }

  async #isReplaced(): Promise<boolean> {
    const others = this.#hosts.filter((host) => host !== this.#writer)
    return Promise.any(others.map((host) => this.#ifPromoted(this.#ask(host)))).then(
      () => true,
      () => false,
    )
  }

  async #seek(): Promise<Host> {
    const asked = this.#hosts.map((host) => this.#ask(host))
    const promoted = await Promise.any(asked.map((answer) => this.#ifPromoted(answer))).catch(() => undefined)
    if (promoted) return (this.#writer = promoted.host)
    const answers = await Promise.allSettled(asked)
    const writers = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const newest = writers.toSorted((a, b) => b.timeline - a.timeline)[0]
    if (newest) return (this.#writer = newest.host)
    const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
    throw new ReadOnlyError(this.#hosts.map((host, at) => `${formatHost(host)}: ${getRefusal(reasons[at])}`).join('; '), {
      cause: new AggregateError(reasons),
    })
  }

  /** A writer of a higher timeline than was seen needs no comparing with the others, of which one may be silent. */
  async #ifPromoted(answer: Promise<Writer>): Promise<Writer> {
    const writer = await answer
    if (this.#timeline === 0 || writer.timeline <= this.#timeline) throw new ReadOnlyError('it may have been replaced')
    return writer
  }

  async #ask(host: Host): Promise<Writer> {
    const client = Object.assign(new pg.Client(this.#address), host)
    client.on('error', () => {})
    try {
      return await inTime(client, async () => {
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
        // A pool hides the password of its configuration from code that copies it.
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
          await inTime(this, async () => {
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
