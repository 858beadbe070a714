import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'

import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type ConnectionError, LogController, type FastifyInstance, type FastifyRequest } from 'fastify'

import type { Call } from '../contract/call.ts'
import { notFound, Problem } from '../contract/problem.ts'
import { isLoopback } from './configuration.ts'
import { descriptionRoutes } from './description.ts'
import { sendProblem } from './errors.ts'
import type { Route, WhoIs } from './handler.ts'
import { addHealth } from './health.ts'
import type { House } from './house.ts'
import { register } from './route.ts'
import { addWebApp } from './web-app.ts'

export interface AppParts {
  readonly house: House
  readonly calls: readonly Call[]
  readonly routes: readonly Route[]
  readonly whoIs: WhoIs
  /** Adds what is no call of ours: the pages of the local sign-in provider. */
  readonly mount?: (app: FastifyInstance) => Promise<void>
  /** Holds every answer against its contract; for tests, where a lie about a shape must not pass. */
  readonly checkAnswers?: boolean
}

/** The server of one house, ready to listen or to be asked without a network. */
export const makeApp = async ({ house, calls, routes, whoIs, mount, checkAnswers = false }: AppParts): Promise<FastifyInstance> => {
  const { configuration } = house
  const app = Fastify({
    loggerInstance: house.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: configuration.trustProxy,
    genReqId: () => randomUUID(),
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    clientErrorHandler: sendBrokenRequest,
    frameworkErrors: (error, request, reply) => void sendProblem(error, request as FastifyRequest, reply as never),
  })
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('signedIn', null)
  app.setErrorHandler(sendProblem)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    const elsewhere = properAddress(configuration.publicUrl, request)
    if (elsewhere) return reply.redirect(elsewhere, 307)
  })

  await app.register(cookie)
  await app.register(helmet, {
    contentSecurityPolicy: false, // a page brings its own, with its nonce; everything else gets the one below
    strictTransportSecurity: configuration.publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('content-security-policy'))
      void reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  })
  await app.register(rateLimit, {
    global: false,
    keyGenerator: (request) => request.signedIn?.account ?? request.ip,
    errorResponseBuilder: (_request, { ttl }) =>
      new Problem(429, 'That was too many at once', { detail: 'Wait a moment and try again.', retryAfter: Math.ceil(ttl / 1000) }),
  })

  addHealth(app, house)
  const described = descriptionRoutes(calls)
  register(app, house, [...calls, ...described.map((route) => route.call)], [...routes, ...described], whoIs, checkAnswers)
  await mount?.(app)
  if (configuration.serve.has('web')) await addWebApp(app, house)
  addNotFound(app, house)
  return app
}

/** What is no HTTP that could be read: answered as a problem as well, and the connection is closed. */
const sendBrokenRequest = (error: ConnectionError, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW' ? new Problem(431, 'The headers are too large') : new Problem(400, 'The request is broken')
  const body = JSON.stringify(problem.toAnswer())
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.message}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Where a request to another loopback name than PUBLIC_URL's belongs, so that sign-in cookies fit; undefined where it is right. */
const properAddress = (publicUrl: string, request: FastifyRequest): string | undefined => {
  const proper = new URL(publicUrl).hostname
  const asked = request.hostname.toLowerCase()
  if (asked === proper || !isLoopback(proper) || !isLoopback(asked)) return undefined
  return /^\/(healthz|readyz|metrics)\b/.test(request.url) ? undefined : publicUrl + request.url
}

const API_PATH = /^\/(api|auth|locations-api|log-error|openapi\.json|docs|metrics|healthz|readyz|assets)(\/|\?|$)/

/** `/robots.txt` is a file that is not there, unless somebody typed it into a browser; `/charter/St.Mary` is a page. */
const isPage = (request: FastifyRequest, path: string): boolean =>
  !API_PATH.test(path) && (String(request.headers.accept).includes('text/html') || !/^\/[^/]+\.[a-z0-9]{1,12}$/i.test(path))

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** What no route answers: a wrong method is 405, an unknown call 404, and anything a browser asks for as a page is the web app's. */
const addNotFound = (app: FastifyInstance, house: House): void => {
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const page = house.configuration.serve.has('web') && isPage(request, path)
    if (page && (request.method === 'GET' || request.method === 'HEAD')) return reply.sendPage()
    const allowed = page ? ['GET'] : METHODS.filter((method) => method !== request.method && knows(app, method, path))
    if (allowed.length === 0) throw notFound('Page')
    void reply.header('allow', allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', '))
    throw new Problem(405, `This address does not take ${request.method}`, { detail: `It takes ${allowed.join(', ')}.` })
  })
}

const knows = (app: FastifyInstance, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string): boolean => {
  const found = app.findRoute({ method, url: path.length > 1 ? path.replace(/\/$/, '') : path })
  return found !== null && found !== undefined
}
