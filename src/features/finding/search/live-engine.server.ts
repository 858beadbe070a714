import { setTimeout as delay } from 'node:timers/promises'

import { memoize } from '../../../contract/memoize.ts'
import type { ModelChange, ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { nextTurn } from '../../../platform/server/time-slices.ts'
import { SEARCHED_TABLES, type SearchedTable } from './engine/records.ts'
import { type EngineResult, SearchEngine, type SearchOptions } from './engine/search-engine.ts'
import type { SearchedChange } from './engine/search-index.ts'

const isSearched = (table: string): table is SearchedTable => SEARCHED_TABLES.some((searched) => searched === table)

/** Records that are indexed between two turns of the event loop: a few milliseconds. */
const RECORDS_PER_BATCH = 50

/** A change is applied this long after a save, unless a search needs it before: a record that is saved again and again is indexed once. */
const APPLY_AFTER_MS = 100

/** Results that are kept until anything changes: many people type the same beginnings of names, roles and places. */
const MAX_RESULTS = 200

/** A search engine that follows a read model. */
class LiveEngine {
  readonly #model: ReadModel
  #engine = new SearchEngine()
  readonly #results = new Map<string, EngineResult>()
  /** Changes received while the engine is being built. */
  #waiting: SearchedChange[] | undefined
  /** Changes that the index does not have yet, by row. */
  readonly #pending = new Map<string, SearchedChange>()
  #applying: NodeJS.Timeout | undefined
  #build: Promise<void> | undefined
  #isBuilt = false

  constructor(model: ReadModel) {
    this.#model = model
    model.onChange((change) => this.#follow(change))
  }

  #follow(change: ModelChange): void {
    this.#results.clear()
    if (change === 'everything') {
      this.#isBuilt = false
      this.#waiting = undefined
      this.#pending.clear()
      return
    }
    for (const row of change) {
      if (!isSearched(row.table)) continue
      if (this.#isBuilt) this.#changeSoon(`${row.table} ${row.key}`, row as SearchedChange)
      else this.#waiting?.push(row as SearchedChange)
    }
  }

  #changeSoon(key: string, change: SearchedChange): void {
    const { before } = this.#pending.get(key) ?? change
    this.#pending.set(key, { ...change, before })
    if (this.#pending.size >= RECORDS_PER_BATCH) this.#apply()
    else this.#applying ??= setTimeout(() => this.#applyOrRebuild(), APPLY_AFTER_MS).unref()
  }

  /** Outside of a request: an index that cannot take a change is built again by the next search, which reports what is wrong. */
  #applyOrRebuild(): void {
    try {
      this.#apply()
    } catch {
      this.#follow('everything')
    }
  }

  #apply(): void {
    clearTimeout(this.#applying)
    this.#applying = undefined
    for (const change of this.#pending.values()) this.#engine.change(change)
    this.#pending.clear()
  }

  /** The result of a search, once the engine is up to date with the read model. */
  async search(typed: string, options: SearchOptions): Promise<EngineResult> {
    await this.prepare()
    this.#apply()
    if (options.affairNumbers?.length) return this.#engine.search(typed, options)
    const key = `${options.only ?? ''} ${options.maxPerKind} ${typed}`
    const known = this.#results.get(key)
    if (known) return known
    const result = this.#engine.search(typed, options)
    if (this.#results.size >= MAX_RESULTS) this.#results.clear()
    this.#results.set(key, result)
    return result
  }

  /** Whether the index exists, or does within this time. */
  isBuiltWithin(milliseconds: number): Promise<boolean> {
    return this.#isBuilt
      ? Promise.resolve(true)
      : Promise.race([this.prepare().then(() => true), delay(milliseconds, false, { ref: false })])
  }

  /** Builds the index if it does not exist yet. */
  async prepare(): Promise<void> {
    await this.#model.ready()
    while (!this.#isBuilt) {
      this.#build ??= this.#index().finally(() => {
        this.#build = undefined
      })
      await this.#build
    }
  }

  async #index(): Promise<void> {
    const engine = new SearchEngine()
    const waiting: SearchedChange[] = []
    this.#waiting = waiting
    const tables = SEARCHED_TABLES.map((table) => ({ table, rows: [...this.#model.table(table).all()] }))
    for (const { table, rows } of tables)
      for (const [at, after] of rows.entries()) {
        engine.change({ table, before: undefined, after } as unknown as SearchedChange)
        if (at % RECORDS_PER_BATCH === 0) await nextTurn()
      }
    if (this.#waiting !== waiting) return // everything was read again in the meantime
    for (const change of waiting) engine.change(change)
    this.#engine = engine
    this.#isBuilt = true
    this.#waiting = undefined
  }
}

/** The search engine of a server. */
export const getSearchEngine = memoize((model: ReadModel) => new LiveEngine(model))
