import type { FastifyReply, FastifyRequest } from 'fastify'

import type { ResponseOf, Call, CheckedBody, CheckedFile, CheckedParams, CheckedQuery } from '../../contract/call.ts'
import type { RunEdit, AppContext, SignedIn } from './app-context.ts'
import type { ListSource } from './list-cache.ts'
import type { ReadModel } from './read-model/read-model.ts'

/** What a handler is given, checked against the call's contract. */
export interface HandlerContext<C extends Call> {
  readonly params: CheckedParams<C>
  readonly query: CheckedQuery<C>
  /** With `allowUnchangedInvalid` any object: `validateChanges` checks its fields. */
  readonly body: C extends { allowUnchangedInvalid: true } ? unknown : CheckedBody<C>
  /** The file of an upload: no larger than the call says, and otherwise whatever was sent. */
  readonly file: CheckedFile<C>
  /** The body, checked beside the stored record: a field that breaks a rule is accepted, and left out, where it comes back as it is stored. */
  readonly validateChanges: (stored: object) => CheckedBody<C>
  /** Who calls; null only on calls that need no session. */
  readonly user: C['capability'] extends 'no session' ? SignedIn | null : SignedIn
  readonly context: AppContext
  readonly edit: RunEdit
  readonly request: FastifyRequest
  /** For redirects, pictures, cookies and headers; a handler whose answer is JSON returns it instead. */
  readonly reply: FastifyReply
}

type Handler<C extends Call> = (
  context: HandlerContext<C>,
) => Promise<ResponseOf<C> | (C['response'] extends 'nothing' ? void : never) | FastifyReply>

/** The list that the parameters of an address name, and its name in the cache. Throws 404 for none. */
export type FindList = (params: Record<string, string>, model: ReadModel) => { name: string; source: ListSource }

/** A call with what answers it: a handler, or a list from the cache. */
export type Route =
  | { readonly call: Call; readonly handle: (context: HandlerContext<Call>) => Promise<unknown> }
  | { readonly call: Call; readonly list: ListSource | FindList }

/** Answers a call with a handler. */
export const handle = <C extends Call>(call: C, handler: Handler<C>): Route => ({
  call,
  handle: handler as unknown as (context: HandlerContext<Call>) => Promise<unknown>,
})

/** Answers a call with a cached list, one for each value of its parameters. */
export const handleList = (call: Call, list: ListSource | FindList): Route => ({
  call,
  list,
})

/** Finds out who sends a request, at once where it is known. Given by the session feature, since the platform imports no feature. */
export type Authenticate = (request: FastifyRequest, allowCookieOnly: boolean) => SignedIn | null | Promise<SignedIn | null>
