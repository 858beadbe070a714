import { finished } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../../contract/problem.ts'
import { getAddressKey } from './client-address.ts'
import { KeyedSemaphore, AcquireTimeout, Semaphore } from './semaphore.ts'

const MEGABYTE = 1024 * 1024
/** Bodies that are no larger need no turn. */
const EXEMPT_BYTES = 16 * 1024
/** Bytes of bodies that are read or worked on at once, of everyone who is signed in and of everyone who is not. */
const SIGNED_IN_BYTES = 48 * MEGABYTE
const ANONYMOUS_BYTES = 4 * MEGABYTE
/** The same of one account or one address. The largest body of all has to fit in. */
const ACCOUNT_BYTES = 16 * MEGABYTE
const ADDRESS_BYTES = 2 * MEGABYTE
/** Requests of one account or address that wait; others are asked to come back at once. */
const MAX_WAITING = 20
const MAX_WAIT_MS = 20_000

/** A refused client keeps sending, and reads the response only afterward: what it sends is discarded for this long. */
const MAX_DISCARD_MS = 10_000
const discardBody = (request: FastifyRequest): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_DISCARD_MS)
    finished(request.raw, { writable: false }, () => {
      clearTimeout(timer)
      resolve()
    })
    request.raw.resume()
  })

/** What one kind of caller may have in memory. */
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
 * Limits the memory of request bodies: a body is read only once there is room for all of it, and counts until its
 * response is sent. A waiting request holds only its connection. Callers without a session share a separate budget, so that they take nothing from the others.
 */
export class BodyMemoryLimit {
  readonly #signedIn = createBudget(SIGNED_IN_BYTES, ACCOUNT_BYTES)
  readonly #anonymous = createBudget(ANONYMOUS_BYTES, ADDRESS_BYTES)

  /** Waits until the body of a request may be read; 429 where that takes too long, or where too many of the same caller wait. */
  async acquire(request: FastifyRequest, reply: FastifyReply, limit: number): Promise<void> {
    const declaredBytes = Number(request.headers['content-length'])
    // A body that is too large is refused elsewhere before it is read, and a small one needs no room. One without a length counts as the largest.
    if (declaredBytes > limit || declaredBytes <= EXEMPT_BYTES) return
    const { account } = request.signedIn ?? {}
    const { all, each, maxWeight: mostOfOne } = account === undefined ? this.#anonymous : this.#signedIn
    const weight = Math.min(Number.isNaN(declaredBytes) ? limit : declaredBytes, mostOfOne)
    const gone = new AbortController()
    const held: (() => void)[] = []
    finished(reply.raw, () => {
      gone.abort()
      for (const giveBack of held.splice(0)) giveBack()
    })
    const over = AbortSignal.any([gone.signal, AbortSignal.timeout(MAX_WAIT_MS)])
    const hold = async (turn: Promise<() => void>): Promise<void> => {
      const giveBack = await turn
      if (gone.signal.aborted) giveBack()
      else held.push(giveBack)
    }
    try {
      await hold(each.acquire(account ?? getAddressKey(request.ip), over, weight))
      await hold(all.acquire(over, weight))
    } catch (error) {
      if (!(error instanceof AcquireTimeout)) throw error
      await discardBody(request)
      throw new Problem(429, 'Too many large requests', { detail: 'Send large requests one after the other.', retryAfter: 5 })
    }
  }
}
