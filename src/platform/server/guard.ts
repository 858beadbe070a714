import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import { isApiToken } from '../../contract/api-tokens.ts'
import { ArchivedFilter, type Call, PastDay, takesArchived, takesDay } from '../../contract/call.ts'
import { can } from '../../contract/capabilities.ts'
import {
  invalidFields,
  toFieldErrors,
  forbidden,
  MAX_FIELD_ERRORS,
  notSignedIn,
  notFound,
  sessionRequired,
  formatPath,
  Problem,
  type FieldError,
} from '../../contract/problem.ts'
import { HIDDEN_CHARACTER } from '../../contract/text-cleaning.ts'
import type { SignedIn } from './app-context.ts'
import type { Authenticate } from './handler.ts'

/** Authorizes the caller: throws 401 without a session, 403 below the level that the call's capability requires. */
export const authorize = (call: Call, authenticate: Authenticate, request: FastifyRequest): SignedIn | null | Promise<SignedIn | null> => {
  const user = authenticate(request, call)
  return user instanceof Promise ? user.then((signedIn) => checkAccess(call, signedIn, request)) : checkAccess(call, user, request)
}

/** The token of a request, as a bearer token or `x-auth-token`; never from the query, which ends up in logs. */
export const getToken = ({ headers }: FastifyRequest): string | undefined => {
  const bearer = /^Bearer +([\w-]{43,64})$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const header = headers['x-auth-token']
  return typeof header === 'string' && /^[\w-]{43,64}$/.test(header) ? header : undefined
}

const checkAccess = (call: Call, user: SignedIn | null, request: FastifyRequest): SignedIn | null => {
  if (call.sessionOnly && user !== null && user.session === null) throw sessionRequired()
  if (call.capability === 'no session') return user
  if (!user) throw notSignedIn(isApiToken(getToken(request) ?? '') ? 'This API token is unknown, has expired or was removed.' : undefined)
  if (!can(user.accessLevel, call.capability)) {
    request.signedIn = user // so that the log can identify the caller
    throw forbidden(call.capability)
  }
  return user
}

/** Maximum nesting of a body; valid ones have three levels, and validating a deeper one would waste time. */
const MAX_DEPTH = 40

/** Text that PostgreSQL cannot store (a NUL) or would return altered (half a surrogate pair), anywhere in the value. */
const findUnstorableText = (value: unknown): FieldError[] => {
  const errors: FieldError[] = []
  const path: string[] = []
  const visit = (inner: unknown): void => {
    if (typeof inner === 'string') {
      if (inner.includes('\0') || !inner.isWellFormed()) errors.push({ path: formatPath(path), message: HIDDEN_CHARACTER })
    } else if (inner !== null && typeof inner === 'object') {
      if (path.length > MAX_DEPTH) throw invalidFields([{ path: path[0] ?? '', message: 'Is nested too deeply' }])
      for (const [key, within] of Object.entries(inner)) {
        path.push(key)
        visit(within)
        path.pop()
        if (errors.length > MAX_FIELD_ERRORS) return
      }
    }
  }
  visit(value)
  return errors
}

const validateInput = <T>(schema: z.ZodType<T>, value: unknown, lenient = false): T => {
  const errors = findUnstorableText(value)
  if (errors.length > 0 && !lenient) throw invalidFields(errors)
  const read = schema.safeParse(value)
  if (!read.success) throw invalidFields(toFieldErrors(read.error))
  return read.data
}

/** The body of an edit before the stored record is known. */
const ANY_OBJECT = z.record(z.string(), z.unknown())

/**
 * The inputs of a call, validated against its contract: an invalid path parameter is 404, an invalid field 422. The fields of an edit with
 * `allowUnchangedInvalid` can only be validated against the stored record; its handler does so with `validateChanges`.
 */
export const readInputs = (call: Call, request: FastifyRequest): { params: unknown; query: unknown; body: unknown } => {
  if (call.params && (findUnstorableText(request.params).length > 0 || !call.params.safeParse(request.params).success))
    throw notFound('Page')
  return {
    params: call.params?.parse(request.params),
    query: call.query && validateInput(call.query, request.query),
    body: call.body && validateInput(call.allowUnchangedInvalid ? ANY_OBJECT : call.body, request.body ?? {}, call.allowUnstorableText),
  }
}

/** Which records a request asks for, if not those in use at present: those of a past day, or those that are archived. */
export interface AskedView {
  readonly day: string | undefined
  readonly isArchived: boolean
}

/** What a request asks for with `on` and `archived`; undefined for neither. */
export const getAskedView = (call: Call, request: FastifyRequest): AskedView | undefined => {
  const { on, archived } = request.query as { on?: unknown; archived?: unknown }
  const day = on === undefined || !takesDay(call) ? undefined : validateInput(z.object({ on: PastDay }), { on }).on
  const isArchived =
    archived !== undefined &&
    takesArchived(call) &&
    validateInput(z.object({ archived: ArchivedFilter }), { archived }).archived !== undefined
  return day === undefined && !isArchived ? undefined : { day, isArchived }
}

/** The version that an edit is based on, from `If-Match: "{version}"`; undefined if the header is missing. */
export const getIfMatchVersion = (request: FastifyRequest): number | undefined => {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  const version = /^\s*"?(\d{1,9})"?\s*$/.exec(header)
  if (!version)
    throw new Problem(400, 'If-Match is not valid', { detail: 'Send the version the edit is based on, for example If-Match: "3".' })
  return Number(version[1])
}
