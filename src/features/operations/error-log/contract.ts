import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { moment, text } from '../../../platform/contract/fields.ts'

const anyValue = z.unknown()

/** What a browser reports when something failed (section 7). Every field is free: a report must not fail for its form. */
export const ErrorReport = z.strictObject({
  timestamp: anyValue.optional(),
  context: anyValue.optional(),
  errorMessage: anyValue.optional(),
  errorName: anyValue.optional(),
  stackTrace: anyValue.optional(),
  errorLocation: anyValue.optional(),
  requestData: anyValue.optional(),
  responseData: anyValue.optional(),
})
export type ErrorReport = z.infer<typeof ErrorReport>

/** The most days that can be asked for; how long errors are kept is a setting of the server. */
export const MAX_DAYS = 3650
/** Days that a group's small picture shows. */
export const CHART_DAYS = 14

/** 16 hexadecimal digits that all errors of a group have. */
const fingerprint = z.string().regex(/^[0-9a-f]{16}$/)
const groupParams = z.object({ fingerprint })

export const ErrorGroup = z.strictObject({
  fingerprint: z.string(),
  /** Name, words and place as they were the last time. */
  errorName: text,
  errorMessage: text,
  errorLocation: text,
  context: text,
  count: z.int(),
  /** How many different people met it; those who were not signed in do not count. */
  people: z.int(),
  firstAt: moment,
  lastAt: moment,
  /** Put aside, and not met again since. */
  seen: z.boolean(),
  /** How often on each of the last days, the oldest first. */
  daily: z.array(z.int()),
})
export type ErrorGroup = z.infer<typeof ErrorGroup>

export const listErrors = call({
  method: 'GET',
  path: '/api/errors',
  capability: 'see the error log',
  summary: 'Errors from browsers and the server in groups, newest first, at most 500. Secrets and network addresses are left out.',
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(MAX_DAYS).default(30), q: z.string().max(200).default('') }),
  response: z.array(ErrorGroup),
})

export const ErrorDetail = z.strictObject({
  _id: z.string(),
  at: moment,
  /** Whose browser it was; null where nobody was signed in. */
  name: text,
  context: text,
  errorName: text,
  errorMessage: text,
  errorLocation: text,
  stackTrace: text,
  requestData: text,
  responseData: text,
})
export type ErrorDetail = z.infer<typeof ErrorDetail>

export const readErrors = call({
  method: 'GET',
  path: '/api/errors/:fingerprint',
  capability: 'see the error log',
  summary: 'The last 20 errors of a group, newest first. Secrets and network addresses are left out.',
  params: groupParams,
  response: z.array(ErrorDetail),
})

export const dismissErrors = call({
  method: 'POST',
  path: '/api/errors/:fingerprint/seen',
  capability: 'see the error log',
  summary: 'Dismisses a group until it happens again.',
  params: groupParams,
  response: 'nothing',
})

export const logError = call({
  method: 'POST',
  path: '/log-error',
  capability: 'no session',
  rateLimit: { perMinute: 120 },
  summary: 'Stores an error reported by a browser.',
  body: ErrorReport,
  response: 'nothing',
  allowUnstorableText: true,
})
