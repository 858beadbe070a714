import { type CachedResponse, createForms, DISCARD_PLAIN_FROM_BYTES, toCachedResponse } from './cached-response.ts'
import type { RecordUpdate } from './change-poll.ts'
import { type ByteChunks, type ContentForm, compress, toChunks } from './compression.ts'
import type { ListSource } from './read-model/list-source.ts'
import type { ModelChange, ReadModel } from './read-model/read-model.ts'
import { isModelTable, type ModelRow, type ModelTable } from './read-model/tables.ts'
import { RowList } from './row-list.ts'
import { SharedReads } from './shared-reads.ts'
import { createSpooledStream } from './spooled-stream.ts'

const toCachedRowList = (rows: RowList): CachedResponse => {
  const now = new Map<ContentForm, ByteChunks>([['gzip', rows.gzip]])
  const create = async (form: ContentForm): Promise<ByteChunks> => {
    const plain = now.get('plain')
    const source = { chunks: rows.plain(), length: rows.length, areOurs: true }
    const chunks = form === 'plain' ? toChunks(await Array.fromAsync(source.chunks)) : await compress(plain ?? source, form, 5)
    now.set(form, chunks)
    return chunks
  }
  const { etag, length } = rows
  const streamPlain = length < DISCARD_PLAIN_FROM_BYTES ? undefined : createSpooledStream(() => rows.plain())
  return {
    etag,
    length,
    streamPlain: streamPlain && ((folder) => ({ chunks: streamPlain(folder), length })),
    ...createForms(now, create),
  }
}

/** Called with the tables that changed and the lines of `notify_record_change`; `any` if changes may have been missed. */
export type ChangeListener = (tables: ReadonlySet<string> | 'any', lines: readonly string[]) => void

interface CacheEntry {
  readonly source: ListSource
  list: Promise<CachedResponse> | undefined
  /** The response of `list`, once it is available. */
  now: CachedResponse | undefined
  /** Whether building `list` has begun; until then it will include every committed change. */
  hasStarted: boolean
  /** The build in progress, of this list or of one that a change has made stale. */
  building: Promise<unknown> | undefined
  /** The rows of a long list, and those that have to be rendered again. */
  rows: RowList | undefined
  changed: Set<string>
  /** Counts how often the rows were discarded, so that rows rendered in the meantime are discarded too. */
  evictions: number
  /** When it was last requested, and how long its last build took. */
  requestedAt: number
  buildMs: number
  refresh: NodeJS.Timeout | undefined
}

/** From this many rows on, it is cheaper to render the whole list again. */
const MAX_CHANGED_ROWS = 2000
const MAX_OWN_TRANSACTIONS = 1000
/** A long list that was requested this recently is updated after a change without waiting for the next request. */
const KEEP_FRESH_MS = 10_000
/** Between two such updates, at least this many times as long as the last one took, so that they take a fifth of the time at most. */
const REST_FACTOR = 4
/** How long notifications are collected: our own changes are known by then, and those of other servers are read together. */
const GATHER_MS = 5

/** The number of the transaction that a line of `notify_record_change` belongs to. */
const getTransaction = (line: string): string | undefined => /"x": "(\d+)"/.exec(line)?.[1]

/** Keeps each list as bytes until a record that it shows changes, since building a long one takes up to a second. */
export class ListCache {
  readonly #model: ReadModel
  readonly #entries = new Map<string, CacheEntry>()
  readonly #listeners: ChangeListener[] = []
  /** This server's own transactions, whose notifications it also receives. */
  readonly #own = new Set<string>()
  #notified: string[] = []
  #handling: NodeJS.Timeout | undefined
  /** Resolves once all notifications received so far are processed. */
  #processed: Promise<unknown> = Promise.resolve()
  /** Reads what was committed so far, set by the change feed. */
  #readCommitted: () => Promise<void> = async () => {}
  readonly #catchUps = new SharedReads<void>()
  /** How many lists have been built so far. */
  builds = 0

  constructor(model: ReadModel) {
    this.#model = model
    model.onChange((change) => this.#drop(change))
  }

  /**
   * The list, at least as recent as this call. Only one build runs at a time: a request that arrives during a stale build waits for the next one.
   */
  async get(name: string, source: ListSource): Promise<CachedResponse> {
    await this.#model.ready()
    let entry = this.#entries.get(name)
    if (!entry) {
      entry = {
        source,
        list: undefined,
        now: undefined,
        hasStarted: false,
        building: undefined,
        rows: undefined,
        changed: new Set(),
        evictions: 0,
        requestedAt: 0,
        buildMs: 0,
        refresh: undefined,
      }
      this.#entries.set(name, entry)
    }
    entry.requestedAt = performance.now()
    return this.#getList(name, entry)
  }

  #getList(name: string, entry: CacheEntry): Promise<CachedResponse> {
    if (entry.list) return entry.list
    this.builds++
    entry.hasStarted = false
    const list: Promise<CachedResponse> = this.#after(entry.building, () => {
      if (entry.list === list) entry.hasStarted = true
      return this.#build(entry)
    })
    entry.list = list
    entry.building = list
    void this.#store(name, entry, list)
    return list
  }

  async #store(name: string, entry: CacheEntry, list: Promise<CachedResponse>): Promise<void> {
    try {
      const ready = await list
      if (entry.list === list) entry.now = ready
    } catch {
      if (entry.list !== list) return
      entry.list = undefined
      // A list of something that does not exist, such as an unknown region, leaves no cache entry.
      if (this.#entries.get(name) === entry) this.#entries.delete(name)
    }
  }

  async #after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
    await before?.catch(() => {})
    return work()
  }

  async #build(entry: CacheEntry): Promise<CachedResponse> {
    const { source, rows, changed, evictions } = entry
    const model = this.#model
    const startedAt = performance.now()
    if ('build' in source) return toCachedResponse(JSON.stringify(await source.build(model)))
    entry.changed = new Set()
    entry.rows = undefined // if rendering fails, the next attempt renders everything
    const ids = source.getIds(model)
    const render = (_id: string): string | undefined => {
      const row = source.toRow(model, _id)
      return row && JSON.stringify(row)
    }
    const list = rows ? await rows.update(ids, changed, render) : await RowList.build(ids, render)
    if (entry.evictions === evictions) entry.rows = list
    entry.buildMs = performance.now() - startedAt
    return toCachedRowList(list)
  }

  /** Whether the changes of other processes are received. */
  get isFollowingChanges(): boolean {
    return this.#model.isFollowing
  }

  /** Sets how `catchUp` reads what every process has committed so far. */
  setReadCommitted(read: () => Promise<void>): void {
    this.#readCommitted = read
  }

  /** Waits until everything that any process had committed at the time of this call is processed here; calls during a run share the next one. */
  catchUp(): Promise<void> {
    return this.#catchUps.read('', () => this.#readCommitted())
  }

  /** The list, if it is available already. */
  getIfReady(name: string): CachedResponse | undefined {
    const entry = this.#model.isReady ? this.#entries.get(name) : undefined
    if (entry) entry.requestedAt = performance.now()
    return entry?.now
  }

  /** Registers a listener that caches data derived from the tables. */
  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener)
  }

  /**
   * Called when one of our transactions has committed, with the lines of its changes or the names of the tables; resolves once the records are up to
   * date.
   */
  async invalidate(lines: Iterable<string>): Promise<void> {
    const all = [...lines]
    for (const line of all) this.#addOwn(getTransaction(line))
    await this.#handle(all)
  }

  /** Called when a single statement of ours has changed a row that the read model holds. */
  put<T extends ModelTable>(table: T, key: string, row: ModelRow<T>): void {
    for (const listener of this.#listeners) listener(new Set([table]), [])
    this.#model.put(table, key, row)
  }

  #addOwn(transaction: string | undefined): void {
    if (transaction === undefined) return
    if (this.#own.size >= MAX_OWN_TRANSACTIONS) this.#own.clear()
    this.#own.add(transaction)
  }

  /** Called with each notification of the database, from any process. */
  handleNotification(line: string): void {
    this.#notified.push(line)
    this.#handling ??= setTimeout(() => void this.handleNotified(), GATHER_MS)
  }

  /** Called with updates found in the history, from any process; known ones are ignored. */
  handleUpdates(updates: readonly RecordUpdate[]): void {
    for (const { table, record, version } of updates) {
      if (!isModelTable(table) || (this.#model.table(table).get(record)?.version ?? 0) >= version) continue
      this.handleNotification(`${table} ${JSON.stringify({ _id: [record] })}`)
    }
  }

  /** Processes the notifications received so far; resolves once that is done. */
  async handleNotified(): Promise<void> {
    clearTimeout(this.#handling)
    this.#handling = undefined
    const lines = this.#notified.splice(0).filter((line) => !this.#own.has(getTransaction(line) ?? ''))
    // Also waits for the lines that are already being processed.
    this.#processed = Promise.all([this.#processed, this.#handle(lines)])
    await this.#processed
  }

  async #handle(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return
    const tables = new Set(lines.map((line) => line.split(' ', 1)[0] ?? ''))
    for (const listener of this.#listeners) listener(tables, lines)
    // The save has succeeded: if the records cannot be read now, the next read waits until they can.
    await this.#model.refresh(lines).catch(() => {})
  }

  /** Called when changes may have been missed (the listening connection was lost). */
  invalidateAll(isFollowing: boolean): void {
    for (const listener of this.#listeners) listener('any', [])
    this.#model.isFollowing = isFollowing
    this.#model.invalidateAll()
  }

  #drop(change: ModelChange): void {
    for (const [name, entry] of this.#entries) {
      if (!this.#affects(entry, change) || !entry.hasStarted) continue
      entry.list = entry.now = undefined
      this.#refreshSoon(name, entry)
    }
  }

  /** Several changes at about the same time share an update. */
  #refreshSoon(name: string, entry: CacheEntry): void {
    if ('build' in entry.source || performance.now() - entry.requestedAt > KEEP_FRESH_MS) return
    entry.refresh ??= setTimeout(() => {
      entry.refresh = undefined
      if (this.#model.isReady && this.#entries.get(name) === entry) this.#getList(name, entry).catch(() => {}) // the next request gets the error
    }, entry.buildMs * REST_FACTOR).unref()
  }

  /** Whether a list shows what changed; notes the affected rows. */
  #affects(entry: CacheEntry, change: ModelChange): boolean {
    const { source } = entry
    if (change === 'everything') return clearRows(entry)
    if ('build' in source) return change.some(({ table }) => source.reads.includes(table))
    let isAffected = false
    for (const one of change) {
      const affected = source.findAffected(this.#model, one)
      if (affected === 'all') return clearRows(entry)
      for (const _id of affected) {
        entry.changed.add(_id)
        isAffected = true
      }
    }
    return entry.changed.size > MAX_CHANGED_ROWS ? clearRows(entry) : isAffected
  }
}

const clearRows = (entry: CacheEntry): true => {
  entry.rows = undefined
  entry.changed = new Set()
  entry.evictions++
  return true
}
