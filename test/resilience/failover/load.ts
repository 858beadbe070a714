import { setTimeout as pause } from 'node:timers/promises'

/** A server of Homeroom, and who asks it. */
export interface Asker {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** What answers came to. */
export class Answers {
  asked = 0
  good = 0
  /** `503` with `Retry-After`, as a problem. */
  notNow = 0
  /** Anything else, in words. */
  readonly other: string[] = []
  /** No answer: a connection that was refused or broken. */
  readonly none: string[] = []
  slowestMs = 0
  slowest = ''

  took(ms: number, what: string): void {
    if (ms <= this.slowestMs) return
    this.slowestMs = ms
    this.slowest = what
  }

  /** Asks once; gives the answer where it went well. */
  async ask<T = unknown>(
    { url, headers }: Asker,
    method: string,
    path: string,
    more: { body?: object; version?: number } = {},
  ): Promise<T | undefined> {
    this.asked++
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
        this.good++
        return JSON.parse(text) as T
      }
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
      if (response.status === 503 && Number(response.headers.get('retry-after')) > 0 && isProblem) this.notNow++
      else this.other.push(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
      this.none.push(`${method} ${path}: ${String(error)} ${cause}`)
    } finally {
      this.took(performance.now() - began, `${method} ${path.split('?')[0]}`)
    }
    return undefined
  }
}

interface Brand {
  readonly _id: string
  readonly version: number
}

/** A write that was acknowledged: what the record was then. */
export interface Acknowledged {
  readonly record: string
  readonly version: number
  readonly value: string
}

const BETWEEN_WRITES_MS = 110
const BETWEEN_READS_MS = 60

/** Writers and readers on several servers, until they are stopped. */
export class Load {
  readonly writes = new Answers()
  readonly reads = new Answers()
  readonly edits: Acknowledged[] = []
  readonly made: Acknowledged[] = []
  /** Lists that were older than a save which the same server had acknowledged before. */
  readonly older: string[] = []
  #isOver = false
  readonly #running: Promise<void>[] = []

  /** Edits one brand again and again, and reads the list of brands after each save. */
  edit(asker: Asker, brand: Brand): void {
    this.#running.push(this.#edit(asker, brand))
  }

  /** Makes sites: three records each, in one transaction. */
  make(asker: Asker, name: string, body: object): void {
    this.#running.push(this.#make(asker, name, body))
  }

  read(asker: Asker, paths: readonly string[]): void {
    this.#running.push(this.#read(asker, paths))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  async #edit(asker: Asker, { _id, version: first }: Brand): Promise<void> {
    const path = `/locations-api/brandview/${_id}`
    let version: number | undefined = first
    for (let count = 1; !this.#isOver; count++, await pause(BETWEEN_WRITES_MS)) {
      // What became of a write whose answer is not known is looked up, and not sent again.
      version ??= (await this.reads.ask<Brand>(asker, 'GET', path))?.version
      if (version === undefined) continue
      const value = `https://brand.example/${_id.slice(0, 8)}/${count}`
      const saved: Brand | undefined = await this.writes.ask<Brand>(asker, 'PUT', path, { body: { websiteUrl: value }, version })
      version = saved?.version
      if (saved === undefined) continue
      this.edits.push({ record: _id, version: saved.version, value })
      const list = await this.reads.ask<Brand[]>(asker, 'GET', '/locations-api/brand')
      const listed = list?.find((brand) => brand._id === _id)
      if (list && (listed?.version ?? 0) < saved.version) this.older.push(`version ${listed?.version} after ${saved.version}`)
    }
  }

  async #make(asker: Asker, name: string, body: object): Promise<void> {
    for (let count = 1; !this.#isOver; count++, await pause(BETWEEN_WRITES_MS)) {
      const displayName = `${name} ${count}`
      const site = await this.writes.ask<{ _id: string; version: number }>(asker, 'POST', '/locations-api/site', {
        body: { ...body, name: displayName, displayName },
      })
      if (site) this.made.push({ record: site._id, version: site.version, value: displayName })
    }
  }

  async #read(asker: Asker, paths: readonly string[]): Promise<void> {
    for (let at = 0; !this.#isOver; at++, await pause(BETWEEN_READS_MS)) await this.reads.ask(asker, 'GET', paths[at % paths.length] ?? '/')
  }
}
