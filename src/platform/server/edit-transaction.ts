import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyRequest } from 'fastify'

import { Problem } from '../../contract/problem.ts'
import { type Actor, setActor, readChangedRecords } from '../../database/connection.server.ts'
import type { RunEdit, AppContext, SignedIn } from './app-context.ts'
import { getErrorCode } from './error-code.ts'
import { isDatabaseUnavailable, RETRY_AFTER } from './errors.ts'
import { getIfMatchVersion } from './guard.ts'
import { AcquireTimeout, Semaphore } from './semaphore.ts'

/** Concurrent saves: half of the pool, so that saves waiting for each other always leave connections for reads. */
const MAX_CONCURRENT_SAVES = 5
const MAX_WAIT_MS = 30_000

/** Maximum attempts of a save that PostgreSQL aborts because of a deadlock. */
const MAX_ATTEMPTS = 5
const MAX_PAUSE_MS = 100

/** One semaphore per server, tied to the server's context. */
const saveSemaphores = new WeakMap<AppContext, Semaphore>()
export const acquireSaveSlot = async (context: AppContext): Promise<() => void> => {
  const semaphore = saveSemaphores.get(context) ?? new Semaphore(MAX_CONCURRENT_SAVES)
  saveSemaphores.set(context, semaphore)
  try {
    return await semaphore.acquire(AbortSignal.timeout(MAX_WAIT_MS))
  } catch (error) {
    if (!(error instanceof AcquireTimeout)) throw error
    throw createBusyError()
  }
}

const createBusyError = (cause?: unknown): Problem =>
  new Problem(503, 'The server is busy', {
    detail: 'Your changes were not saved. Try again in a moment.',
    retryAfter: RETRY_AFTER,
    cause,
  })

/** The response to a commit was lost: the save may or may not have happened, so it is not repeated here. The caller decides. */
export const createCommitUnknownError = (cause: unknown): Problem =>
  new Problem(503, 'The database is not available right now', {
    detail: 'Your changes may or may not have been saved. Check before you try again.',
    retryAfter: RETRY_AFTER,
    cause,
  })

/** PostgreSQL aborted one of two saves that waited for each other. It can be retried. */
const isDeadlock = (error: unknown): boolean => getErrorCode(error) === '40P01'

/** Retries after a deadlock, with a random pause so that the same saves do not collide again. */
export const retryDeadlocks = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error)) throw error
      if (attempt === MAX_ATTEMPTS) throw createBusyError(error)
      await pause(Math.random() * MAX_PAUSE_MS)
    }
  }
}

/** The actor's name in the history; for a program, the names of the token's owner and of the token. */
const getActorName = (user: SignedIn | null): string => {
  if (user === null) return 'Someone not signed in'
  return user.token === null ? user.name : `${user.name} (token ${user.token})`
}

/** Who sends a request, for the history. */
export const getActor = (request: FastifyRequest): Actor => ({
  account: request.signedIn?.account ?? null,
  name: getActorName(request.signedIn),
  request: request.id,
  basedOn: getIfMatchVersion(request),
})

/**
 * Runs the writes of one request in one transaction, with the caller as the actor. This server's lists include the changes before the response is
 * sent.
 */
export const createEdit =
  (context: AppContext, request: FastifyRequest): RunEdit =>
  async (write) => {
    const ifMatchVersion = getIfMatchVersion(request)
    let isWritten = false
    const attempt = () => {
      isWritten = false
      return context.db.transaction().execute(async (tx) => {
        await setActor(tx, getActor(request))
        const result = [await write(tx, ifMatchVersion), await readChangedRecords(tx)] as const
        isWritten = true
        return result
      })
    }
    const release = await acquireSaveSlot(context)
    try {
      const [answer, lines] = await retryDeadlocks(attempt)
      // Before the response, so that an acknowledged save is never followed by an older list from this server.
      await context.lists.invalidate(lines)
      return answer
    } catch (error) {
      throw isWritten && isDatabaseUnavailable(error) ? createCommitUnknownError(error) : error
    } finally {
      release()
    }
  }
