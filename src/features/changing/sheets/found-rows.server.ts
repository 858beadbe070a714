import { isDeepStrictEqual } from 'node:util'

import type { SheetCell } from './contract.ts'
import { ID_FIELD } from './sheet-format.ts'

/** A column of a file; all cells of the column share it. */
export interface FileColumn {
  /** `F` */
  readonly letters: string
  /** The path of its field; `ID_FIELD` for the identifier. */
  readonly path: string
  readonly label: string
}

/** A cell that differs, without the data of its row and column, because a file may have several hundred thousand. */
export interface FoundCell {
  readonly column: FileColumn
  readonly before: unknown
  readonly after: unknown
  /** The stored value when the file was compared; a save checks that it is unchanged. */
  readonly present: unknown
  state: SheetCell['state']
  message: string | null
  /** Who saved the stored value of a conflict, and when. */
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

/** Reads the rows of a preview in order and in batches, so that not all of them are in memory. */
export type ReadRows = () => AsyncIterable<readonly FoundRow[]>

export const isSameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a ?? null, b ?? null)

/** `F17` */
export const toAddress = ({ line }: Pick<FoundRow, 'line'>, { column }: Pick<FoundCell, 'column'>): string => `${column.letters}${line}`

/** Whether the cell identifies the record of its row, so that no value of it can be saved. */
export const isIdentifier = ({ column }: FoundCell): boolean => column.path === ID_FIELD

/** A cell in the format of the API. */
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
