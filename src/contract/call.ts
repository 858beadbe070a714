import { z } from 'zod'

import type { Capability } from './capabilities.ts'
// All schemas of calls use our error messages.
import './messages.ts'

/** What a call requires of its caller: a capability, or nothing, as for signing in. */
export type CallAccess = Capability | 'no session'

/**
 * Responses that are not JSON: a redirect, a picture, an HTML page, plain text, a contact (vCard), a calendar (RFC 5545), a configuration profile of
 * Apple, a workbook, another file, server-sent events without an end, or no content (204).
 */
export type NonJsonResponse =
  | 'redirect'
  | 'picture'
  | 'page'
  | 'text'
  | 'contact'
  | 'calendar'
  | 'profile'
  | 'workbook'
  | 'file'
  | 'events'
  | 'nothing'

/** A body with one file, in one field of multipart/form-data. */
export interface Upload {
  readonly field: string
  readonly maxBytes: number
  /** A field with text that the form may have besides the file. */
  readonly text?: string
  /** The message for a larger file. */
  readonly tooLarge: string
}

/** A limit per person, or per address without a session. */
export interface RateLimit {
  readonly perMinute: number
  /** A second limit, for everyone without a session together. */
  readonly perMinuteWithoutSession?: number
}
export const DEFAULT_RATE_LIMIT: RateLimit = { perMinute: 6000 }

/** One call as data: route, validation, client, description and tests are derived from it. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/locations-api/…` belongs to the Locations API, everything else to the app API. */
  readonly path: `/${string}`
  readonly capability: CallAccess
  /** One sentence for the API description. */
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Replaces the JSON body. */
  readonly upload?: Upload
  readonly response: z.ZodType | NonJsonResponse
  /** If it differs from the default: none for reads, `DEFAULT_RATE_LIMIT` for everything else. */
  readonly rateLimit?: RateLimit
  /** The handler fixes text that cannot be stored; every other call refuses it. */
  readonly allowUnstorableText?: true
  /**
   * An edit whose invalid fields are accepted if they equal the stored values: the guard does not validate its body, and the handler calls
   * `validateChanges`.
   */
  readonly allowUnchangedInvalid?: true
  /** The session cookie is sufficient, for resources that browsers request without headers (pictures, the API description). */
  readonly allowCookieOnly?: true
  /** A read of the app API with the same response for everyone signed in; see `hasSharedResponse`. */
  readonly isSharedResponse?: true
  /** Not available with an API token: only for people who have signed in. */
  readonly sessionOnly?: true
  /** Sent without anything that a person does, so it keeps no session alive. */
  readonly isBackground?: true
  /** The kinds of records of which a list shows any; pages read it again when one changes. Other responses are read again if they name the record. */
  readonly shows?: readonly string[]
}

type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined
type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined

/** The inputs that a caller passes. */
export type ParamsOf<C extends Call> = InputOf<C['params']>
export type QueryOf<C extends Call> = InputOf<C['query']>
export type BodyOf<C extends Call> = InputOf<C['body']>
export type FileOf<C extends Call> = C['upload'] extends Upload ? Blob : undefined
/** The inputs that a handler receives: validated, with defaults. */
export type CheckedParams<C extends Call> = OutputOf<C['params']>
export type CheckedQuery<C extends Call> = OutputOf<C['query']>
export type CheckedBody<C extends Call> = OutputOf<C['body']>
export type CheckedFile<C extends Call> = C['upload'] extends Upload ? Uint8Array : undefined
/** The response. */
export type ResponseOf<C extends Call> = C['response'] extends z.ZodType ? z.output<C['response']> : undefined

/** Declares a call and preserves its exact types. */
export const call = <const D extends Omit<Call, 'method' | 'path'>>(method: Call['method'], path: Call['path'], definition: D) => ({
  ...definition,
  method,
  path,
})

/** `GET /auth`: the name of a call in lists, logs and errors. */
export const callName = (c: Call): string => `${c.method} ${c.path}`

export type Api = 'app' | 'locations'
/** Which of the two APIs a call belongs to. */
export const getApi = (c: Call): Api => (c.path.startsWith('/locations-api/') ? 'locations' : 'app')

/**
 * Whether a browser may cache and revalidate a response: it is the same for everyone signed in. This is true of reads of the directory (all of the
 * Locations API that require only a session), and of calls that declare it. Every other response is `no-store`.
 */
export const hasSharedResponse = (c: Call): boolean =>
  c.method === 'GET' && c.capability === 'browse the directory' && (getApi(c) === 'locations' || c.isSharedResponse === true)

/** The parameter `on` of reads: the end of this past day is shown instead of the present. */
export const PastDay = z.iso.date({ error: 'Must be a day such as 2026-03-01' }).optional()

/** Whether a read takes `on`: reads of the directory do, except pictures, and calls that declare it. */
export const takesDay = (c: Call): boolean => (hasSharedResponse(c) && c.response !== 'picture') || c.query?.shape['on'] === PastDay

/** The parameter `archived` of lists of records: those that are archived instead of the others. */
export const ArchivedFilter = z.enum(['1', 'true'], { error: 'Must be 1' }).optional()

/** Whether a read takes `archived`: lists of the directory do. */
export const takesArchived = (c: Call): boolean => hasSharedResponse(c) && c.shows !== undefined

/** Undefined for reads without a limit. */
export const getRateLimit = (c: Call): RateLimit | undefined => c.rateLimit ?? (c.method === 'GET' ? undefined : DEFAULT_RATE_LIMIT)
