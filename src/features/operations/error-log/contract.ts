import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { moment, text } from '../../../contract/fields.ts'

const anyValue = z.unknown()

/** An error reported by a browser. Every field takes any value, so that no report is lost to validation. */
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

/** The longest period that can be requested. The retention period is a setting of the server. */
export const MAX_ERROR_DAYS = 3650
/** Days in the chart of a group. */
export const CHART_DAYS = 14

const fingerprint = z.string().regex(/^[0-9a-f]{16}$/)
const groupParams = z.object({ fingerprint })

export const ErrorGroup = z.strictObject({
  fingerprint: z.string(),
  /** The texts of the latest error. */
  errorName: text,
  errorMessage: text,
  errorLocation: text,
  context: text,
  count: z.int(),
  /** How many signed-in people had it. */
  people: z.int(),
  firstAt: moment,
  lastAt: moment,
  /** Dismissed, and has not occurred since. */
  seen: z.boolean(),
  /** Occurrences on each of the last days, oldest first. */
  daily: z.array(z.int()),
})
export type ErrorGroup = z.infer<typeof ErrorGroup>

export const listErrors = call('GET', '/api/errors', {
  capability: 'see the error log',
  summary: 'Errors from browsers and the server in groups, newest first, at most 500. Secrets and network addresses are left out.',
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(MAX_ERROR_DAYS).default(30), q: z.string().max(200).default('') }),
  response: z.array(ErrorGroup),
})

export const ErrorDetail = z.strictObject({
  _id: z.string(),
  at: moment,
  /** The signed-in user; null if no one was signed in. */
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

export const readErrors = call('GET', '/api/errors/:fingerprint', {
  capability: 'see the error log',
  summary: 'The last 20 errors of a group, newest first. Secrets and network addresses are left out.',
  params: groupParams,
  response: z.array(ErrorDetail),
})

export const dismissErrors = call('POST', '/api/errors/:fingerprint/seen', {
  capability: 'see the error log',
  summary: 'Dismisses a group until it happens again.',
  params: groupParams,
  response: 'nothing',
})

export const logError = call('POST', '/log-error', {
  capability: 'no session',
  rateLimit: { perMinute: 120, perMinuteWithoutSession: 600 },
  summary: 'Stores an error reported by a browser.',
  body: ErrorReport,
  response: 'nothing',
  allowUnstorableText: true,
})
