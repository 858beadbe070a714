import type { FastifyReply, FastifyRequest } from 'fastify'

import type { ResponseOf, Call, CheckedBody, CheckedFile, CheckedParams, CheckedQuery } from '../../contract/call.ts'
import type { Tx } from '../../database/connection.server.ts'
import type { AddressableTable } from '../../database/record-lookup.server.ts'
import type { RunEdit, AppContext, SignedIn } from './app-context.ts'
import type { ListSource } from './read-model/list-source.ts'
import type { ReadModel } from './read-model/read-model.ts'
import { getModelId, readRecord } from './read-model/read-record.ts'
import type { ModelRow } from './read-model/tables.ts'
import type { EditableRecordKind } from './record-editor.ts'
import type { Streamed } from './stringify.ts'

/** What a handler receives, validated against the call's contract. */
export interface HandlerContext<C extends Call> {
  readonly params: CheckedParams<C>
  readonly query: CheckedQuery<C>
  /** Any object with `allowUnchangedInvalid`: `validateChanges` checks its fields. */
  readonly body: C extends { allowUnchangedInvalid: true } ? unknown : CheckedBody<C>
  /** The uploaded file: within the call's size limit, otherwise unchecked. */
  readonly file: CheckedFile<C>
  /** Validates the body against the stored record: an invalid field is accepted, and dropped, if it equals the stored value. */
  readonly validateChanges: (stored: object) => CheckedBody<C>
  /** The caller; null only for calls that need no session. */
  readonly user: C['capability'] extends 'no session' ? SignedIn | null : SignedIn
  readonly context: AppContext
  readonly edit: RunEdit
  readonly request: FastifyRequest
  /** For redirects, pictures, cookies and headers; a handler with a JSON response returns it instead. */
  readonly reply: FastifyReply
}

type Handler<C extends Call> = (
  context: HandlerContext<C>,
) => Promise<ResponseOf<C> | Streamed<ResponseOf<C>> | (C['response'] extends 'nothing' ? void : never) | FastifyReply>

/** The list that the path parameters identify, and its cache key. Throws 404 if there is none. */
export type FindList = (params: Record<string, string>, model: ReadModel) => { name: string; source: ListSource }

/** Renders the record that the path parameters identify; throws 404 if there is none. */
type RenderRecord = (params: Record<string, string>, model: ReadModel) => object

/** A call and its handler: a function, or a list or record from the cache. */
export type Route =
  | { readonly call: Call; readonly handle: (context: HandlerContext<Call>) => Promise<unknown> }
  | { readonly call: Call; readonly list: ListSource | FindList }
  | { readonly call: Call; readonly record: RenderRecord }

/** A kind of record, with the calls of its folder and of its parts. */
export interface RecordKindServer extends EditableRecordKind {
  readonly routes?: readonly Route[]
}

/** Handles a call with a function. */
export const handle = <C extends Call>(call: C, handler: Handler<C>): Route => ({
  call,
  handle: handler as unknown as (context: HandlerContext<Call>) => Promise<unknown>,
})

/** Handles a call with a cached list, one for each combination of its parameters. */
export const handleList = (call: Call, list: ListSource | FindList): Route => ({
  call,
  list,
})

/** Handles a call with a record of the read model. The path parameter `parameter` holds an `_id`, a slug or a former slug. */
export const handleRecord = <C extends Call, T extends AddressableTable>(
  call: C,
  table: T,
  parameter: string,
  toRecord: (model: ReadModel, row: ModelRow<T>) => ResponseOf<C> & object,
): Route => ({
  call,
  record: (params, model) => toRecord(model, model.table(table).need(getModelId(model, table, params[parameter] ?? ''))),
})

/** Handles a call that creates a record: inserts it, and responds with it as the read model has it. */
export const handleCreate = <C extends Call, T extends AddressableTable>(
  call: C,
  table: T,
  insert: (tx: Tx, body: HandlerContext<C>['body']) => Promise<string>,
  toRecord: (model: ReadModel, row: ModelRow<T>) => ResponseOf<C> & object,
): Route =>
  handle(call, async ({ body, edit, context }) => {
    const _id = await edit((tx) => insert(tx, body))
    return readRecord(context.readModel, table, _id, toRecord)
  })

/** Authenticates a request, synchronously if the session is known. Passed in by the session feature, since the platform imports no feature. */
export type Authenticate = (
  request: FastifyRequest,
  call: Pick<Call, 'allowCookieOnly' | 'isBackground'>,
) => SignedIn | null | Promise<SignedIn | null>
