import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { ListCache } from '../../../platform/server/list-cache.ts'
import { areSessionsChanged } from './queries.server.ts'

/** Between these, at random: sessions that were loaded together, as after a change, would all be read again together. */
const MIN_CACHE_MS = 20_000
const MAX_CACHE_MS = 40_000
export const MAX_CACHED_SESSIONS = 5000

interface CacheEntry {
  readonly user: SignedIn
  readonly expiresAt: number
}

type LoadUser = () => Promise<{ user: SignedIn; remainingMs: number } | null>

/**
 * Caches the users of recent sessions for half a minute, so that a page with twenty requests queries the database once. A change to a session, a
 * token or a permission clears the cache: on this server before the response, on others when they are notified. While notifications are not received,
 * nothing is cached, because a change of level must apply to the next request.
 */
export class SessionCache {
  readonly #entries = new Map<string, CacheEntry>()
  /** Queries under way, shared by requests of one session: a page sends many at once. */
  readonly #loading = new Map<string, Promise<SignedIn | null>>()
  readonly #lists: ListCache
  /** Counts clears, so that a result loaded before a clear is not cached after it. */
  #clearCount = 0

  constructor(lists: ListCache) {
    this.#lists = lists
    lists.onChange((tables) => {
      if (areSessionsChanged(tables)) this.#clear()
    })
  }

  get(key: string): SignedIn | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.expiresAt > performance.now() ? entry.user : undefined
  }

  /** Loads a user and caches the result for at most `remainingMs`, the rest of the session's lifetime. */
  load(key: string, loadUser: LoadUser): Promise<SignedIn | null> {
    const current = this.#lists.isFollowingChanges ? this.#loading.get(key) : undefined
    if (current) return current
    const loading = this.#loadAndCache(key, loadUser).finally(() => {
      if (this.#loading.get(key) === loading) this.#loading.delete(key)
    })
    this.#loading.set(key, loading)
    return loading
  }

  async #loadAndCache(key: string, loadUser: LoadUser): Promise<SignedIn | null> {
    const clearCount = this.#clearCount
    const loaded = await loadUser()
    if (!loaded) return null
    if (clearCount === this.#clearCount && this.#lists.isFollowingChanges) {
      this.#entries.delete(key)
      const cacheMs = MIN_CACHE_MS + Math.random() * (MAX_CACHE_MS - MIN_CACHE_MS)
      this.#entries.set(key, { user: loaded.user, expiresAt: performance.now() + Math.min(cacheMs, loaded.remainingMs) })
      this.#deleteExpired()
    }
    return loaded.user
  }

  get size(): number {
    return this.#entries.size
  }

  /** Also deletes the oldest entries, which are first in the map, while there are too many. */
  #deleteExpired(): void {
    const now = performance.now()
    for (const [key, { expiresAt }] of this.#entries) {
      if (expiresAt > now && this.#entries.size <= MAX_CACHED_SESSIONS) return
      this.#entries.delete(key)
    }
  }

  #clear(): void {
    this.#clearCount++
    this.#entries.clear()
    this.#loading.clear()
  }
}
