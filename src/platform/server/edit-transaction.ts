import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyRequest } from 'fastify'

import { Problem } from '../../contract/problem.ts'
import { SEEN_HEADER } from '../../contract/seen-form.ts'
import { type Actor, setActor, readChangedRecords, type Tx } from '../../database/connection.server.ts'
import type { AppContext, SignedIn } from './app-context.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { getErrorCode } from './error-code.ts'
import { createBusyError, RETRY_AFTER } from './errors.ts'
import { getIfMatchVersion } from './guard.ts'
import { MAX_SAVE_WAIT_MS } from './save-queue.ts'

/** Half of the pool, so that saves waiting for each other always leave connections for reads. */
export const MAX_CONCURRENT_SAVES = 5

/** Maximum attempts of a save that PostgreSQL aborts because of a deadlock. */
const MAX_ATTEMPTS = 5
const MAX_PAUSE_MS = 100

/** The response to a commit was lost: the save may or may not have happened, so it is not repeated here. The caller decides. */
export const createCommitUnknownError = (cause: unknown): Problem =>
  new Problem(503, 'The database is not available right now', {
    detail: 'Your changes may or may not have been saved. Check before you try again.',
    retryAfter: RETRY_AFTER,
    cause,
  })

/** PostgreSQL aborted one of two saves that waited for each other. It can be retried. */
const isDeadlock = (error: unknown): boolean => getErrorCode(error) === '40P01'

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
  // A program sees no form.
  isSeen: request.headers[SEEN_HEADER] !== undefined && request.signedIn?.token === null,
})

/**
 * Runs a save in one transaction, with its actor. After a deadlock it runs again, after a random pause so that the same saves do not collide again.
 * This server's lists include the changes when it resolves.
 */
export const runSave = <T>(context: AppContext, actor: Actor, write: (tx: Tx) => Promise<T>): Promise<T> =>
  context.saveSlots.run(async () => {
    for (let attempt = 1; ; attempt++) {
      let isWritten = false
      try {
        const [result, lines] = await context.db.transaction().execute(async (tx) => {
          await setActor(tx, actor)
          const written = [await write(tx), await readChangedRecords(tx)] as const
          isWritten = true
          return written
        })
        // Before the response, so that an acknowledged save is never followed by an older list from this server.
        await context.lists.invalidate(lines)
        return result
      } catch (error) {
        if (isWritten && isDatabaseUnavailable(error)) throw createCommitUnknownError(error)
        if (!isDeadlock(error)) throw error
        if (attempt === MAX_ATTEMPTS) throw createBusyError(error)
        await pause(Math.random() * MAX_PAUSE_MS)
      }
    }
  }, AbortSignal.timeout(MAX_SAVE_WAIT_MS))
