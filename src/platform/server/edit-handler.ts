import type { Call, CheckedBody, CheckedParams, ResponseOf } from '../../contract/call.ts'
import { notFound } from '../../contract/problem.ts'
import type { Tx } from '../../database/connection.server.ts'
import type { AddressableTable, References } from '../../database/record-lookup.server.ts'
import { type EditableTable, getTableLabel, lockForUpdate, updateRecord } from '../../database/update-record.server.ts'
import type { AppContext } from './app-context.ts'
import { updateDirectly } from './direct-update.ts'
import { getIfMatchVersion } from './guard.ts'
import type { HandlerContext, Route } from './handler.ts'
import type { ReadModel } from './read-model/read-model.ts'
import { findModelId } from './read-model/read-record.ts'
import type { ModelRow, ModelTable } from './read-model/tables.ts'
import type { EditCall } from './record-editor.ts'

type EditedTable = EditableTable & ModelTable
type Columns = Readonly<Record<string, unknown>>

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
  /** The columns of a change. */
  readonly toColumns: (changes: CheckedBody<C>, stored: ModelRow<T>) => Columns
  /**
   * The fields whose values must fit other records. A change of none of them is saved in one statement. A part has no list: a trigger also changes the
   * record it belongs to.
   */
  readonly dependentFields?: readonly string[]
  /** Saves a change of a locked record. */
  readonly save: (tx: Tx, key: string, changes: CheckedBody<C>, stored: ModelRow<T>) => Promise<void>
  readonly respond: (model: ReadModel, row: ModelRow<T>) => ResponseOf<C>
}

/** Where not given, the columns are the fields of a change, and are updated. */
interface EditOptions<C extends EditCall, T extends EditedTable>
  extends Omit<EditSteps<C, T>, 'toColumns' | 'save'>, Partial<Pick<EditSteps<C, T>, 'toColumns' | 'save'>> {
  /** The tables that columns refer to. */
  readonly references?: References
}

export const defineEdit = <const C extends EditCall, T extends EditedTable>({
  toColumns = (changes) => changes as Columns,
  references,
  ...steps
}: EditOptions<C, T>): EditSteps<C, T> => ({
  toColumns,
  save: (tx, key, changes, stored) => updateRecord(tx, steps.table, key, toColumns(changes, stored) as object, references),
  ...steps,
})

/** Handles a call that edits one record: finds it, compares its version, validates the body, saves, and responds with the record. */
export const handleEdit = <C extends EditCall, T extends EditedTable>({
  call,
  table,
  findKey,
  toInput,
  validate,
  toColumns,
  dependentFields,
  save,
  respond,
}: EditSteps<C, T>): Route => {
  const handler = async ({ params, body, validateChanges, edit, context, request }: HandlerContext<C>) => {
    const { readModel } = context
    const key = await findKey(context, { params, body })
    const check = (row: ModelRow<T>): CheckedBody<C> => {
      const changes = validateChanges(toInput(row, readModel))
      validate?.(changes, row)
      return changes
    }
    const saveDirectly = async (): Promise<boolean> => {
      const row = readModel.table(table).get(key)
      if (!dependentFields || !row) return false
      const stored = row as unknown as Columns & { readonly version: number }
      const ifMatchVersion = getIfMatchVersion(request)
      if (ifMatchVersion !== undefined && ifMatchVersion !== stored.version) return false
      const changes = check(row)
      const isDependent = dependentFields.some((field) => {
        const value = (changes as Columns)[field]
        return value && value !== stored[field]
      })
      return !isDependent && updateDirectly(context, request, table, key, stored.version, toColumns(changes, row))
    }
    if (!(await saveDirectly()))
      await edit(async (tx, ifMatchVersion) => {
        const stored = (await lockForUpdate(tx, table, key, ifMatchVersion)) as unknown as ModelRow<T>
        await save(tx, key, check(stored), stored)
      })
    await readModel.ready()
    const row = readModel.table(table).get(key)
    if (!row) throw notFound(getTableLabel(table))
    return respond(readModel, row)
  }
  return { call, handle: handler as unknown as (context: HandlerContext<Call>) => Promise<unknown> }
}

/** Finds the record by an `id` parameter that holds an `_id` or a slug. */
export const findByIdOrSlug =
  (table: AddressableTable) =>
  ({ readModel }: AppContext, { params }: { readonly params: { readonly id: string } }): Promise<string> =>
    findModelId(readModel, table, params.id)
