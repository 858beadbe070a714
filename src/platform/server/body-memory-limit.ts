import { finished } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../../contract/problem.ts'
import { getAddressKey } from './client-address.ts'
import { KeyedSemaphore, AcquireTimeout, Semaphore } from './semaphore.ts'
import { nextTurn } from './time-slices.ts'

const MEGABYTE = 1024 * 1024
/** Bodies up to this size are not limited. */
const EXEMPT_BYTES = 16 * 1024
/** Total size of request bodies in memory at once: for signed-in callers, two of whom can upload the largest sheet, and for all others. */
const SIGNED_IN_BYTES = 40 * MEGABYTE
const ANONYMOUS_BYTES = 4 * MEGABYTE
/** The limit for one account or address. A body that is larger counts as all of it, so that it is read alone. */
const ACCOUNT_BYTES = 16 * MEGABYTE
const ADDRESS_BYTES = 2 * MEGABYTE
/** Maximum number of waiting requests per account or address; further ones get a 429. */
const MAX_WAITING = 20
const MAX_WAIT_MS = 20_000

/**
 * A refused client reads the response only after it has sent everything, so its data is read and discarded for this long: a chunk in each turn, since
 * dozens of refused bodies that arrive as fast as they can would block other requests.
 */
const MAX_DISCARD_MS = 10_000
const discardBody = (request: FastifyRequest): Promise<void> =>
  new Promise((resolve) => {
    const { raw } = request
    const timer = setTimeout(() => {
      raw.off('data', rest).resume()
      resolve()
    }, MAX_DISCARD_MS)
    const rest = (): void => {
      raw.pause()
      void nextTurn().then(() => raw.resume())
    }
    raw.on('data', rest)
    finished(raw, { writable: false }, () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** The memory that one kind of caller may use. */
interface Budget {
  readonly all: Semaphore
  readonly each: KeyedSemaphore
  readonly maxWeight: number
}
const createBudget = (all: number, each: number): Budget => ({
  all: new Semaphore(all),
  each: new KeyedSemaphore(each, MAX_WAITING),
  maxWeight: each,
})

/**
 * Limits the memory used by request bodies: a body is read only once there is room for all of it, and counts until its response is sent. A waiting
 * request holds only its connection. Callers without a session share a separate budget, so that they cannot starve the others.
 */
export class BodyMemoryLimit {
  readonly #signedIn = createBudget(SIGNED_IN_BYTES, ACCOUNT_BYTES)
  readonly #anonymous = createBudget(ANONYMOUS_BYTES, ADDRESS_BYTES)

  /** Waits until the body of a request may be read; throws 429 if that takes too long or too many requests of the same caller are waiting. */
  async acquire(request: FastifyRequest, reply: FastifyReply, limit: number): Promise<void> {
    const declaredBytes = Number(request.headers['content-length'])
    // Bodies that are too large are refused elsewhere before they are read, and small ones need no slot. A body without a declared length counts as
    // the largest.
    if (declaredBytes > limit || declaredBytes <= EXEMPT_BYTES) return
    const { account } = request.signedIn ?? {}
    const { all, each, maxWeight } = account === undefined ? this.#anonymous : this.#signedIn
    const weight = Math.min(Number.isNaN(declaredBytes) ? limit : declaredBytes, maxWeight)
    const disconnected = new AbortController()
    const releases: (() => void)[] = []
    finished(reply.raw, () => {
      disconnected.abort()
      for (const release of releases.splice(0)) release()
    })
    const signal = AbortSignal.any([disconnected.signal, AbortSignal.timeout(MAX_WAIT_MS)])
    const hold = async (acquired: Promise<() => void>): Promise<void> => {
      const release = await acquired
      if (disconnected.signal.aborted) release()
      else releases.push(release)
    }
    try {
      await hold(each.acquire(account ?? getAddressKey(request.ip), signal, weight))
      await hold(all.acquire(signal, weight))
    } catch (error) {
      if (!(error instanceof AcquireTimeout)) throw error
      await discardBody(request)
      throw new Problem(429, 'Too many large requests', { detail: 'Send large requests one after the other.', retryAfter: 5 })
    }
  }
}
