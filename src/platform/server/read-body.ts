import type { Readable } from 'node:stream'

import { errorCodes, type FastifyRequest } from 'fastify'

import { shareTurn } from './time-slices.ts'

/** The first size of a body without a declared length; it doubles as more arrives. */
const UNDECLARED_BYTES = 64 * 1024

/**
 * Reads a request body. Each chunk is copied to its place as it arrives, and chunks share turns of the event loop with those of other bodies: joining
 * megabytes at the end would block other requests, because the system provides memory slowly. Throws 413 for a body that is larger than its route allows.
 */
export const readBody = ({ headers, raw, routeOptions }: FastifyRequest, payload: Readable = raw): Promise<Buffer<ArrayBuffer>> => {
  const limit = routeOptions.bodyLimit
  const declared = Number(headers['content-length'])
  return new Promise((resolve, reject) => {
    if (declared > limit) return reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    let body = Buffer.allocUnsafeSlow(Number.isNaN(declared) ? UNDECLARED_BYTES : declared)
    let length = 0
    const add = (chunk: Buffer): void => {
      const end = length + chunk.length
      if (end > limit) {
        payload.off('data', add)
        return reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      }
      if (end > body.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(end, Math.min(2 * body.length, limit)))
        body.copy(larger, 0, 0, length)
        body = larger
      }
      chunk.copy(body, length)
      length = end
      const turn = shareTurn()
      if (!turn) return
      payload.pause()
      void turn.then(() => payload.resume())
    }
    payload.on('data', add)
    payload.once('end', () => resolve(body.subarray(0, length)))
    payload.once('error', (error) => reject(Object.assign(error, { statusCode: 400 })))
  })
}
