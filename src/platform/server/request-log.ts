import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { House } from './house.ts'

/** Requests whose failure has been told with its error already. */
const told = new WeakSet<FastifyRequest>()

/** What the log says of a request: never its address, its body or who sent it by name. */
const lineOf = (request: FastifyRequest, reply: FastifyReply, status: number) => ({
  reqId: request.id,
  call: `${request.method} ${request.routeOptions.url ?? 'page'}`,
  status,
  ms: Math.round(reply.elapsedTime),
  account: request.signedIn?.account ?? null,
})

/** Leaves the line out for an answer that is meant to be what it is, and asked for every second. */
export const keepQuiet = (request: FastifyRequest): void => void told.add(request)

/** The line of a request that failed by no fault of the caller's, with why. */
export const logFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply, status: number, words: string): void => {
  told.add(request)
  request.log.error({ ...lineOf(request, reply, status), err: error }, words)
}

const EACH = new Set(['info', 'debug', 'trace'])

/** A line for every request that failed or was slow, and at `info` for every other as well. */
export const logRequests = (app: FastifyInstance, { log, configuration: { slowMs, logLevel } }: House): void => {
  const isEach = EACH.has(logLevel)
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    if (status >= 500 && !told.has(request)) log.error(lineOf(request, reply, status), 'The request failed')
    else if (elapsedTime >= slowMs) log.warn(lineOf(request, reply, status), 'The request was slow')
    else if (isEach && status < 500) log.info(lineOf(request, reply, status), 'Answered')
    done()
  })
}
