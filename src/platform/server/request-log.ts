import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { AppContext } from './app-context.ts'
import { getAddressKey } from './client-address.ts'
import { MinuteCounter } from './minute-counter.ts'

/** Requests whose failure has already been logged with its error. */
const logged = new WeakSet<FastifyRequest>()

/** What the log says about a request: never its URL, its body or the caller's name. */
const toLogFields = (request: FastifyRequest, reply: FastifyReply, status: number) => ({
  reqId: request.id,
  call: `${request.method} ${request.routeOptions.url ?? 'page'}`,
  status,
  ms: Math.round(reply.elapsedTime),
  account: request.signedIn?.account ?? null,
})

/** Omits the log line for a response that is expected and requested every second. */
export const skipLog = (request: FastifyRequest): void => void logged.add(request)

/** Logs a request that failed through no fault of the caller, with the reason. */
export const logFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply, status: number, words: string): void => {
  logged.add(request)
  request.log.error({ ...toLogFields(request, reply, status), err: error }, words)
}

const VERBOSE_LEVELS = new Set(['info', 'debug', 'trace'])

/** Refusals that are logged elsewhere, or that other callers cause, such as a save that conflicts with another. */
const UNCOUNTED_STATUSES = new Set([401, 403, 409, 412, 428, 429])
/** More than mistyped input produces in a minute, since the web app validates before it sends. */
const MAX_INVALID_REQUESTS = 30
/** The most callers counted per minute. */
const MAX_CALLERS = 10_000

/** Logs every request that failed or was slow, a caller who sends many invalid requests, and at `info` every other request. */
export const logRequests = (app: FastifyInstance, { log, configuration: { slowMs, logLevel } }: AppContext): void => {
  const isEach = VERBOSE_LEVELS.has(logLevel)
  // A single mistake is not suspicious.
  const invalid = new MinuteCounter(MAX_CALLERS)
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const isWrong = status >= 400 && status < 500 && !UNCOUNTED_STATUSES.has(status)
    if (isWrong && invalid.add(request.signedIn?.account ?? getAddressKey(request.ip)) === MAX_INVALID_REQUESTS) {
      log.warn(
        { ...toLogFields(request, reply, status), address: request.ip },
        `${MAX_INVALID_REQUESTS} requests of one caller within a minute were not right`,
      )
    }
    if (status >= 500 && !logged.has(request)) log.error(toLogFields(request, reply, status), 'The request failed')
    else if (elapsedTime >= slowMs && !request.routeOptions.config.isStream)
      log.warn(toLogFields(request, reply, status), 'The request was slow')
    else if (isEach && status < 500) log.info(toLogFields(request, reply, status), 'Answered')
    done()
  })
}
