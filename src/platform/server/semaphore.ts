/** Waiting ended before the semaphore was available. */
export class AcquireTimeout extends Error {
  override readonly name = 'AcquireTimeout'
}

interface Waiter {
  readonly weight: number
  readonly begin: () => void
}

/** Limits concurrency; waiters are served first come, first served. A task may weigh more than another. */
export class Semaphore {
  #free: number
  readonly #waiting: Waiter[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Waits until there is room for `weight`, and returns a function that releases it; throws `AcquireTimeout` if `over` is aborted first. */
  async acquire(over?: AbortSignal, weight = 1): Promise<() => void> {
    if (this.#waiting.length === 0 && this.#free >= weight) this.#free -= weight
    else await this.#turn(over, weight)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#free += weight
      this.#callNext()
    }
  }

  #callNext(): void {
    for (let [next] = this.#waiting; next && next.weight <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift()
      this.#free -= next.weight
      next.begin()
    }
  }

  #turn(over: AbortSignal | undefined, weight: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        over?.removeEventListener('abort', leave)
        resolve()
      }
      const one = { weight, begin }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(one), 1)
        reject(new AcquireTimeout('The wait was over before the turn came'))
        this.#callNext()
      }
      this.#waiting.push(one)
      if (over?.aborted) leave()
      else over?.addEventListener('abort', leave, { once: true })
    })
  }
}

/** A semaphore per key (an account, an address), so that one key cannot block all others; unused keys are removed. */
export class KeyedSemaphore {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #semaphores = new Map<string, { readonly semaphore: Semaphore; users: number }>()

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /** Like `Semaphore.acquire`; throws `AcquireTimeout` immediately if too many wait for this key already. */
  async acquire(key: string, over?: AbortSignal, weight = 1): Promise<() => void> {
    const entry = this.#semaphores.get(key) ?? { semaphore: new Semaphore(this.#atOnce), users: 0 }
    if (entry.semaphore.waiting >= this.#mostWaiting) throw new AcquireTimeout('Enough are waiting already')
    this.#semaphores.set(key, entry)
    entry.users++
    const leave = (): void => {
      entry.users--
      if (entry.users === 0) this.#semaphores.delete(key)
    }
    try {
      const giveBack = await entry.semaphore.acquire(over, weight)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        giveBack()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  }
}
