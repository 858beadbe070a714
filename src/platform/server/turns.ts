/** Whoever waited for a turn did not get one. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn'
}

/** Lets a few in at once and the others wait, first come, first served. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** Waits for a turn, and answers what gives it back; throws `NoTurn` when the wait is over before it has come, where it ever is. */
  async take(over?: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await this.#turn(over)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  #turn(over: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        over?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(new NoTurn('The wait was over before the turn came'))
      }
      this.#waiting.push(begin)
      if (over?.aborted) leave()
      else over?.addEventListener('abort', leave, { once: true })
    })
  }
}
