import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'

import { Problem } from '../../contract/problem.ts'
import type { AppContext } from './app-context.ts'
import { RETRY_AFTER } from './errors.ts'
import { skipLog } from './request-log.ts'
import { TimeoutError, withTimeout } from './with-timeout.ts'

/** A database that takes longer to respond counts as unavailable. */
const TIMEOUT_MS = 3000

/** `/healthz` (alive) and `/readyz` (the database responds, and the server is not stopping). */
export const addHealth = (app: FastifyInstance, { db, disk }: AppContext, isStopping: () => boolean): void => {
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (request, reply) => {
    if (isStopping()) {
      skipLog(request)
      const { status, ...answer } = new Problem(503, 'The server is stopping').toBody()
      void reply.code(status).header('retry-after', RETRY_AFTER).header('cache-control', 'no-store').type('application/problem+json')
      return reply.send(JSON.stringify({ ...answer, status }))
    }
    try {
      await withTimeout(TIMEOUT_MS, sql`select 1`.execute(db))
    } catch (error) {
      const message = error instanceof TimeoutError ? 'The database did not respond in time' : 'The database is not available right now'
      throw new Problem(503, message, { retryAfter: RETRY_AFTER, cause: error })
    }
    void reply.header('cache-control', 'no-store')
    return { status: 'ready', warnings: disk.warnings }
  })

  app.addHook('onReady', () => disk.check())
}
