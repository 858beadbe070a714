import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'

import { notFound, Problem, REQUEST_TOO_LARGE } from '../../contract/problem.ts'
import { toArchivedProblem } from '../../database/archived-records.server.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { getErrorCode } from './error-code.ts'
import { getToken } from './guard.ts'
import { logFailure } from './request-log.ts'
import { logSecurityEvent, type SecurityEvent } from './security-log.ts'
import { AcquireTimeout } from './semaphore.ts'

/** Seconds after which an unavailable database is worth retrying. */
export const RETRY_AFTER = 5

/** Too many saves wait, or this one met the same others again and again. */
export const createBusyError = (cause?: unknown): Problem =>
  new Problem(503, 'The server is busy', {
    detail: 'Your changes were not saved. Try again in a moment.',
    retryAfter: RETRY_AFTER,
    cause,
  })

const FASTIFY_PROBLEMS: Record<string, (error: FastifyError) => Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Problem(415, 'Only JSON is supported', { detail: 'Send Content-Type: application/json.' }),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem(413, REQUEST_TOO_LARGE),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new Problem(400, 'The JSON is not valid', { detail: 'The body is empty.' }),
  FST_ERR_CTP_INVALID_JSON_BODY: (error) => new Problem(400, 'The JSON is not valid', { detail: error.message }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem(400, 'The request is not valid', { detail: 'Its length does not match its Content-Length.' }),
  FST_ERR_BAD_URL: () => new Problem(400, 'The address is not valid'),
  FST_ERR_ASYNC_CONSTRAINT: () => new Problem(400, 'The address is not valid'),
  FST_ERR_MAX_PARAM_LENGTH: () => notFound('Page'),
}

/** Converts any error to a problem; one that the caller did not cause is a defect, whose details stay in the log. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  const known = FASTIFY_PROBLEMS[getErrorCode(error)]
  if (known) return known(error as FastifyError)
  const archived = toArchivedProblem(error)
  if (archived) return archived
  // Only saves wait for a semaphore without handling its timeout.
  if (error instanceof AcquireTimeout) return createBusyError()
  if (error instanceof pg.DatabaseError && error.constraint === 'record_is_erased')
    return new Problem(409, 'The personal data of this record was erased', { detail: 'It can no longer be changed.' })
  if (isDatabaseUnavailable(error))
    return new Problem(503, 'The database is not available right now', { retryAfter: RETRY_AFTER, cause: error })
  const status = (error as FastifyError | undefined)?.statusCode
  if (error instanceof SyntaxError && status === 400) return new Problem(400, 'The JSON is not valid')
  if (status !== undefined && status >= 400 && status < 500) return new Problem(status, 'The request is not valid')
  return new Problem(500, 'Something went wrong on the server', { cause: error })
}

/** An error that the caller did not cause. */
export interface Defect {
  readonly error: unknown
  /** The call's pattern, without its parameters: `PATCH /locations-api/sites/:id`. */
  readonly route: string
  readonly request: string
  readonly account: string | null
}

/** An error as a defect; undefined if the caller or a dependency caused it. */
export const toDefect = (error: unknown, { method, routeOptions, id, signedIn }: FastifyRequest): Defect | undefined => {
  const problem = toProblem(error)
  if (problem.status !== 500) return undefined
  const route = `${method} ${routeOptions.url ?? '/'}`
  return { error: problem.cause ?? problem, route, request: id, account: signedIn?.account ?? null }
}

/** Statuses that are logged, since someone tried to access something forbidden. */
const REFUSAL_EVENTS: Readonly<Record<number, SecurityEvent>> = { 401: 'no_session', 403: 'access_refused', 429: 'limit_reached' }

/** The pattern of the path, since the path itself may hold confidential data. */
const describeCall = ({ method, routeOptions }: FastifyRequest): string => `${method} ${routeOptions.url ?? 'unknown'}`

/** `Clear-Site-Data`: makes the browser drop all cached responses of ours. Browsers honor it over HTTPS and on loopback only. */
export const CLEAR_CACHE = '"cache"'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The error format of a route, where a standard defines one. */
    formatProblem?: (problem: Problem) => { readonly type: string; readonly body: object | string }
    /** How callers of a route sign in, if it is not with a session or a token. */
    challenge?: string
  }
}

const formatProblem = (problem: Problem, { id, routeOptions }: FastifyRequest): { readonly type: string; readonly body: object | string } =>
  routeOptions.config.formatProblem?.(problem) ?? {
    type: 'application/problem+json',
    body: problem.status === 500 ? { ...problem.toBody(), requestId: id } : problem.toBody(),
  }

/** Sends an error; the only place where errors become responses. */
export const sendProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const problem = toProblem(error)
  if (problem.status >= 500) logFailure(error, request, reply, problem.status, problem.message)
  const refused = REFUSAL_EVENTS[problem.status]
  if (refused)
    logSecurityEvent(request.log, request, refused, { call: describeCall(request), status: problem.status, reason: problem.message })
  if (problem.status === 401) {
    void reply.header('www-authenticate', reply.getHeader('www-authenticate') ?? request.routeOptions.config.challenge ?? 'Bearer')
    // An expired session clears the browser's cache, as a sign-out does.
    if (getToken(request) !== undefined) void reply.header('clear-site-data', CLEAR_CACHE)
  }
  if (problem.retryAfter !== undefined) void reply.header('retry-after', problem.retryAfter)
  const { type, body } = formatProblem(problem, request)
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type(type)
    .send(typeof body === 'string' ? body : JSON.stringify(body))
}
