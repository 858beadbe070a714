import { createHash } from 'node:crypto'

import type { Pool } from 'pg'

import type { Db } from '../../database/connection.server.ts'
import type { ByteChunks } from '../../database/json.server.ts'
import type { Database } from '../../database/schema.ts'
import { type ContentForm, freeMemory, toPieces, compress, type Compression, decompress } from './compression.ts'
import { parseRecordChange, type RecordChange } from './record-change.ts'
import { RowList, type RowSource } from './row-list.ts'

export type Table = keyof Database

/** A populated list, the same for everyone signed in: its JSON, put together by PostgreSQL. */
export interface ListSource {
  /** The tables it reads; a change of any of them makes the list stale. */
  readonly reads: readonly Table[]
  /** How it is made: at once, or row by row, so that a change reads just what it touched again. */
  readonly build: ((database: { readonly db: Db; readonly pool: Pool }) => Promise<string | ByteChunks>) | RowSource
}

/** A list as bytes, ready to send; its packed forms are made when first asked for. */
export interface CachedList {
  readonly etag: string
  /** Of the plain form. */
  readonly length: number
  readonly getForm: (form: ContentForm) => Promise<ByteChunks>
  /** A form that is there already. */
  readonly getFormIfReady: (form: ContentForm) => ByteChunks | undefined
  /** A form that costs nothing to make, better than to wait for another. */
  readonly immediateForm: ContentForm | undefined
}

/** From this size on the plain form is let go once a packed one is there, until somebody asks for it: browsers never do. */
const DISCARD_PLAIN_FROM_BYTES = 4 << 20

const computeEtag = ({ pieces }: ByteChunks): string => {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return `"${hash.digest('base64url').slice(0, 27)}"`
}

/** Makes each form once, whoever waits for it. */
const createForms = (
  now: Map<ContentForm, ByteChunks>,
  make: (form: ContentForm) => Promise<ByteChunks>,
  asked: (form: ContentForm) => void = () => {},
): Pick<CachedList, 'getForm' | 'getFormIfReady'> => {
  const coming = new Map<ContentForm, Promise<ByteChunks>>()
  const there = (form: ContentForm): ByteChunks | undefined => {
    asked(form)
    return now.get(form)
  }
  return {
    getFormIfReady: there,
    getForm: async (form) => {
      const pieces = there(form)
      if (pieces) return pieces
      const making = coming.get(form) ?? make(form).finally(() => coming.delete(form))
      coming.set(form, making)
      return making
    },
  }
}

const toCachedList = (made: string | ByteChunks): CachedList => {
  const plain = typeof made === 'string' ? toPieces([Buffer.from(made)]) : made
  const { length } = plain
  const now = new Map<ContentForm, ByteChunks>([['plain', plain]])
  // From then on it may be on its way to somebody at any time, and stays.
  let isPlainAsked = false
  let packers = 0

  const plainAgain = async (): Promise<ByteChunks> => {
    const there = now.get('plain')
    if (there) return there
    const packing = now.has('br') ? 'br' : 'gzip'
    return decompress(now.get(packing) ?? toPieces([]), packing)
  }
  const packed = async (packing: Compression): Promise<ByteChunks> => {
    packers++
    try {
      return await compress(await plainAgain(), packing, 5)
    } finally {
      packers--
    }
  }
  const make = async (form: ContentForm): Promise<ByteChunks> => {
    const pieces = form === 'plain' ? await plainAgain() : await packed(form)
    now.set(form, pieces)
    if (form !== 'plain' && packers === 0 && !isPlainAsked && length >= DISCARD_PLAIN_FROM_BYTES) {
      freeMemory(now.get('plain'))
      now.delete('plain')
    }
    return pieces
  }
  return {
    etag: computeEtag(plain),
    length,
    immediateForm: undefined,
    ...createForms(now, make, (form) => void (isPlainAsked ||= form === 'plain')),
  }
}

const toCachedRowList = (rows: RowList): CachedList => {
  const now = new Map<ContentForm, ByteChunks>([['gzip', rows.gzip]])
  const make = async (form: ContentForm): Promise<ByteChunks> => {
    const there = now.get('plain')
    const coming = { pieces: rows.plain(), length: rows.length, areOurs: true }
    const pieces = form === 'plain' ? toPieces(await Array.fromAsync(coming.pieces)) : await compress(there ?? coming, form, 5)
    now.set(form, pieces)
    return pieces
  }
  return { etag: rows.etag, length: rows.length, immediateForm: 'gzip', ...createForms(now, make) }
}

interface CacheEntry {
  readonly source: ListSource
  list: Promise<CachedList> | undefined
  /** The same, once it is there. */
  now: CachedList | undefined
  /** Whether the making of `list` has begun: until then it will have every change that commits. */
  hasBegun: boolean
  /** The making that goes on, of this list or of one that a change has overtaken. */
  making: Promise<unknown> | undefined
  /** The rows of a list that is read row by row, and what has changed since they were read. */
  rows: RowList | undefined
  changes: RecordChange[]
  /** Counts how often that was forgotten: what was being read meanwhile is not kept either. */
  forgotten: number
}

/** From so many changes on it is cheaper to read a whole list anew than to keep them in mind. */
const MAX_PENDING_CHANGES = 500
const MAX_OWN_CHANGES = 1000

/** Keeps each list as bytes until a table it reads changes (architecture, Lists kept ready; decision 040). */
export class ListCache {
  readonly #database: { readonly db: Db; readonly pool: Pool }
  readonly #kept = new Map<string, CacheEntry>()
  readonly #listeners: ((tables: ReadonlySet<string> | 'any') => void)[] = []
  /** Lines of our own transactions, which come back to us as news. */
  readonly #own = new Set<string>()
  /** True while the changes of other processes are heard of (database-changes.ts). */
  isFollowingChanges = false
  /** How many were put together so far. */
  builds = 0

  constructor(database: { readonly db: Db; readonly pool: Pool }) {
    this.#database = database
  }

  /**
   * The list as of now or later. One making at a time: who comes while a list is made that a change has overtaken waits for the next, with everybody
   * else who came since. While changes of other processes are not heard of, no list is good for a second request.
   */
  get(name: string, source: ListSource): Promise<CachedList> {
    let kept = this.#kept.get(name)
    if (!kept) {
      kept = { source, list: undefined, now: undefined, hasBegun: false, making: undefined, rows: undefined, changes: [], forgotten: 0 }
      this.#kept.set(name, kept)
    }
    if (kept.list && (this.isFollowingChanges || !kept.hasBegun)) return kept.list
    const entry = kept
    this.builds++
    entry.hasBegun = false
    const list: Promise<CachedList> = this.#after(entry.making, () => {
      if (entry.list === list) entry.hasBegun = true
      return this.#make(entry)
    })
    entry.list = list
    entry.making = list
    void this.#keep(name, entry, list)
    return list
  }

  async #keep(name: string, entry: CacheEntry, list: Promise<CachedList>): Promise<void> {
    try {
      const ready = await list
      if (entry.list === list) entry.now = ready
    } catch {
      if (entry.list !== list) return
      entry.list = undefined
      // A list of nothing that exists, as of a region nobody knows, leaves no name behind.
      this.#kept.delete(name)
    }
  }

  async #after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
    await before?.catch(() => {})
    return work()
  }

  async #make(entry: CacheEntry): Promise<CachedList> {
    const { build } = entry.source
    if (typeof build === 'function') return toCachedList(await build(this.#database))
    const { db, pool } = this.#database
    const { rows, changes, forgotten } = entry
    entry.changes = []
    entry.rows = undefined // where the reading fails, the next one reads everything
    const read = rows && this.isFollowingChanges ? await rows.after(pool, db, build, changes) : await RowList.read(pool, db, build)
    if (entry.forgotten === forgotten) entry.rows = read
    return toCachedRowList(read)
  }

  /** The list, where it is there already. */
  getIfReady(name: string): CachedList | undefined {
    return this.isFollowingChanges ? this.#kept.get(name)?.now : undefined
  }

  /** Tells whoever keeps something else that follows from the tables. */
  onChange(listener: (tables: ReadonlySet<string> | 'any') => void): void {
    this.#listeners.push(listener)
  }

  /** Called when our own transaction has committed, with the lines of its changes, or the names of the tables. */
  invalidate(lines: Iterable<string>): void {
    const all = [...lines]
    for (const line of all.filter((one) => one.includes(' '))) {
      if (this.#own.size >= MAX_OWN_CHANGES) this.#own.clear()
      this.#own.add(line)
    }
    this.#drop(all)
  }

  /** Called with each line that the database tells, of any process. */
  handleNotification(line: string): void {
    if (!this.#own.delete(line)) this.#drop([line])
  }

  #drop(lines: readonly string[]): void {
    const changes = lines.map(parseRecordChange)
    const tables = new Set<string>(changes.map(({ table }) => table))
    for (const listener of this.#listeners) listener(tables)
    for (const kept of this.#kept.values()) {
      const reads = changes.filter(({ table }) => kept.source.reads.includes(table))
      if (reads.length === 0) continue
      kept.changes.push(...reads)
      if (kept.changes.length > MAX_PENDING_CHANGES) clearRows(kept)
      if (kept.hasBegun) kept.list = kept.now = undefined
    }
  }

  /** Called when changes may have been missed (the listening connection was lost). */
  invalidateAll(): void {
    for (const listener of this.#listeners) listener('any')
    for (const kept of this.#kept.values()) {
      clearRows(kept)
      if (kept.hasBegun) kept.list = kept.now = undefined
    }
  }
}

const clearRows = (kept: CacheEntry): void => {
  kept.rows = undefined
  kept.changes = []
  kept.forgotten++
}
