import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { Pool } from 'pg'

import type { Db } from '../../database/connection.server.ts'
import type { Database } from '../../database/schema.ts'

export type Table = keyof Database

/** A populated list, the same for everyone signed in: its JSON, put together by PostgreSQL. */
export interface ListSource {
  /** The tables it reads; a change of any of them makes the list stale. */
  readonly reads: readonly Table[]
  readonly build: (database: { readonly db: Db; readonly pool: Pool }) => Promise<string | Buffer>
}

/** A list as bytes, ready to send; the packed forms are made when first asked for. */
export interface ReadyList {
  readonly etag: string
  readonly bytes: Buffer
  readonly packed: (encoding: 'br' | 'gzip') => Promise<Buffer>
  /** A packed form that is there already. */
  readonly packedNow: (encoding: 'br' | 'gzip') => Buffer | undefined
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Bytes as brotli or gzip; `quality` is brotli's, 4 for what is sent once and 5 for what is kept. */
export const pack = (bytes: Buffer, encoding: 'br' | 'gzip', quality: 4 | 5): Promise<Buffer> =>
  encoding === 'br'
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
    : zip(bytes, { level: quality + 1 })

const readyFrom = (made: string | Buffer): ReadyList => {
  const bytes = typeof made === 'string' ? Buffer.from(made) : made
  const forms = new Map<string, Promise<Buffer>>()
  const now = new Map<string, Buffer>()
  return {
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    packed: (encoding) => {
      let form = forms.get(encoding)
      if (!form) {
        form = pack(bytes, encoding, 5).then((packed) => {
          now.set(encoding, packed)
          return packed
        })
        form.catch(() => forms.delete(encoding))
        forms.set(encoding, form)
      }
      return form
    },
    packedNow: (encoding) => now.get(encoding),
  }
}

interface Kept {
  readonly source: ListSource
  list: Promise<ReadyList> | undefined
  /** The same, once it is there. */
  now: ReadyList | undefined
}

/** Keeps each list as bytes until a table it reads changes (architecture, Lists kept ready). */
export class ReadyLists {
  readonly #database: { readonly db: Db; readonly pool: Pool }
  readonly #kept = new Map<string, Kept>()
  readonly #listeners: ((tables: ReadonlySet<string> | 'any') => void)[] = []
  /** True while the changes of other processes are heard of (database-changes.ts). */
  following = false

  constructor(database: { readonly db: Db; readonly pool: Pool }) {
    this.#database = database
  }

  /** The list, built now where it is missing. A list under way when a change commits is not kept. */
  get(name: string, source: ListSource): Promise<ReadyList> {
    let kept = this.#kept.get(name)
    if (!kept) {
      kept = { source, list: undefined, now: undefined }
      this.#kept.set(name, kept)
    }
    if (kept.list) return kept.list
    const entry = kept
    const list = source.build(this.#database).then((made) => {
      const ready = readyFrom(made)
      if (entry.list === list) entry.now = ready
      return ready
    })
    entry.list = list
    list.catch(() => {
      if (entry.list === list) entry.list = undefined
    })
    return list
  }

  /** The list, where it is there already. */
  getNow(name: string): ReadyList | undefined {
    return this.#kept.get(name)?.now
  }

  /** Tells whoever keeps something else that follows from the tables. */
  onChange(listener: (tables: ReadonlySet<string> | 'any') => void): void {
    this.#listeners.push(listener)
  }

  /** Called when changes of these tables have been committed. */
  drop(tables: Iterable<string>): void {
    const changed = new Set(tables)
    for (const listener of this.#listeners) listener(changed)
    for (const kept of this.#kept.values()) if (kept.source.reads.some((table) => changed.has(table))) kept.list = kept.now = undefined
  }

  /** Called when changes may have been missed (the listening connection was lost). */
  dropAll(): void {
    for (const listener of this.#listeners) listener('any')
    for (const kept of this.#kept.values()) kept.list = kept.now = undefined
  }
}
