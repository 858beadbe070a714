import { Problem } from '../../platform/contract/problem.ts'

/** Downloads at once: each holds a connection of the database for as long as it takes. */
const AT_ONCE = 3
/** Whoever waits longer is asked to come back. */
const LONGEST_WAIT = 20_000

/** Lets a few in at once and the others wait, first come, first served. */
export class Turns {
  #free: number
  readonly #wait: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce = AT_ONCE, wait = LONGEST_WAIT) {
    this.#free = atOnce
    this.#wait = wait
  }

  /** Waits for a turn, and answers what gives it back; throws 429 after a while, and at once where nobody waits for it any more. */
  async take(gone: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await this.#turn(AbortSignal.any([gone, AbortSignal.timeout(this.#wait)]))
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  #turn(over: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        over.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(new Problem(429, 'Several downloads are under way already', { detail: 'Try again in a moment.', retryAfter: 10 }))
      }
      this.#waiting.push(begin)
      if (over.aborted) leave()
      else over.addEventListener('abort', leave, { once: true })
    })
  }
}
