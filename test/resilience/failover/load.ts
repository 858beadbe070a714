import { setTimeout as pause } from 'node:timers/promises'

/** A Homeroom server, and a user who sends requests to it. */
export interface Client {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Counts responses by kind. */
export class ResponseLog {
  sent = 0
  succeeded = 0
  /** `503` with `Retry-After`, as a problem. */
  unavailable = 0
  /** Anything else, as text. */
  readonly unexpected: string[] = []
  /** No response: a refused or broken connection. */
  readonly connectionErrors: string[] = []
  slowestMs = 0
  slowest = ''

  /** Sends one request; returns the response if it succeeded. */
  async send<T = unknown>(
    { url, headers }: Client,
    method: string,
    path: string,
    more: { body?: object; version?: number } = {},
  ): Promise<T | undefined> {
    this.sent++
    const began = performance.now()
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...headers,
          ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(more.version === undefined ? {} : { 'if-match': `"${more.version}"` }),
        },
        ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
        signal: AbortSignal.timeout(120_000),
      })
      const text = await response.text()
      if (response.status < 300) {
        this.succeeded++
        return JSON.parse(text) as T
      }
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
      if (response.status === 503 && Number(response.headers.get('retry-after')) > 0 && isProblem) this.unavailable++
      else this.unexpected.push(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
      this.connectionErrors.push(`${method} ${path}: ${String(error)} ${cause}`)
    } finally {
      const ms = performance.now() - began
      if (ms > this.slowestMs) [this.slowestMs, this.slowest] = [ms, `${method} ${path.split('?')[0]}`]
    }
    return undefined
  }
}

interface Brand {
  readonly _id: string
  readonly version: number
}

/** An acknowledged write: the state of the record after it. */
export interface Acknowledged {
  readonly record: string
  readonly version: number
  readonly value: string
}

const BETWEEN_WRITES_MS = 110
const BETWEEN_READS_MS = 60

/** Writers and readers on several servers, until they are stopped. */
export class Load {
  readonly writes = new ResponseLog()
  readonly reads = new ResponseLog()
  readonly edits: Acknowledged[] = []
  readonly created: Acknowledged[] = []
  /** Lists older than a save that the same server had acknowledged before. */
  readonly stale: string[] = []
  #isOver = false
  readonly #running: Promise<void>[] = []

  /** Edits one brand repeatedly, and reads the list of brands after each save. */
  edit(client: Client, brand: Brand): void {
    this.#running.push(this.#edit(client, brand))
  }

  /** Creates sites: three records each, in one transaction. */
  create(client: Client, name: string, body: object): void {
    this.#running.push(this.#make(client, name, body))
  }

  read(client: Client, paths: readonly string[]): void {
    this.#running.push(this.#read(client, paths))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  async #edit(client: Client, { _id, version: first }: Brand): Promise<void> {
    const path = `/locations-api/brandview/${_id}`
    let version: number | undefined = first
    for (let count = 1; !this.#isOver; count++, await pause(BETWEEN_WRITES_MS)) {
      // A write with an unknown outcome is looked up, not repeated.
      version ??= (await this.reads.send<Brand>(client, 'GET', path))?.version
      if (version === undefined) continue
      const value = `https://brand.example/${_id.slice(0, 8)}/${count}`
      const saved: Brand | undefined = await this.writes.send<Brand>(client, 'PUT', path, { body: { websiteUrl: value }, version })
      version = saved?.version
      if (saved === undefined) continue
      this.edits.push({ record: _id, version: saved.version, value })
      const list = await this.reads.send<Brand[]>(client, 'GET', '/locations-api/brand')
      const listed = list?.find((brand) => brand._id === _id)
      if (list && (listed?.version ?? 0) < saved.version) this.stale.push(`version ${listed?.version} after ${saved.version}`)
    }
  }

  async #make(client: Client, name: string, body: object): Promise<void> {
    for (let count = 1; !this.#isOver; count++, await pause(BETWEEN_WRITES_MS)) {
      const displayName = `${name} ${count}`
      const site = await this.writes.send<{ _id: string; version: number }>(client, 'POST', '/locations-api/site', {
        body: { ...body, name: displayName, displayName },
      })
      if (site) this.created.push({ record: site._id, version: site.version, value: displayName })
    }
  }

  async #read(client: Client, paths: readonly string[]): Promise<void> {
    for (let at = 0; !this.#isOver; at++, await pause(BETWEEN_READS_MS))
      await this.reads.send(client, 'GET', paths[at % paths.length] ?? '/')
  }
}
