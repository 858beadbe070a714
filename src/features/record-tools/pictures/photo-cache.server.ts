import { createHash } from 'node:crypto'

/** A photo as it is served. */
export interface Photo {
  readonly type: string
  readonly bytes: Buffer
  /** The value of the `ETag` header, in quotes. */
  readonly etag: string
}

export const toEtag = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`

interface Kept {
  readonly until: number
  /** `null` where there is none, or where it could not be loaded. */
  readonly photo: Photo | null
}

const MINUTE = 60_000
/** How long a result is cached: a photo, no photo, a failure. */
export const CACHE_DURATIONS = { photo: 24 * 60 * MINUTE, none: 6 * 60 * MINUTE, failed: 5 * MINUTE } as const

/** A least-recently-used cache of photos by work address, limited in number and bytes. */
export class PhotoCache {
  readonly #most: number
  readonly #mostBytes: number
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(most = 2000, mostBytes = 32 * 1024 * 1024) {
    this.#most = most
    this.#mostBytes = mostBytes
  }

  get size(): { readonly photos: number; readonly bytes: number } {
    return { photos: this.#kept.size, bytes: this.#bytes }
  }

  /** The cached photo of an address; `fresh` where it has not expired. */
  find(address: string): { readonly photo: Photo | null; readonly fresh: boolean } | undefined {
    const found = this.#kept.get(address)
    if (!found) return undefined
    this.#kept.delete(address)
    this.#kept.set(address, found)
    return { photo: found.photo, fresh: found.until > Date.now() }
  }

  keep(address: string, photo: Photo | null, lasts: number): void {
    this.#forget(address)
    this.#kept.set(address, { photo, until: Date.now() + lasts })
    this.#bytes += photo?.bytes.length ?? 0
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most && this.#bytes <= this.#mostBytes) break
      this.#forget(oldest)
    }
  }

  #forget(address: string): void {
    this.#bytes -= this.#kept.get(address)?.photo?.bytes.length ?? 0
    this.#kept.delete(address)
  }
}
