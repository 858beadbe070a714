import type { z } from 'zod'

import type { Capability } from './capabilities.ts'
// Every schema of a call speaks in our words.
import './messages.ts'

/** What a call asks of its caller: a capability, or nothing at all, as for signing in. */
export type CallAccess = Capability | 'no session'

/** Answers that are not JSON: a redirect, a picture's bytes, a page of HTML, plain text, someone's contact (vCard), a calendar (RFC 5545), a workbook or nothing (204). */
export type NonJsonResponse = 'redirect' | 'picture' | 'page' | 'text' | 'contact' | 'calendar' | 'workbook' | 'nothing'

/** A body that is one file, in one field of multipart/form-data. */
export interface Upload {
  readonly field: string
  readonly maxBytes: number
  /** The message for a larger file. */
  readonly tooLarge: string
}

/** Requests of one person, or of one address without a session. */
export interface RateLimit {
  readonly perMinute: number
}
export const DEFAULT_RATE_LIMIT: RateLimit = { perMinute: 6000 }

/** One call as data: everything about it (route, checks, client, description, tests) is derived from this. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/locations-api/…` belongs to the Locations API, everything else to the app server. */
  readonly path: `/${string}`
  readonly capability: CallAccess
  /** One sentence for the API description. */
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** In place of a body of JSON. */
  readonly upload?: Upload
  readonly response: z.ZodType | NonJsonResponse
  /** Where it differs from the usual: none for a read, `DEFAULT_RATE_LIMIT` for everything else. */
  readonly rateLimit?: RateLimit
  /** Text that cannot be kept is the handler's to fix; every other call refuses it. */
  readonly allowUnstorableText?: true
  /**
   * An edit whose fields may break a rule where they come back just as they are stored: the guard leaves its body unchecked, and the
   * handler takes it from `settled`.
   */
  readonly allowUnchangedInvalid?: true
  /** For what a browser fetches without headers (pictures, the API description): the companion cookie alone will do. */
  readonly allowCookieOnly?: true
  /** Of a read of the app server: everyone signed in may read it, and it is the same for all of them; see `isShared`. */
  readonly isSharedResponse?: true
  /** Refused to a program with an API token: what only someone who has signed in may do. */
  readonly sessionOnly?: true
}

type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined
type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined

/** What a caller gives. */
export type ParamsOf<C extends Call> = InputOf<C['params']>
export type QueryOf<C extends Call> = InputOf<C['query']>
export type BodyOf<C extends Call> = InputOf<C['body']>
export type FileOf<C extends Call> = C['upload'] extends Upload ? Blob : undefined
/** What a handler is given: the same, checked and with its defaults. */
export type CheckedParams<C extends Call> = OutputOf<C['params']>
export type CheckedQuery<C extends Call> = OutputOf<C['query']>
export type CheckedBody<C extends Call> = OutputOf<C['body']>
export type CheckedFile<C extends Call> = C['upload'] extends Upload ? Uint8Array : undefined
/** What travels back. */
export type ResponseOf<C extends Call> = C['response'] extends z.ZodType ? z.output<C['response']> : undefined

/** Declares a call and keeps its exact types. */
export const call = <const C extends Call>(definition: C): C => definition

/** `GET /auth`: what a call is known by in lists, logs and errors. */
export const callName = (c: Call): string => `${c.method} ${c.path}`

export type Api = 'app' | 'locations'
/** Which of the two APIs a call belongs to. */
export const getApi = (c: Call): Api => (c.path.startsWith('/locations-api/') ? 'locations' : 'app')

/**
 * Whether a browser may keep an answer and ask whether it is still good: what everyone signed in may read and is the same for all of them. The reads of
 * the directory are (all of the Locations API that take no more than a session), and what says so itself. Every other answer is `no-store`.
 */
export const hasSharedResponse = (c: Call): boolean =>
  c.method === 'GET' && c.capability === 'browse the directory' && (getApi(c) === 'locations' || c.isSharedResponse === true)

/** Undefined for a read that may be sent as often as its caller likes. */
export const getRateLimit = (c: Call): RateLimit | undefined => c.rateLimit ?? (c.method === 'GET' ? undefined : DEFAULT_RATE_LIMIT)
