import type { Call, CheckedBody, CheckedParams, ResponseOf } from '../../contract/call.ts'
import { notFound } from '../../contract/problem.ts'
import type { Tx } from '../../database/connection.server.ts'
import type { AddressableTable } from '../../database/record-lookup.server.ts'
import { type EditableTable, TABLE_LABELS, lockForUpdate } from '../../database/update-record.server.ts'
import type { AppContext } from './app-context.ts'
import { updateDirectly } from './direct-update.ts'
import type { HandlerContext, Route } from './handler.ts'
import type { ReadModel } from './read-model/read-model.ts'
import { findModelId } from './read-model/read-record.ts'
import type { ModelRow, ModelTable } from './read-model/tables.ts'
import type { EditCall } from './record-editor.ts'

type EditedTable = EditableTable & ModelTable

/** How a call edits one record: a `RecordEditor` with the types of its call and table. */
export interface EditSteps<C extends EditCall, T extends EditedTable> {
  readonly call: C
  readonly table: T
  /** The key of the requested record; throws 404 if there is none. */
  readonly findKey: (context: AppContext, request: { readonly params: CheckedParams<C>; readonly body: unknown }) => Promise<string>
  /** The stored record in the shape of the body. */
  readonly toInput: (row: ModelRow<T>, model: ReadModel) => object
  /** Throws 422 if changed fields conflict with each other or with stored ones. */
  readonly validate?: (changes: CheckedBody<C>, stored: ModelRow<T>) => void
  /**
   * The columns of a change that affects only its own row and depends on no other record, so that one statement can save it. Undefined for any other
   * change. A part has none: a trigger also changes the record it belongs to.
   */
  readonly toColumns?: (changes: CheckedBody<C>, stored: ModelRow<T>) => Readonly<Record<string, unknown>> | undefined
  /** Saves a change of a locked record. */
  readonly save: (tx: Tx, key: string, changes: CheckedBody<C>, stored: ModelRow<T>) => Promise<void>
  readonly respond: (model: ReadModel, row: ModelRow<T>) => ResponseOf<C>
}

/** Handles a call that edits one record: finds it, compares its version, validates the body, saves, and responds with the record. */
export const handleEdit = <C extends EditCall, T extends EditedTable>({
  call,
  table,
  findKey,
  toInput,
  validate,
  toColumns,
  save,
  respond,
}: EditSteps<C, T>): Route => {
  const handler = async ({ params, body, validateChanges, edit, context, request }: HandlerContext<C>) => {
    const { readModel } = context
    const key = await findKey(context, { params, body })
    const known = readModel.table(table).get(key)
    const check = (row: ModelRow<T>) => {
      const changes = validateChanges(toInput(row, readModel))
      validate?.(changes, row)
      return changes
    }
    const isSaved =
      known !== undefined &&
      toColumns !== undefined &&
      (await updateDirectly(context, request, table, key, known, () => toColumns(check(known), known)))
    if (!isSaved)
      await edit(async (tx, ifMatchVersion) => {
        const stored = (await lockForUpdate(tx, table, key, ifMatchVersion)) as unknown as ModelRow<T>
        await save(tx, key, check(stored), stored)
      })
    await readModel.ready()
    const row = readModel.table(table).get(key)
    if (!row) throw notFound(TABLE_LABELS[table])
    return respond(readModel, row)
  }
  return { call, handle: handler as unknown as (context: HandlerContext<Call>) => Promise<unknown> }
}

/** An identity function that infers the types of the call and the table. */
export const defineEdit = <const C extends EditCall, T extends EditedTable>(steps: EditSteps<C, T>): EditSteps<C, T> => steps

/** Finds the record by an `id` parameter that holds an `_id` or a slug. */
export const findByIdOrSlug =
  (table: AddressableTable) =>
  ({ readModel }: AppContext, { params }: { readonly params: { readonly id: string } }): Promise<string> =>
    findModelId(readModel, table, params.id)
