import type { FastifyRequest } from 'fastify'

import type { Compression } from './compression.ts'

/** Undefined if a response is not compressed. */
export type Encoding = Compression | undefined

/** The ETag of one encoding of a response. */
export const toEtag = (etag: string, encoding: Encoding): string => (encoding ? etag.replace(/"$/, `-${encoding}"`) : etag)

/** Whether the caller already has the response, in any encoding. */
export const isFresh = (request: FastifyRequest, etag: string): boolean => {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  const bare = (tag: string): string =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/-(br|gzip)"$/, '"')
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === etag)
}

/** The `Accept-Encoding` headers of browsers and programs are nearly always the same few. */
const knownEncodings = new Map<string, ReadonlySet<Compression>>()
const MAX_KNOWN_ENCODINGS = 100
const MAX_HEADER_LENGTH = 100
const COMPRESSIONS: readonly Compression[] = ['br', 'gzip']

/** The encodings that the caller accepts, the better first. */
export const getAcceptedCompressions = (request: FastifyRequest): ReadonlySet<Compression> => {
  const accepted = request.headers['accept-encoding'] ?? ''
  const known = knownEncodings.get(accepted)
  if (known) return known
  const names = accepted.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
  })
  const encodings = new Set(COMPRESSIONS.filter((name) => names.includes(name)))
  if (knownEncodings.size < MAX_KNOWN_ENCODINGS && accepted.length < MAX_HEADER_LENGTH) knownEncodings.set(accepted, encodings)
  return encodings
}

/** The encoding in which a response is sent; undefined for none. */
export const getEncoding = (request: FastifyRequest): Encoding => [...getAcceptedCompressions(request)][0]
