/**
 * Reads with the same result for everyone who asks: one at a time for each key. Calls during a run share the next one, so that each result has
 * everything that was committed before its call.
 */
export class SharedReads<T> {
  readonly #latest = new Map<string, { hasStarted: boolean; readonly result: Promise<T> }>()

  read(key: string, run: () => Promise<T>): Promise<T> {
    const before = this.#latest.get(key)
    if (before && !before.hasStarted) return before.result
    const start = async (): Promise<T> => {
      await before?.result.catch(() => {})
      entry.hasStarted = true
      try {
        return await run()
      } finally {
        if (this.#latest.get(key) === entry) this.#latest.delete(key)
      }
    }
    const entry = { hasStarted: false, result: Promise.resolve().then(start) }
    this.#latest.set(key, entry)
    return entry.result
  }
}
