import { memoize } from '../../../contract/memoize.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { toPortrait } from '../../../platform/server/picture-encoding.ts'
import { Semaphore } from '../../../platform/server/semaphore.ts'
import { getDirectoryAccessToken } from '../../access/session/queries.server.ts'
import { fetchDirectoryPhoto, type DirectoryResponse } from './directory.server.ts'
import { PhotoCache, CACHE_DURATIONS, type Photo, toEtag } from './photo-cache.server.ts'

/** Callers wait at most two seconds, response included. */
const FETCH_TIMEOUT_MS = 1900
/** A fetch that starts later than this would not finish in time. */
const QUEUE_TIMEOUT_MS = 900
/** Concurrent fetches over all people. */
const MAX_CONCURRENT_FETCHES = 8
/** After this many consecutive failures, requests to the directory pause. */
const MAX_FAILURES = 5
const PAUSE_MS = 60_000
/** How long a refused token is not used again. */
const REFUSAL_MS = 5 * 60_000
const MAX_REFUSALS = 5000

/** Whose photo, and whose token to use. */
export interface PhotoRequest {
  readonly account: string
  readonly address: string
  readonly isOwn: boolean
}

const resolveNullAfter = (wait: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), wait).unref()
  })

/**
 * Photos from the directory service. Concurrent requests for a person share one fetch, a few fetches run at a time, and results are cached for all
 * callers. A caller waits two seconds at most; while the directory is unavailable nothing is sent to it for a minute.
 */
export class DirectoryPhotos {
  readonly #context: AppContext
  readonly #cache: PhotoCache
  readonly #semaphore = new Semaphore(MAX_CONCURRENT_FETCHES)
  readonly #pending = new Map<string, Promise<Photo | null>>()
  readonly #refused = new Map<string, number>()
  #failures = 0
  #pausedUntil = 0

  constructor(context: AppContext, cache = new PhotoCache()) {
    this.#context = context
    this.#cache = cache
    // Whose photo it is, is erased by then.
    context.lists.onChange((tables) => {
      if (tables === 'any' || tables.has('erasure')) cache.clear()
    })
  }

  /** The photo, or `null` if the fallback image should be used. */
  async get(request: PhotoRequest): Promise<Photo | null> {
    const key = request.address.toLowerCase()
    const cached = this.#cache.find(key)
    if (cached?.fresh) return cached.photo
    const pending = this.#pending.get(key)
    if (pending) return pending
    const old = cached?.photo ?? null
    const token = await this.#getToken(request)
    if (token === null) return old
    // Another call may have started a fetch while the token was loaded.
    const started = this.#pending.get(key)
    if (started) return started
    const fetched = this.#fetch(request, key, token, old)
    const inTime = Promise.race([fetched, resolveNullAfter(FETCH_TIMEOUT_MS).then(() => old)])
    this.#pending.set(key, inTime)
    void fetched.finally(() => this.#pending.delete(key))
    return inTime
  }

  async #getToken({ account, isOwn }: PhotoRequest): Promise<string | null> {
    const now = Date.now()
    const isPaused = this.#pausedUntil > now
    if (isPaused || this.#context.configuration.secretKey === undefined) return null
    return (this.#refused.get(getRefusalKey(account, isOwn)) ?? 0) > now ? null : getDirectoryAccessToken(this.#context, account)
  }

  /** Never fails: on an error it returns the cached photo, or null. */
  async #fetch({ account, address, isOwn }: PhotoRequest, key: string, token: string, old: Photo | null): Promise<Photo | null> {
    const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS)
    let release: (() => void) | undefined
    try {
      release = await this.#semaphore.acquire(AbortSignal.timeout(QUEUE_TIMEOUT_MS))
      const user = isOwn ? 'me' : `users/${encodeURIComponent(address)}`
      const result = await fetchDirectoryPhoto(`${this.#context.configuration.graphUrl}/${user}/photo/$value`, token, timeout)
      this.#trackFailures(result)
      if (result.kind === 'refused') {
        this.#markRefused(getRefusalKey(account, isOwn))
        return old
      }
      if (result.kind === 'none') return this.#store(key, null, CACHE_DURATIONS.none)
      const photo = result.kind === 'photo' ? await toPortrait(result.bytes) : null
      return photo
        ? this.#store(key, { ...photo, etag: toEtag(photo.bytes) }, CACHE_DURATIONS.photo)
        : this.#store(key, old, CACHE_DURATIONS.failed)
    } catch {
      // The queue timed out: the directory is slow.
      return old
    } finally {
      release?.()
    }
  }

  #store(key: string, photo: Photo | null, durationMs: number): Photo | null {
    this.#cache.set(key, photo, durationMs)
    return photo
  }

  /** Counts failures, and pauses requests after too many in a row. */
  #trackFailures({ kind }: DirectoryResponse): void {
    this.#failures = kind === 'away' ? this.#failures + 1 : 0
    if (this.#failures < MAX_FAILURES) return
    this.#failures = 0
    this.#pausedUntil = Date.now() + PAUSE_MS
    this.#context.log.warn('The directory service does not answer; photos are not asked for in the next minute')
  }

  #markRefused(key: string): void {
    this.#refused.delete(key)
    this.#refused.set(key, Date.now() + REFUSAL_MS)
    const [oldest] = this.#refused.keys()
    if (this.#refused.size > MAX_REFUSALS && oldest !== undefined) this.#refused.delete(oldest)
  }
}

/** A token may be valid for the user's own photo only. */
const getRefusalKey = (account: string, isOwn: boolean): string => `${account} ${isOwn ? 'me' : 'others'}`

/** One instance per app. */
export const getDirectoryPhotos = memoize((context: AppContext) => new DirectoryPhotos(context))
