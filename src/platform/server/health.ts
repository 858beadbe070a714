import { timingSafeEqual, createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

import { noSession, notFound, Problem } from '../contract/problem.ts'
import { RETRY_AFTER } from './errors.ts'
import type { House } from './house.ts'

/** Whoever asks whether we are ready has others to ask, and does not wait long. */
const READY_MS = 3000

const late = async (over: AbortSignal): Promise<never> => {
  await pause(READY_MS, undefined, { signal: over })
  throw new Error(`no answer within ${READY_MS} ms`)
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `/healthz` (alive), `/readyz` (the database answers) and, with METRICS_TOKEN only, `/metrics`. */
export const addHealth = (app: FastifyInstance, { configuration, db }: House): void => {
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async () => {
    const over = new AbortController()
    try {
      await Promise.race([sql`select 1`.execute(db), late(over.signal)])
    } catch (error) {
      throw new Problem(503, 'The database cannot be reached right now', { retryAfter: RETRY_AFTER, cause: error })
    } finally {
      over.abort()
    }
    return { status: 'ready' }
  })

  const { metricsToken } = configuration
  if (metricsToken === undefined) return
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by call and status',
    labelNames: ['method', 'call', 'status'],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    duration.observe(
      { method: request.method, call: request.routeOptions.url ?? 'page', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  app.get('/metrics', async (request, reply) => {
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (given === undefined) throw noSession('Metrics need their token.')
    if (!timingSafeEqual(digest(given), digest(metricsToken))) throw notFound('Page')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
