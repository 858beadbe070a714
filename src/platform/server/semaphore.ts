/** Waiting ended before the semaphore was available. */
export class AcquireTimeout extends Error {
  override readonly name = 'AcquireTimeout'
}

interface Waiter {
  readonly weight: number
  readonly start: () => void
}

/** Limits concurrency; waiters are served first come, first served. A task may weigh more than another. */
export class Semaphore {
  #free: number
  readonly #waiting: Waiter[] = []

  constructor(limit: number) {
    this.#free = limit
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Waits until there is room for `weight`, and returns a function that releases it; throws `AcquireTimeout` if `signal` is aborted first. */
  async acquire(signal?: AbortSignal, weight = 1): Promise<() => void> {
    if (this.#waiting.length === 0 && this.#free >= weight) this.#free -= weight
    else await this.#wait(signal, weight)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#free += weight
      this.#startNext()
    }
  }

  /** Runs work once there is room for it; throws `AcquireTimeout` if `signal` is aborted first. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(signal)
    try {
      return await work()
    } finally {
      release()
    }
  }

  #startNext(): void {
    for (let [next] = this.#waiting; next && next.weight <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift()
      this.#free -= next.weight
      next.start()
    }
  }

  #wait(signal: AbortSignal | undefined, weight: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const waiter = { weight, start }
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(new AcquireTimeout('Aborted while waiting'))
        this.#startNext()
      }
      this.#waiting.push(waiter)
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })
  }
}

/** A semaphore per key (an account, an address), so that one key cannot block all others; unused keys are removed. */
export class KeyedSemaphore {
  readonly #limit: number
  readonly #maxWaiting: number
  readonly #semaphores = new Map<string, { readonly semaphore: Semaphore; users: number }>()

  constructor(limit: number, maxWaiting: number) {
    this.#limit = limit
    this.#maxWaiting = maxWaiting
  }

  /** Like `Semaphore.acquire`; throws `AcquireTimeout` immediately if too many wait for this key already. */
  async acquire(key: string, signal?: AbortSignal, weight = 1): Promise<() => void> {
    const entry = this.#semaphores.get(key) ?? { semaphore: new Semaphore(this.#limit), users: 0 }
    if (entry.semaphore.waiting >= this.#maxWaiting) throw new AcquireTimeout('Enough are waiting already')
    this.#semaphores.set(key, entry)
    entry.users++
    const endUse = (): void => {
      entry.users--
      if (entry.users === 0) this.#semaphores.delete(key)
    }
    try {
      const release = await entry.semaphore.acquire(signal, weight)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        release()
        endUse()
      }
    } catch (error) {
      endUse()
      throw error
    }
  }
}
