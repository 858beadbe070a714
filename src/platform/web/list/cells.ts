import type { EditableListColumn } from '../../../contract/lists.ts'

/** What the editing of cells has to know of a column. */
export type CellColumn = Pick<EditableListColumn<never>, 'key' | 'label'> & Partial<Pick<EditableListColumn<never>, 'fields'>>

/** A table whose cells are edited. */
export interface EditedTable {
  /** The listed records, in order. */
  readonly records: readonly { readonly _id: string }[]
  readonly columns: readonly CellColumn[]
  readonly visibleColumns: readonly CellColumn[]
  /** The name of the record at an index, for messages. */
  readonly getName: (place: number) => string
  /** Tells the table how its cells are edited. */
  readonly onChange: (cells: TableCells) => void
}

/** A cell with a value that is not stored, or not listed yet. */
export interface CellState {
  readonly text: string
  readonly mark: 'open' | 'unsaved' | 'error' | 'saving' | 'saved'
  /** Why it is not saved. */
  readonly message?: string | undefined
}

/** How the cells of a table are edited. `place` is the index of a record. */
export interface TableCells {
  /** The keys of the columns that can be edited. */
  readonly editable: ReadonlySet<string>
  /** By the `_id` of the record and the key of the column. */
  readonly states: ReadonlyMap<string, ReadonlyMap<string, CellState>>
  /** Opens a cell; a key that was pressed replaces its content. */
  readonly start: (place: number, column: string, isTyped: boolean) => void
  readonly paste: (place: number, column: string, text: string) => void
  /** Undoes the cell that was saved last. */
  readonly undo: () => void
  /** The element in the open cell, over which its input is shown. */
  readonly setAnchor: (anchor: HTMLElement | null) => void
}
