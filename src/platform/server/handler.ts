import type { FastifyReply, FastifyRequest } from 'fastify'

import type { ResponseOf, Call, CheckedBody, CheckedFile, CheckedParams, CheckedQuery } from '../../contract/call.ts'
import type { AddressableTable } from '../../database/record-lookup.server.ts'
import type { RunEdit, AppContext, SignedIn } from './app-context.ts'
import type { ListSource } from './list-cache.ts'
import type { ReadModel } from './read-model/read-model.ts'
import { getModelId } from './read-model/read-record.ts'
import type { ModelRow } from './read-model/tables.ts'

/** What a handler is given, checked against the call's contract. */
export interface HandlerContext<C extends Call> {
  readonly params: CheckedParams<C>
  readonly query: CheckedQuery<C>
  /** With `allowUnchangedInvalid` any object: `validateChanges` checks its fields. */
  readonly body: C extends { allowUnchangedInvalid: true } ? unknown : CheckedBody<C>
  /** The file of an upload: no larger than the call says, and otherwise whatever was sent. */
  readonly file: CheckedFile<C>
  /** The body, checked beside the stored record: a field that breaks a rule is accepted, and left out, where it returns as it is stored. */
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

/** Renders the record that the parameters of an address name; throws 404 for none. */
type RenderRecord = (params: Record<string, string>, model: ReadModel) => object

/** A call with what answers it: a handler, a list or a record from the cache. */
export type Route =
  | { readonly call: Call; readonly handle: (context: HandlerContext<Call>) => Promise<unknown> }
  | { readonly call: Call; readonly list: ListSource | FindList }
  | { readonly call: Call; readonly record: RenderRecord }

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

/** Answers a call with a record of the read model. `parameter` of its address holds an `_id`, a slug or a former slug. */
export const handleRecord = <C extends Call, T extends AddressableTable>(
  call: C,
  table: T,
  parameter: string,
  toRecord: (model: ReadModel, row: ModelRow<T>) => ResponseOf<C> & object,
): Route => ({
  call,
  record: (params, model) => toRecord(model, model.table(table).need(getModelId(model, table, params[parameter] ?? ''))),
})

/** Finds out who sends a request, at once where it is known. Given by the session feature, since the platform imports no feature. */
export type Authenticate = (request: FastifyRequest, allowCookieOnly: boolean) => SignedIn | null | Promise<SignedIn | null>
