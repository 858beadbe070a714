import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createBrotliDecompress, createGunzip, createGzip } from 'node:zlib'

import type { Pool } from 'pg'

import type { Db } from '../../database/connection.server.ts'
import type { Pieces } from '../../database/json.server.ts'
import type { Database } from '../../database/schema.ts'

export type Table = keyof Database

/** A populated list, the same for everyone signed in: its JSON, put together by PostgreSQL. */
export interface ListSource {
  /** The tables it reads; a change of any of them makes the list stale. */
  readonly reads: readonly Table[]
  readonly build: (database: { readonly db: Db; readonly pool: Pool }) => Promise<string | Pieces>
}

export type Packing = 'br' | 'gzip'
/** How a list travels. */
export type Form = Packing | 'plain'

/** A list as bytes, ready to send; its packed forms are made when first asked for. */
export interface ReadyList {
  readonly etag: string
  /** Of the plain form. */
  readonly length: number
  readonly form: (form: Form) => Promise<Pieces>
  /** A form that is there already. */
  readonly formNow: (form: Form) => Pieces | undefined
}

/** Bytes as brotli or gzip; `quality` is brotli's, 4 for what is sent once and 5 for what is kept. */
export const pack = async ({ pieces, length }: Pieces, encoding: Packing, quality: 4 | 5): Promise<Pieces> => {
  const packer =
    encoding === 'br'
      ? createBrotliCompress({
          params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: length },
          chunkSize: length < BIG ? CHUNK : BIG_CHUNK,
        })
      : createGzip({ level: quality + 1, chunkSize: length < BIG ? CHUNK : BIG_CHUNK })
  const packed: Buffer[] = []
  await pipeline(pieces, packer, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) packed.push(chunk)
  })
  return { pieces: packed, length: packed.reduce((sum, piece) => sum + piece.length, 0) }
}

const BIG = 1 << 20
const CHUNK = 16 << 10
const BIG_CHUNK = 1 << 20

const unpack = async ({ pieces }: Pieces, encoding: Packing): Promise<Pieces> => {
  const unpacker = encoding === 'br' ? createBrotliDecompress({ chunkSize: BIG_CHUNK }) : createGunzip({ chunkSize: BIG_CHUNK })
  const plain: Buffer[] = []
  await pipeline(pieces, unpacker, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) plain.push(chunk)
  })
  return { pieces: plain, length: plain.reduce((sum, piece) => sum + piece.length, 0) }
}

/** From this size on the plain form is let go once a packed one is there, until somebody asks for it: browsers never do. */
const LET_GO_FROM = 4 << 20

export const inPieces = (text: string): Pieces => {
  const bytes = Buffer.from(text)
  return { pieces: [bytes], length: bytes.length }
}

const etagOf = ({ pieces }: Pieces): string => {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return `"${hash.digest('base64url').slice(0, 27)}"`
}

/** Gives memory back at once that a collector of garbage might leave for minutes; whoever still read it would find nothing. */
const giveBack = (bytes: Pieces | undefined): void => {
  for (const { buffer } of bytes?.pieces ?? []) if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

const readyFrom = (made: string | Pieces): ReadyList => {
  const plain = typeof made === 'string' ? inPieces(made) : made
  const { length } = plain
  const now = new Map<Form, Pieces>([['plain', plain]])
  const coming = new Map<Form, Promise<Pieces>>()
  // From then on it may be on its way to somebody at any time, and stays.
  let isPlainAsked = false
  let packers = 0

  const plainAgain = async (): Promise<Pieces> => {
    const there = now.get('plain')
    if (there) return there
    const packing = now.has('br') ? 'br' : 'gzip'
    return unpack(now.get(packing) ?? inPieces(''), packing)
  }
  const packed = async (packing: Packing): Promise<Pieces> => {
    packers++
    try {
      return await pack(await plainAgain(), packing, 5)
    } finally {
      packers--
    }
  }
  const make = async (form: Form): Promise<Pieces> => {
    const pieces = form === 'plain' ? await plainAgain() : await packed(form)
    now.set(form, pieces)
    if (form !== 'plain' && packers === 0 && !isPlainAsked && length >= LET_GO_FROM) {
      giveBack(now.get('plain'))
      now.delete('plain')
    }
    return pieces
  }
  const there = (form: Form): Pieces | undefined => {
    isPlainAsked ||= form === 'plain'
    return now.get(form)
  }
  return {
    etag: etagOf(plain),
    length,
    formNow: there,
    form: async (form) => {
      const pieces = there(form)
      if (pieces) return pieces
      const making = coming.get(form) ?? make(form).finally(() => coming.delete(form))
      coming.set(form, making)
      return making
    },
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
  /** How many were put together so far. */
  builds = 0

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
    this.builds++
    const list = source.build(this.#database).then((made) => {
      const ready = readyFrom(made)
      if (entry.list === list) entry.now = ready
      return ready
    })
    entry.list = list
    list.catch(() => {
      if (entry.list !== list) return
      entry.list = undefined
      // A list of nothing that exists, as of a region nobody knows, leaves no name behind.
      this.#kept.delete(name)
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
