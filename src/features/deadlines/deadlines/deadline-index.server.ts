import { DEADLINE_TABLES } from '../../../contract/deadlines.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { parseChangeLine } from '../../../platform/server/read-model/read-model.ts'
import type { JsonRow } from '../../../platform/server/read-model/tables.ts'
import { DEFAULT_SETTINGS, readStoredDeadlineSettings, type StoredDeadlineSettings } from './settings.server.ts'
import { readPendingTexts } from './sync.server.ts'

export type DeadlineRow = JsonRow<'deadline'>

/** The deadlines by `_id`, and their settings. `revision` counts changes. */
interface DeadlinesOfNow {
  readonly rows: ReadonlyMap<string, DeadlineRow>
  readonly settings: StoredDeadlineSettings
  readonly revision: number
}

type IndexContext = Pick<AppContext, 'db' | 'pool' | 'lists' | 'readModel'>

const READ_AFTER_MS = 1000

/** All deadlines in memory, for people who may read them: changed rows are reloaded by key, like the records in the read model. */
class DeadlineIndex {
  readonly #context: IndexContext
  #rows = new Map<string, DeadlineRow>()
  #settings: StoredDeadlineSettings = DEFAULT_SETTINGS
  #stale: Set<string> | 'everything' = 'everything'
  #mayBePending = true
  #areSettingsStale = true
  #revision = 0
  #update: Promise<void> = Promise.resolve()
  /** Extracts dates after a change, before anyone requests them: an import changes thousands of texts. */
  #reading: NodeJS.Timeout | undefined

  constructor(context: IndexContext) {
    this.#context = context
    context.lists.onChange((tables, lines) => {
      if (tables === 'any') {
        this.#stale = 'everything'
        this.#mayBePending = this.#areSettingsStale = true
        return
      }
      // Dates may have to be extracted again.
      if (DEADLINE_TABLES.some((table) => tables.has(table))) {
        this.#mayBePending = true
        clearTimeout(this.#reading)
        this.#reading = setTimeout(() => void this.get().catch(() => {}), READ_AFTER_MS).unref() // the next request reports an error
      }
      if (tables.has('setting')) this.#areSettingsStale = true
      if (tables.has('deadline')) this.#note(lines)
    })
  }

  #note(lines: readonly string[]): void {
    for (const { table, keys } of lines.map(parseChangeLine)) {
      if (table !== 'deadline' || this.#stale === 'everything') continue
      if (keys === undefined) this.#stale = 'everything'
      else for (const key of keys) this.#stale.add(key)
    }
  }

  async get(): Promise<DeadlinesOfNow> {
    this.#update = this.#update.catch(() => {}).then(() => this.#refresh())
    await this.#update
    return { rows: this.#rows, settings: this.#settings, revision: this.#revision }
  }

  async #refresh(): Promise<void> {
    const { readModel, pool, db } = this.#context
    await readModel.ready()
    if (!readModel.isFollowing) {
      this.#stale = 'everything'
      this.#mayBePending = this.#areSettingsStale = true
    }
    if (this.#mayBePending) {
      this.#mayBePending = false
      try {
        await readPendingTexts(this.#context)
      } catch (error) {
        this.#mayBePending = true
        throw error
      }
    }
    if (this.#areSettingsStale) {
      this.#areSettingsStale = false
      this.#revision++
      this.#settings = await readStoredDeadlineSettings(db).catch((error: unknown) => {
        this.#areSettingsStale = true
        throw error
      })
    }
    const stale = this.#stale
    if (stale !== 'everything' && stale.size === 0) return
    this.#stale = new Set()
    this.#revision++
    try {
      const where =
        stale === 'everything' ? { text: ' order by date, _id', values: [] } : { text: ' where _id = any($1)', values: [[...stale]] }
      const { rows } = await pool.query<{ row: DeadlineRow }>({
        text: `select to_jsonb(t) as row from deadline as t${where.text}`,
        values: where.values,
      })
      if (stale === 'everything') this.#rows = new Map(rows.map(({ row }) => [row._id, row]))
      else {
        const found = new Map(rows.map(({ row }) => [row._id, row]))
        for (const _id of stale) {
          const row = found.get(_id)
          if (row) this.#rows.set(_id, row)
          else this.#rows.delete(_id)
        }
      }
    } catch (error) {
      this.#stale = 'everything'
      throw error
    }
  }
}

const indexes = new WeakMap<AppContext['readModel'], DeadlineIndex>()

/** The current deadline index of a server. */
export const getDeadlineIndex = (context: IndexContext) => {
  const index = indexes.get(context.readModel) ?? new DeadlineIndex(context)
  indexes.set(context.readModel, index)
  return index.get()
}
