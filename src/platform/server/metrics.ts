import { createHash, timingSafeEqual } from 'node:crypto'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

import packageJson from '../../../package.json' with { type: 'json' }
import type { Call } from '../../contract/call.ts'
import { notSignedIn, notFound } from '../../contract/problem.ts'
import type { AppContext } from './app-context.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { toProblem } from './errors.ts'
import { withTimeout } from './with-timeout.ts'

/** A metric that is read on request, by the values of its one label if it has one; undefined if there is no value. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly label?: string
  readonly read: () => Promise<number | undefined | Readonly<Record<string, number>>>
}

/** The longest time that a hanging metric may delay the response. */
const TIMEOUT_MS = 2000
/** Response times range from a millisecond (a cached list) to a minute (a large workbook). */
const BUCKETS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Labels have few values, whatever is requested: the declared path of a call, or the kind of request. */
const createPathLabel = (calls: readonly Call[]): ((request: FastifyRequest) => string) => {
  const known = new Set([...calls.map(({ path }) => path as string), '/healthz', '/readyz', '/metrics'])
  return ({ routeOptions: { url } }) => {
    if (url !== undefined && known.has(url)) return url
    if (url === undefined || url === '/') return 'page'
    return url.startsWith('/local-provider') ? 'sign-in page' : 'file'
  }
}

/** `/metrics` for Prometheus, only with METRICS_TOKEN. docs/operators/operating.md explains each metric. */
export const addMetrics = (app: FastifyInstance, context: AppContext, calls: readonly Call[], measures: readonly Metric[]): void => {
  const { configuration, pool, lists, disk } = context
  const { metricsTokens } = configuration
  if (metricsTokens.length === 0) return
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const callOf = createPathLabel(calls)
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests answered, by call and status, and how long they took',
    labelNames: ['method', 'call', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const inFlight = new Gauge({ name: 'http_requests_in_flight', help: 'Requests being answered right now', registers })
  const disconnected = new Counter({
    name: 'http_requests_left_total',
    help: 'Requests whose sender did not wait for the answer',
    registers,
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isStream) return done()
    inFlight.inc()
    // Unlike the `onResponse` hook, this also fires for broken connections.
    reply.raw.once('close', () => {
      inFlight.dec()
      if (!reply.raw.writableFinished) disconnected.inc()
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const method = METHODS.has(request.method) ? request.method : 'other'
    const seconds = request.routeOptions.config.isStream ? 0 : reply.elapsedTime / 1000
    duration.observe({ method, call: callOf(request), status: reply.statusCode }, seconds)
    done()
  })

  const databaseErrors = new Counter({
    name: 'homeroom_database_errors_total',
    help: 'Requests that failed because the database could not be reached, and idle connections to it that broke',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of ['request', 'connection']) databaseErrors.inc({ kind }, 0)
  const onBroken = (): void => databaseErrors.inc({ kind: 'connection' })
  pool.on('error', onBroken)
  app.addHook('onClose', async () => void pool.off('error', onBroken))
  app.addHook('onError', (_request, _reply, error, done) => {
    const { status, cause } = toProblem(error)
    if (status === 503 && isDatabaseUnavailable(cause)) databaseErrors.inc({ kind: 'request' })
    done()
  })

  const gauge = ({ name, help, label, read }: Metric): void => {
    const figure = new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [],
      async collect() {
        const found = await withTimeout(TIMEOUT_MS, read()).catch(() => undefined)
        this.reset()
        // A metric without a label would report zero if there is no value.
        if (label === undefined) this.remove()
        if (typeof found === 'number') this.set(found)
        else for (const [value, number] of Object.entries(found ?? {})) this.set({ [label ?? '']: value }, number)
      },
    })
    registry.registerMetric(figure)
  }
  // The state of the pool before the metrics themselves query the database.
  let pooled = { total: 0, idle: 0, waiting: 0 }
  const ofDisks = (figure: 'free' | 'size') => async () => Object.fromEntries(disk.disks.map((one) => [one.folders.join('+'), one[figure]]))
  const own: readonly Metric[] = [
    {
      name: 'homeroom_build_info',
      help: 'Always 1; the label says which version runs',
      label: 'version',
      read: async () => ({ [packageJson.version]: 1 }),
    },
    {
      name: 'homeroom_database_up',
      help: '1 where the database answers, 0 where it does not',
      read: async () =>
        withTimeout(TIMEOUT_MS, pool.query('select 1')).then(
          () => 1,
          () => 0,
        ),
    },
    {
      name: 'homeroom_database_connections',
      help: 'Connections of this server to the database: used, idle, and the most there may be',
      label: 'state',
      read: async () => ({ used: pooled.total - pooled.idle, idle: pooled.idle, most: pool.options.max }),
    },
    {
      name: 'homeroom_database_waiting',
      help: 'Queries that wait for a connection',
      read: async () => pooled.waiting,
    },
    { name: 'homeroom_disk_free_bytes', help: 'Space left for DATA_DIR and BACKUP_DIR', label: 'folder', read: ofDisks('free') },
    {
      name: 'homeroom_disk_size_bytes',
      help: 'Size of the file systems of DATA_DIR and BACKUP_DIR',
      label: 'folder',
      read: ofDisks('size'),
    },
  ]
  for (const measure of [...own, ...measures]) gauge(measure)
  const builds = new Counter({
    name: 'homeroom_list_builds_total',
    help: 'Lists that were built again because their records had changed',
    registers: [],
    collect() {
      this.reset()
      this.inc(lists.builds)
    },
  })
  registry.registerMetric(builds)

  app.get('/metrics', async (request, reply) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw notSignedIn('Metrics need their token.')
    if (!metricsTokens.some((known) => timingSafeEqual(digest(token), digest(known)))) throw notFound('Page')
    pooled = { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
