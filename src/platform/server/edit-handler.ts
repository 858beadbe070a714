import type { Call, CheckedBody, CheckedParams, ResponseOf } from '../../contract/call.ts'
import type { Tx } from '../../database/connection.server.ts'
import { findRecordId, type AddressableTable } from '../../database/record-lookup.server.ts'
import { type EditableTable, lockForUpdate } from '../../database/update-record.server.ts'
import type { AppContext } from './app-context.ts'
import type { HandlerContext, JsonText, Route } from './handler.ts'

type EditCall = Call & { readonly allowUnchangedInvalid: true }

interface EditSteps<C extends EditCall, Stored extends object> {
  readonly table: EditableTable
  /** The key of the record that the request names; throws 404 where there is none. */
  readonly findKey: (tx: Tx, request: { readonly params: CheckedParams<C>; readonly body: unknown }) => Promise<string>
  readonly getStored: (tx: Tx, key: string) => Promise<Stored>
  /** The stored record in the shape of the body, where that is another one. */
  readonly toInput?: (stored: Stored) => object
  readonly save: (tx: Tx, key: string, changes: CheckedBody<C>, stored: Stored) => Promise<void>
  /** Reads the response: within the transaction, or from the context once it is committed. */
  readonly read:
    | { readonly inTransaction: (tx: Tx, key: string) => Promise<ResponseOf<C>> }
    | { readonly afterCommit: (context: AppContext, key: string) => Promise<ResponseOf<C> | JsonText> }
}

/** Answers a call that edits one record: finds it, locks it, compares its version, validates the body, saves, and reads the response. */
export const handleEdit = <C extends EditCall, Stored extends object>(
  call: C,
  { table, findKey, getStored, toInput = (stored) => stored, save, read }: EditSteps<C, Stored>,
): Route => {
  const handler = async ({ params, body, validateChanges, edit, context }: HandlerContext<C>) => {
    const { key, response } = await edit(async (tx, ifMatchVersion) => {
      const key = await findKey(tx, { params, body })
      await lockForUpdate(tx, table, key, ifMatchVersion)
      const stored = await getStored(tx, key)
      await save(tx, key, validateChanges(toInput(stored)), stored)
      return { key, response: 'inTransaction' in read ? await read.inTransaction(tx, key) : undefined }
    })
    return 'afterCommit' in read ? read.afterCommit(context, key) : response
  }
  return { call, handle: handler as unknown as (context: HandlerContext<Call>) => Promise<unknown> }
}

/** Finds the record of an `id` parameter that holds an `_id` or a slug. */
export const findByIdOrSlug =
  (table: AddressableTable) =>
  (tx: Tx, { params }: { readonly params: { readonly id: string } }): Promise<string> =>
    findRecordId(tx, table, params.id)
