import type { ReadModel } from './read-model.ts'
import type { RowChange } from './table-rows.ts'
import type { ModelRow, ModelTable } from './tables.ts'

/** A short list, the same for everyone signed in, rendered as a whole. */
export interface WholeListSource {
  /** The tables it shows; a change of any of them makes the list stale. */
  readonly reads: readonly ModelTable[]
  readonly build: (model: ReadModel) => unknown
}

/** A long list, the same for everyone signed in: after a change only the affected rows are rendered again. */
export interface RowListSource {
  /** The ids of its rows, in their order. */
  readonly getIds: (model: ReadModel) => readonly string[]
  readonly toRow: (model: ReadModel, _id: string) => object | undefined
  /** The rows that show what changed. */
  readonly findAffected: (model: ReadModel, change: RowChange) => Iterable<string> | 'all'
}

export type ListSource = WholeListSource | RowListSource

/** A list of records of a table; `getIds` says which, and in what order. `findOthers` finds the records that show a change of another table. */
export const defineRowList = <T extends ModelTable>(
  table: T,
  getIds: RowListSource['getIds'],
  toRow: (model: ReadModel, row: ModelRow<T>) => object,
  findOthers: RowListSource['findAffected'],
): RowListSource => ({
  getIds,
  toRow: (model, _id) => {
    const row = model.table(table).get(_id)
    return row && toRow(model, row)
  },
  findAffected: (model, change) => (change.table === table ? [change.key] : findOthers(model, change)),
})
