import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'

import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type ConnectionError, LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

import { notFound, Problem, tooManyRequests } from '../../contract/problem.ts'
import { isFilePath, isServerPath } from '../../contract/server-paths.ts'
import type { AppContext } from './app-context.ts'
import { getAddressKey } from './client-address.ts'
import type { Configuration } from './configuration.ts'
import { type Defect, toDefect, sendProblem } from './errors.ts'
import type { Route, Authenticate } from './handler.ts'
import { addHealth } from './health.ts'
import { readJsonBodies } from './json-body.ts'
import { isLoopback } from './loopback.ts'
import { addMetrics, type Metric } from './metrics.ts'
import { descriptionRoutes } from './openapi.ts'
import { logRequests } from './request-log.ts'
import { registerRoutes } from './route.ts'
import { BARE_POLICY, type SecurityHeaders, securityHeaders } from './security-headers.ts'
import { addWebApp } from './web-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes `/readyz` report "not ready", and every response close its connection. */
    stopSoon: () => void
  }
  interface FastifyReply {
    /** Adds the security headers and the request's id. Normal responses have them already; hijacked ones need this. */
    protect: () => void
    /** The security headers as a flat list of names and values, for responses written directly to the socket. */
    securityHeaders: () => string[]
    /** The header that closes the connection, as a flat list, while the server is stopping; otherwise empty. */
    closeHeaders: () => string[]
  }
}

export interface ServerOptions {
  readonly context: AppContext
  readonly routes: readonly Route[]
  readonly authenticate: Authenticate
  /** Adds routes that are not calls: the pages of the local sign-in provider. */
  readonly mount?: (app: FastifyInstance) => Promise<void>
  /** Called for every defect; a parameter, since the platform imports no feature. */
  readonly onDefect?: (defect: Defect) => void
  /** Metrics of features, which the platform does not know. */
  readonly metrics?: readonly Metric[]
  /** Validates every response against its contract; for tests only. */
  readonly checkResponses?: boolean
}

/** Builds the Fastify server, ready to listen or to receive injected requests. */
export const createServer = async ({
  context,
  routes,
  authenticate,
  mount,
  onDefect,
  metrics = [],
  checkResponses = false,
}: ServerOptions): Promise<FastifyInstance> => {
  const { configuration } = context
  const headers = securityHeaders(configuration.publicUrl.startsWith('https:'))
  const bareHeaders = [...headers, ['content-security-policy', BARE_POLICY] as const]
  const app = Fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: toTrustProxy(configuration.trustProxy),
    genReqId: createRequestIds(),
    // A logger per request would cost more than most responses; each log call includes the request id instead.
    childLoggerFactory: (logger) => logger,
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    // Requests that arrive before the last connection has closed get a normal response.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, bareHeaders),
    // These errors occur before any hook runs.
    frameworkErrors: (error, request, reply) => {
      for (const [name, value] of bareHeaders) void reply.header(name, value)
      void sendProblem(error, request, reply)
    },
  })
  app.removeContentTypeParser('text/plain')
  readJsonBodies(app)
  app.decorateRequest('signedIn', null)
  let isStopping = false
  app.decorate('stopSoon', () => {
    isStopping = true
  })
  logRequests(app, context)
  app.setErrorHandler((error, request, reply) => {
    const defect = onDefect && toDefect(error, request)
    if (defect) onDefect(defect)
    return sendProblem(error, request, reply)
  })
  app.addHook('onRequest', redirectToPublicUrl(configuration.publicUrl))
  await app.register(cookie)
  // Added when a response is sent. Code that writes to the socket directly (cached lists, the local provider) adds them itself.
  app.decorateReply('protect', function (this: FastifyReply) {
    this.raw.setHeader('x-request-id', this.request.id)
    if (isStopping) this.raw.setHeader('connection', 'close')
    for (const [name, value] of headers) if (!this.hasHeader(name)) this.raw.setHeader(name, value)
    if (!this.hasHeader('content-security-policy')) this.raw.setHeader('content-security-policy', BARE_POLICY)
  })
  app.decorateReply('closeHeaders', () => (isStopping ? ['connection', 'close'] : []))
  const bare = bareHeaders.flat()
  app.decorateReply('securityHeaders', function (this: FastifyReply) {
    return [...bare, 'x-request-id', this.request.id, ...this.closeHeaders()]
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.protect()
    done()
  })
  await app.register(rateLimit, {
    global: false,
    keyGenerator: (request) => request.signedIn?.account ?? getAddressKey(request.ip),
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(Math.ceil(ttl / 1000)),
  })

  addHealth(app, context, () => isStopping)
  const calls = routes.map(({ call }) => call)
  addMetrics(app, context, calls, metrics)
  await registerRoutes(app, context, [...routes, ...descriptionRoutes(calls)], authenticate, checkResponses)
  await mount?.(app)
  if (configuration.serve.has('web')) await addWebApp(app, context)
  addNotFound(app, context)
  return app
}

/**
 * Trusts as many addresses of the chain as there are proxies, counted from the server's end: text from outsiders comes before them. A plain number
 * would make Fastify trust no proxy, since it cannot tell a proxy from a client that bypasses it. The network must prevent such a bypass.
 */
const toTrustProxy = (proxies: Configuration['trustProxy']): false | string[] | ((address: string, hop: number) => boolean) =>
  typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies

/** A request number with a prefix unique to this run of the server, so that no two requests of any server share an id. */
const createRequestIds = (): (() => string) => {
  const run = randomBytes(9).toString('base64url')
  let requests = 0
  return () => `${run}-${(++requests).toString(36)}`
}

/** Answers a request that is not valid HTTP with a problem, and closes its connection. */
const answerBrokenRequest = (error: ConnectionError, socket: Socket, headers: SecurityHeaders): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW' ? new Problem(431, 'The headers are too large') : new Problem(400, 'The request is not valid')
  const body = JSON.stringify(problem.toBody())
  const lines = [
    ['content-type', 'application/problem+json'],
    ['content-length', String(Buffer.byteLength(body))],
    ['connection', 'close'],
    ...headers,
  ].map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${problem.message}\r\n${lines.join('')}\r\n${body}`)
}

/** Redirects a request for another loopback name to PUBLIC_URL's, so that sign-in cookies match. */
const redirectToPublicUrl = (publicUrl: string) => {
  const { host, hostname } = new URL(publicUrl)
  const isStrict = isLoopback(hostname)
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    // A request target that is an absolute URL is not appended to ours.
    if (!isStrict || request.headers.host === host || !request.url.startsWith('/')) return done()
    const requested = request.hostname.toLowerCase()
    if (requested === hostname || !isLoopback(requested) || /^\/(healthz|readyz|metrics)\b/.test(request.url)) return done()
    void reply.redirect(publicUrl + request.url, 307)
  }
}

/** `/robots.txt` is a missing file unless a browser navigates to it; `/charter/St.Mary` is a page. */
const isPage = (request: FastifyRequest, path: string): boolean =>
  !isServerPath(path) && (String(request.headers.accept).includes('text/html') || !isFilePath(path))

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Requests without a route: a wrong method is 405, an unknown call 404, and page requests of browsers get the web app. */
const addNotFound = (app: FastifyInstance, context: AppContext): void => {
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const page = context.configuration.serve.has('web') && isPage(request, path)
    if (page && (request.method === 'GET' || request.method === 'HEAD')) return reply.sendPage()
    const allowed = page ? ['GET'] : METHODS.filter((method) => method !== request.method && hasRoute(app, method, path))
    if (allowed.length === 0) throw notFound('Page')
    void reply.header('allow', allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', '))
    throw new Problem(405, `This address does not support ${request.method}`, { detail: `Supported: ${allowed.join(', ')}.` })
  })
}

const hasRoute = (app: FastifyInstance, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string): boolean => {
  const found = app.findRoute({ method, url: path.length > 1 ? path.replace(/\/$/, '') : path })
  return found !== null && found !== undefined
}
