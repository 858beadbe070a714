import { createHash } from 'node:crypto'

import {
  type ByteChunks,
  type ContentForm,
  compress,
  compressNow,
  type Compression,
  decompress,
  freeMemory,
  type ChunkSource,
  toChunks,
} from './compression.ts'
import { buildGzip, compressPart } from './gzip-parts.ts'

/** JSON as bytes, ready to send; its compressed forms are made when first requested. */
export interface CachedResponse {
  readonly etag: string
  /** The size of the uncompressed form. */
  readonly length: number
  readonly getForm: (form: ContentForm) => Promise<ByteChunks>
  /** A form that has already been created. */
  readonly getFormIfReady: (form: ContentForm) => ByteChunks | undefined
  /** Streams the uncompressed form where it is too long to keep in memory; each chunk is valid until the next one is requested. */
  readonly streamPlain?: ((folder: string) => ChunkSource) | undefined
}

/** From this size on, the uncompressed form is discarded once a compressed one exists, until a request needs it; browsers never do. */
export const DISCARD_PLAIN_FROM_BYTES = 4 << 20

export const computeEtag = ({ chunks }: ByteChunks): string => {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return `"${hash.digest('base64url').slice(0, 27)}"`
}

/** Creates each form once, however many requests wait for it. */
export const createForms = (
  now: Map<ContentForm, ByteChunks>,
  create: (form: ContentForm) => Promise<ByteChunks>,
  onRequested: (form: ContentForm) => void = () => {},
): Pick<CachedResponse, 'getForm' | 'getFormIfReady'> => {
  const pending = new Map<ContentForm, Promise<ByteChunks>>()
  const getIfReady = (form: ContentForm): ByteChunks | undefined => {
    onRequested(form)
    return now.get(form)
  }
  return {
    getFormIfReady: getIfReady,
    getForm: async (form) => {
      const chunks = getIfReady(form)
      if (chunks) return chunks
      const created = pending.get(form) ?? create(form).finally(() => pending.delete(form))
      pending.set(form, created)
      return created
    },
  }
}

export const toCachedResponse = (json: string): CachedResponse => {
  const plain = toChunks([Buffer.from(json)])
  const { length } = plain
  const now = new Map<ContentForm, ByteChunks>([['plain', plain]])
  // From then on it may be in use by a response at any time, so it is kept.
  let isPlainRequested = false
  let runningCompressions = 0

  const plainAgain = async (): Promise<ByteChunks> => {
    const stored = now.get('plain')
    if (stored) return stored
    const encoding = now.has('br') ? 'br' : 'gzip'
    return decompress(now.get(encoding) ?? toChunks([]), encoding)
  }
  const compressAs = async (encoding: Compression): Promise<ByteChunks> => {
    runningCompressions++
    try {
      const bytes = await plainAgain()
      return encoding === 'gzip'
        ? toChunks(buildGzip(await Promise.all(bytes.chunks.map(compressPart))))
        : await compress(bytes, encoding, 5)
    } finally {
      runningCompressions--
    }
  }
  const make = async (form: ContentForm): Promise<ByteChunks> => {
    const chunks = form === 'plain' ? await plainAgain() : await compressAs(form)
    now.set(form, chunks)
    if (form !== 'plain' && runningCompressions === 0 && !isPlainRequested && length >= DISCARD_PLAIN_FROM_BYTES) {
      freeMemory(now.get('plain'))
      now.delete('plain')
    }
    return chunks
  }
  const prepare = (form: ContentForm): void => {
    isPlainRequested ||= form === 'plain'
    // Browsers accept both, and brotli takes twice the time.
    const chunks = form === 'gzip' && !now.has(form) ? compressNow(plain, form) : undefined
    if (chunks) now.set(form, chunks)
  }
  return { etag: computeEtag(plain), length, ...createForms(now, make, prepare) }
}
