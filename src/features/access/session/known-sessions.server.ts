import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { ListCache } from '../../../platform/server/list-cache.ts'

/** How long an answer of the database is good for where nothing is heard of a change. */
const GOOD_FOR = 5_000
export const MOST = 5000

/** The tables that decide whose a session or an API token is and at what level. */
const DECIDING = ['session', 'api_token', 'account', 'permission', 'super_admin_binding']

interface Known {
  readonly user: SignedIn
  readonly until: number
}

/**
 * Who the sessions of the last few seconds are, so that a page with twenty requests asks the database once. A change of a session, a token or a
 * permission forgets everybody at once: here before it is answered, on other servers as soon as they hear of it. While the server cannot
 * hear of changes nothing is remembered (D10: a change of level works on the next request).
 */
export class KnownSessions {
  readonly #known = new Map<string, Known>()
  readonly #lists: ListCache
  /** Counts what was forgotten, so that an answer that was on its way meanwhile is not kept. */
  #round = 0

  constructor(lists: ListCache) {
    this.#lists = lists
    lists.onChange((tables) => {
      if (tables === 'any' || DECIDING.some((table) => tables.has(table))) this.#forget()
    })
  }

  /** Who it is, if that is remembered. */
  get(key: string): SignedIn | undefined {
    const known = this.#known.get(key)
    return known && known.until > performance.now() ? known.user : undefined
  }

  /** Asks the database, and remembers its answer; `lives` is for how many milliseconds the session can live at most. */
  async ask(key: string, lookUp: () => Promise<{ user: SignedIn; lives: number } | null>): Promise<SignedIn | null> {
    const round = this.#round
    const found = await lookUp()
    if (!found) return null
    if (round === this.#round && this.#lists.isFollowingChanges) {
      this.#known.delete(key)
      this.#known.set(key, { user: found.user, until: performance.now() + Math.min(GOOD_FOR, found.lives) })
      this.#dropOld()
    }
    return found.user
  }

  get size(): number {
    return this.#known.size
  }

  /** Those first in the map were asked for longest ago: they have expired, unless there are more than are remembered. */
  #dropOld(): void {
    const now = performance.now()
    for (const [key, { until }] of this.#known) {
      if (until > now && this.#known.size <= MOST) return
      this.#known.delete(key)
    }
  }

  #forget(): void {
    this.#round++
    this.#known.clear()
  }
}
