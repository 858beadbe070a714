import { createHash } from 'node:crypto'

/** A photo as it is served. */
export interface Photo {
  readonly type: string
  readonly bytes: Buffer
  /** The value of the `ETag` header, in quotes. */
  readonly etag: string
}

export const toEtag = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`

interface CachedPhoto {
  readonly until: number
  /** `null` if there is none, or if it could not be loaded. */
  readonly photo: Photo | null
}

const MINUTE = 60_000
/** How long a result is cached: a photo, no photo, a failure. */
export const CACHE_DURATIONS = { photo: 24 * 60 * MINUTE, none: 6 * 60 * MINUTE, failed: 5 * MINUTE } as const

/** A least-recently-used cache of photos by work address, limited in number and bytes. */
export class PhotoCache {
  readonly #maxPhotos: number
  readonly #maxBytes: number
  readonly #entries = new Map<string, CachedPhoto>()
  #bytes = 0

  constructor(maxPhotos = 2000, maxBytes = 32 * 1024 * 1024) {
    this.#maxPhotos = maxPhotos
    this.#maxBytes = maxBytes
  }

  get size(): { readonly photos: number; readonly bytes: number } {
    return { photos: this.#entries.size, bytes: this.#bytes }
  }

  /** The cached photo of an address; `fresh` if it has not expired. */
  find(address: string): { readonly photo: Photo | null; readonly fresh: boolean } | undefined {
    const entry = this.#entries.get(address)
    if (!entry) return undefined
    this.#entries.delete(address)
    this.#entries.set(address, entry)
    return { photo: entry.photo, fresh: entry.until > Date.now() }
  }

  set(address: string, photo: Photo | null, durationMs: number): void {
    this.#delete(address)
    this.#entries.set(address, { photo, until: Date.now() + durationMs })
    this.#bytes += photo?.bytes.length ?? 0
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxPhotos && this.#bytes <= this.#maxBytes) break
      this.#delete(oldest)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  #delete(address: string): void {
    this.#bytes -= this.#entries.get(address)?.photo?.bytes.length ?? 0
    this.#entries.delete(address)
  }
}
