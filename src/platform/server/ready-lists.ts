import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { Db, Queryable } from '../../database/connection.server.ts'
import type { Database } from '../../database/schema.ts'

export type Table = keyof Database

/** A populated list, the same for everyone signed in: its query answers one row of JSON text, made by PostgreSQL. */
export interface ListSource {
  /** The tables it reads; a change of any of them makes the list stale. */
  readonly reads: readonly Table[]
  readonly build: (db: Queryable) => Promise<string>
}

/** A list as bytes, ready to send; the packed forms are made when first asked for. */
export interface ReadyList {
  readonly etag: string
  readonly bytes: Buffer
  readonly packed: (encoding: 'br' | 'gzip') => Promise<Buffer>
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Bytes as brotli or gzip; `quality` is brotli's, 4 for what is sent once and 5 for what is kept. */
export const pack = (bytes: Buffer, encoding: 'br' | 'gzip', quality: 4 | 5): Promise<Buffer> =>
  encoding === 'br'
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
    : zip(bytes, { level: quality + 1 })

const readyFrom = (text: string): ReadyList => {
  const bytes = Buffer.from(text)
  const forms = new Map<string, Promise<Buffer>>()
  return {
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    packed: (encoding) => {
      let form = forms.get(encoding)
      if (!form) {
        form = pack(bytes, encoding, 5)
        form.catch(() => forms.delete(encoding))
        forms.set(encoding, form)
      }
      return form
    },
  }
}

interface Kept {
  readonly source: ListSource
  list: Promise<ReadyList> | undefined
}

/** Keeps each list as bytes until a table it reads changes (architecture, Lists kept ready). */
export class ReadyLists {
  readonly #db: Db
  readonly #kept = new Map<string, Kept>()

  constructor(db: Db) {
    this.#db = db
  }

  /** The list, built now where it is missing. A list under way when a change commits is not kept. */
  get(name: string, source: ListSource): Promise<ReadyList> {
    let kept = this.#kept.get(name)
    if (!kept) {
      kept = { source, list: undefined }
      this.#kept.set(name, kept)
    }
    if (kept.list) return kept.list
    const entry = kept
    const list = source.build(this.#db).then(readyFrom)
    entry.list = list
    list.catch(() => {
      if (entry.list === list) entry.list = undefined
    })
    return list
  }

  /** Called when changes of these tables have been committed. */
  drop(tables: Iterable<string>): void {
    const changed = new Set(tables)
    for (const kept of this.#kept.values()) if (kept.source.reads.some((table) => changed.has(table))) kept.list = undefined
  }

  /** Called when changes may have been missed (the listening connection was lost). */
  dropAll(): void {
    for (const kept of this.#kept.values()) kept.list = undefined
  }
}
