import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { AppContext } from './app-context.ts'
import { getAddressKey } from './client-address.ts'
import { MinuteCounter } from './minute-counter.ts'

/** Requests whose failure has been logged with its error already. */
const logged = new WeakSet<FastifyRequest>()

/** What the log says of a request: never its address, its body or who sent it by name. */
const toLogFields = (request: FastifyRequest, reply: FastifyReply, status: number) => ({
  reqId: request.id,
  call: `${request.method} ${request.routeOptions.url ?? 'page'}`,
  status,
  ms: Math.round(reply.elapsedTime),
  account: request.signedIn?.account ?? null,
})

/** Leaves the line out for an answer that is meant to be what it is, and asked for every second. */
export const skipLog = (request: FastifyRequest): void => void logged.add(request)

/** The line of a request that failed by no fault of the caller's, with why. */
export const logFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply, status: number, words: string): void => {
  logged.add(request)
  request.log.error({ ...toLogFields(request, reply, status), err: error }, words)
}

const VERBOSE_LEVELS = new Set(['info', 'debug', 'trace'])

/** Refusals that have lines of their own, or come of what others do: a save that another one overtook. */
const UNCOUNTED_STATUSES = new Set([401, 403, 409, 412, 428, 429])
/** More than anyone mistypes in a minute; the browser lets hardly a mistake through to the server. */
const MAX_INVALID_REQUESTS = 30
/** The most callers that are counted within a minute. */
const MAX_CALLERS = 10_000

/** A line for every request that failed or was slow, one where a caller sends much that is not right, and at `info` for every other as well. */
export const logRequests = (app: FastifyInstance, { log, configuration: { slowMs, logLevel } }: AppContext): void => {
  const isEach = VERBOSE_LEVELS.has(logLevel)
  // A single mistake does not differ from an attempt.
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
    else if (elapsedTime >= slowMs) log.warn(toLogFields(request, reply, status), 'The request was slow')
    else if (isEach && status < 500) log.info(toLogFields(request, reply, status), 'Answered')
    done()
  })
}
