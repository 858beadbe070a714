import { MINUTE_MS } from '../../contract/dates.ts'

/** Counts by key within the current minute. */
export class MinuteCounter {
  #until = 0
  readonly #counts = new Map<string, number>()
  readonly #maxKeys: number

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys
  }

  #startMinute(): void {
    const now = Date.now()
    if (now < this.#until) return
    this.#counts.clear()
    this.#until = now + MINUTE_MS
  }

  /** The count without this one. */
  get(key: string): number {
    this.#startMinute()
    return this.#counts.get(key) ?? 0
  }

  /** The count including this one; always 1 for new keys once there are too many. */
  add(key: string): number {
    this.#startMinute()
    if (this.#counts.size >= this.#maxKeys && !this.#counts.has(key)) return 1
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count
  }
}
