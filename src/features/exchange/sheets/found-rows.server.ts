import { isDeepStrictEqual } from 'node:util'

import type { SheetCell } from './contract.ts'
import { ID_FIELD } from './sheet-format.ts'

/** A column of a file; all cells of the column share it. */
export interface FileColumn {
  /** `F` */
  readonly letters: string
  /** The path of its field; `ID_FIELD` of the identifier. */
  readonly path: string
  readonly label: string
}

/** A cell that differs, without what its row and its column say of it: a file may have some hundred thousand. */
export interface FoundCell {
  readonly column: FileColumn
  readonly before: unknown
  readonly after: unknown
  /** The value when the file was compared: saving asks whether it still is. */
  readonly present: unknown
  state: SheetCell['state']
  message: string | null
  /** Who saved the present value of a conflict, and when. */
  author: { readonly by: string | null; readonly at: string } | null
}

/** A row with cells that differ. */
export interface FoundRow {
  /** Its number in the sheet. */
  readonly line: number
  /** The `_id` of the record; null for a row without one. */
  readonly record: string | null
  readonly name: string | null
  readonly cells: readonly FoundCell[]
}

/** The rows of a preview from the first to the last, some at a time: all of them need not be in memory. */
export type ReadRows = () => AsyncIterable<readonly FoundRow[]>

export const isSameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a ?? null, b ?? null)

/** `F17` */
export const toAddress = ({ line }: Pick<FoundRow, 'line'>, { column }: Pick<FoundCell, 'column'>): string => `${column.letters}${line}`

/** Whether no value of the cell can be saved: it says which record the row is. */
export const isIdentifier = ({ column }: FoundCell): boolean => column.path === ID_FIELD

/** A cell as the API has it. */
export const toSheetCell = (row: FoundRow, cell: FoundCell): SheetCell => ({
  row: row.line,
  cell: toAddress(row, cell),
  record: row.record,
  name: row.name,
  field: cell.column.path,
  label: cell.column.label,
  before: cell.before,
  after: cell.after,
  theirs: isSameValue(cell.before, cell.present) ? null : cell.present,
  theirsBy: cell.author?.by ?? null,
  theirsAt: cell.author?.at ?? null,
  state: cell.state,
  message: cell.message,
})
