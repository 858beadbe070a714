import { setImmediate as nextTurn } from 'node:timers/promises'

import type { ModelChange, ReadModel } from '../../../platform/server/read-model/read-model.ts'
import type { SearchedTable } from './engine/records.ts'
import { SearchEngine } from './engine/search-engine.ts'
import type { SearchedChange } from './engine/search-index.ts'

/** The searched tables, those that others refer to first. */
const SEARCHED_TABLES = [
  'region',
  'brand',
  'charter',
  'role',
  'site',
  'facility',
  'person',
  'site_person',
] as const satisfies SearchedTable[]
const isSearched = (table: string): table is SearchedTable => SEARCHED_TABLES.some((searched) => searched === table)

/** Records that are indexed between two turns of the event loop: a few milliseconds. */
const RECORDS_PER_TURN = 50

/** A search engine that follows a read model. */
class LiveEngine {
  readonly #model: ReadModel
  #engine = new SearchEngine()
  /** Changes that came while the engine is built. */
  #waiting: SearchedChange[] | undefined
  #build: Promise<void> | undefined
  #isBuilt = false

  constructor(model: ReadModel) {
    this.#model = model
    model.onChange((change) => this.#follow(change))
  }

  #follow(change: ModelChange): void {
    if (change === 'everything') {
      this.#isBuilt = false
      this.#waiting = undefined
      return
    }
    for (const row of change) {
      if (!isSearched(row.table)) continue
      if (this.#isBuilt) this.#engine.change(row as SearchedChange)
      else this.#waiting?.push(row as SearchedChange)
    }
  }

  /** The engine, once it knows what the read model knows. */
  async get(): Promise<SearchEngine> {
    await this.#model.ready()
    while (!this.#isBuilt) {
      this.#build ??= this.#index().finally(() => {
        this.#build = undefined
      })
      await this.#build
    }
    return this.#engine
  }

  async #index(): Promise<void> {
    const engine = new SearchEngine()
    const waiting: SearchedChange[] = []
    this.#waiting = waiting
    const rows = SEARCHED_TABLES.flatMap((table) =>
      [...this.#model.table(table).all()].map((after) => ({ table, before: undefined, after })),
    )
    for (const [at, row] of rows.entries()) {
      engine.change(row as unknown as SearchedChange)
      if (at % RECORDS_PER_TURN === 0) await nextTurn()
    }
    if (this.#waiting !== waiting) return // everything was read again in the meantime
    for (const change of waiting) engine.change(change)
    this.#engine = engine
    this.#isBuilt = true
    this.#waiting = undefined
  }
}

const engines = new WeakMap<ReadModel, LiveEngine>()

/** The search engine of a server. */
export const getSearchEngine = (model: ReadModel): Promise<SearchEngine> => {
  const engine = engines.get(model) ?? new LiveEngine(model)
  engines.set(model, engine)
  return engine.get()
}
