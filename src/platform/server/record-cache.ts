import { type CachedResponse, toCachedResponse } from './cached-response.ts'
import type { ReadModel } from './read-model/read-model.ts'

const MAX_BYTES = 8 << 20

/** Caches single records as bytes until anything in the read model changes: rendering is fast, but most reads repeat an unchanged record. */
export class RecordCache {
  readonly #records = new Map<string, CachedResponse>()
  #bytes = 0

  constructor(model: ReadModel) {
    model.onChange(() => this.#clear())
  }

  /** The record under this cache key, rendered if missing; needs a read model that is ready. */
  get(name: string, render: () => object): CachedResponse {
    const known = this.#records.get(name)
    if (known) return known
    const record = toCachedResponse(JSON.stringify(render()))
    if (this.#bytes > MAX_BYTES) this.#clear()
    this.#bytes += record.length
    this.#records.set(name, record)
    return record
  }

  #clear(): void {
    this.#records.clear()
    this.#bytes = 0
  }
}
