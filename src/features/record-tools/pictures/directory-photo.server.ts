import type { AppContext } from '../../../platform/server/app-context.ts'
import { Semaphore } from '../../../platform/server/semaphore.ts'
import { getDirectoryAccessToken } from '../../access/session/queries.server.ts'
import { fetchDirectoryPhoto, type DirectoryResponse } from './directory.server.ts'
import { toPortrait } from './encoding.server.ts'
import { PhotoCache, CACHE_DURATIONS, type Photo, toEtag } from './photo-cache.server.ts'

/** Callers wait at most two seconds, response included. */
const FETCH_TIMEOUT_MS = 1900
/** A fetch that starts later than this would not finish in time. */
const QUEUE_TIMEOUT_MS = 900
/** Concurrent fetches over all people. */
const MAX_CONCURRENT_FETCHES = 8
/** After so many failures in a row, requests to the directory pause. */
const MAX_FAILURES = 5
const PAUSE_MS = 60_000
/** How long a refused token is not used again. */
const REFUSAL_MS = 5 * 60_000
const MAX_REFUSALS = 5000

/** Whose photo, and whose token to use. */
interface PhotoRequest {
  readonly account: string
  readonly address: string
  readonly isOwn: boolean
}

const resolveNullAfter = (wait: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), wait).unref()
  })

/**
 * Photos out of the directory service (D23): each person's is fetched once however many ask at the same time, a few at once, and kept for
 * everybody. Whoever asks waits two seconds at most; where the directory is away nobody waits, and nothing is sent to it for a minute.
 */
export class DirectoryPhotos {
  readonly #house: AppContext
  readonly #kept: PhotoCache
  readonly #turns = new Semaphore(MAX_CONCURRENT_FETCHES)
  readonly #underWay = new Map<string, Promise<Photo | null>>()
  readonly #refused = new Map<string, number>()
  #silences = 0
  #awayUntil = 0

  constructor(context: AppContext, kept = new PhotoCache()) {
    this.#house = context
    this.#kept = kept
  }

  /** The photo, or `null` where the fallback image is used. */
  async of(asked: PhotoRequest): Promise<Photo | null> {
    const key = asked.address.toLowerCase()
    const found = this.#kept.find(key)
    if (found?.fresh) return found.photo
    const already = this.#underWay.get(key)
    if (already) return already
    const old = found?.photo ?? null
    const token = await this.#tokenFor(asked)
    if (token === null) return old
    // Somebody else may have set out while the token was looked for.
    const first = this.#underWay.get(key)
    if (first) return first
    const fetched = this.#fetch(asked, key, token, old)
    const inTime = Promise.race([fetched, resolveNullAfter(FETCH_TIMEOUT_MS).then(() => old)])
    this.#underWay.set(key, inTime)
    void fetched.finally(() => this.#underWay.delete(key))
    return inTime
  }

  async #tokenFor({ account, isOwn }: PhotoRequest): Promise<string | null> {
    const now = Date.now()
    const isAway = this.#awayUntil > now
    if (isAway || this.#house.configuration.secretKey === undefined) return null
    return (this.#refused.get(getRefusalKey(account, isOwn)) ?? 0) > now ? null : getDirectoryAccessToken(this.#house, account)
  }

  /** Never fails: on an error it returns the cached photo, or null. */
  async #fetch({ account, address, isOwn }: PhotoRequest, key: string, token: string, old: Photo | null): Promise<Photo | null> {
    const over = AbortSignal.timeout(FETCH_TIMEOUT_MS)
    let giveBack: (() => void) | undefined
    try {
      giveBack = await this.#turns.acquire(AbortSignal.timeout(QUEUE_TIMEOUT_MS))
      const whose = isOwn ? 'me' : `users/${encodeURIComponent(address)}`
      const said = await fetchDirectoryPhoto(`${this.#house.configuration.graphUrl}/${whose}/photo/$value`, token, over)
      this.#listen(said)
      if (said.kind === 'refused') {
        this.#refuse(getRefusalKey(account, isOwn))
        return old
      }
      if (said.kind === 'none') return this.#keep(key, null, CACHE_DURATIONS.none)
      const photo = said.kind === 'photo' ? await toPortrait(said.bytes) : null
      return photo
        ? this.#keep(key, { ...photo, etag: toEtag(photo.bytes) }, CACHE_DURATIONS.photo)
        : this.#keep(key, old, CACHE_DURATIONS.failed)
    } catch {
      // No turn came in time: the directory is slow, and this person has not been asked for yet.
      return old
    } finally {
      giveBack?.()
    }
  }

  #keep(key: string, photo: Photo | null, lasts: number): Photo | null {
    this.#kept.keep(key, photo, lasts)
    return photo
  }

  /** Counts failures, and pauses requests after too many in a row. */
  #listen({ kind }: DirectoryResponse): void {
    this.#silences = kind === 'away' ? this.#silences + 1 : 0
    if (this.#silences < MAX_FAILURES) return
    this.#silences = 0
    this.#awayUntil = Date.now() + PAUSE_MS
    this.#house.log.warn('The directory service does not answer; photos are not asked for in the next minute')
  }

  #refuse(key: string): void {
    this.#refused.delete(key)
    this.#refused.set(key, Date.now() + REFUSAL_MS)
    const [oldest] = this.#refused.keys()
    if (this.#refused.size > MAX_REFUSALS && oldest !== undefined) this.#refused.delete(oldest)
  }
}

/** A token may be valid for the user's own photo only. */
const getRefusalKey = (account: string, isOwn: boolean): string => `${account} ${isOwn ? 'me' : 'others'}`

/** One instance per app. */
const photosByContext = new WeakMap<AppContext, DirectoryPhotos>()
export const getDirectoryPhotos = (context: AppContext): DirectoryPhotos => {
  const photos = photosByContext.get(context) ?? new DirectoryPhotos(context)
  photosByContext.set(context, photos)
  return photos
}
