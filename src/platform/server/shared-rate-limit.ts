/** A limit per time window, for everyone together. */
export class SharedRateLimit {
  readonly #most: number
  readonly #ms: number
  #since = 0
  #taken = 0

  constructor(most: number, ms: number) {
    this.#most = most
    this.#ms = ms
  }

  /** Whether one more is allowed; counts it if so. */
  tryAcquire(now: number = Date.now()): boolean {
    if (now - this.#since >= this.#ms) {
      this.#since = now
      this.#taken = 0
    }
    if (this.#taken >= this.#most) return false
    this.#taken++
    return true
  }
}
