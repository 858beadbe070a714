import type { EditableRecordKind } from '../../../platform/server/record-editor.ts'
import type { SheetDefinition } from '../../../platform/server/sheet-definition.ts'
import { toColumnLetters } from '../../../platform/server/workbook-reader.ts'
import type { CellNames } from './cell-values.server.ts'
import type { FileColumn, FoundCell, FoundRow } from './found-rows.server.ts'
import type { Layout } from './layout.server.ts'
import type { DuplicateRow } from './plausibility.server.ts'
import { type FileRow, ID_HEADER, TOO_MUCH_MEMORY } from './read-file.server.ts'
import { MAX_CELLS, refuseFile } from './refused-file.server.ts'

/** The data that the cells of a file are compared with. */
export interface Comparison {
  readonly kind: EditableRecordKind
  readonly versions: SheetDefinition['versions']
  readonly layout: Layout
  readonly names: CellNames
  readonly merged: ReadonlySet<string>
  readonly nameOf: (key: string) => string | undefined
  /** Lets other requests be served while a large file is compared. */
  readonly rest: () => Promise<void>
}

/** More text in differing cells is refused: they are in memory while a file is compared. */
const MAX_CHARACTERS = 10_485_760
/** The limit of the cells and their texts together, with the stored values. */
const MAX_BYTES = 67_108_864
/** What a cell takes besides its texts, with what the garbage collector leaves until later. */
const CELL_BYTES = 300
const SPLIT = 'Split the file and drop one part after the other.'

/** The bytes of a text in memory: one character of another alphabet makes all of them take two. */
const countBytes = (text: unknown): number => (typeof text !== 'string' ? 0 : /[^\0-\xFF]/.test(text) ? text.length * 2 : text.length)

/** Collects the rows with cells that differ. The cells of a row must be added consecutively. */
export class Findings {
  readonly rows: (FoundRow & { readonly cells: FoundCell[] })[] = []
  readonly duplicates: DuplicateRow[] = []
  /** Cells that a merged cell covers. */
  readonly covered: string[] = []
  readonly #digits = new Map<string, { readonly width: number; readonly hasZero: boolean }>()
  /** Differing cells with a formula. */
  readonly formulas: string[] = []
  /** Cells that differ and of which a part is struck through. */
  readonly struck: string[] = []
  #count = 0
  #bytes = 0
  #characters = 0
  readonly #columns = new Map<number, FileColumn>()
  readonly #nameOf: (key: string) => string | undefined

  constructor({ columns, id }: Layout, nameOf: (key: string) => string | undefined) {
    this.#nameOf = nameOf
    this.#columns.set(id, { letters: toColumnLetters(id), path: ID_HEADER, label: 'Record' })
    for (const [{ path, label }, at] of columns) this.#columns.set(at, { letters: toColumnLetters(at), path, label })
  }

  /** Notes a stored value, to recognize numbers that lost their leading zeros. */
  noteStored(path: string, value: unknown): void {
    if (typeof value !== 'string' || !/^\d+$/.test(value)) return
    const known = this.#digits.get(path) ?? { width: value.length, hasZero: false }
    // Numbers of different lengths have no width.
    const width = known.width === value.length ? value.length : 0
    this.#digits.set(path, { width, hasZero: known.hasZero || value.startsWith('0') })
  }

  /** The number of digits of each column whose numbers all have the same, and some of which begin with zero. */
  get widths(): ReadonlyMap<string, number> {
    return new Map([...this.#digits].flatMap(([path, { width, hasZero }]) => (hasZero && width > 1 ? [[path, width] as const] : [])))
  }

  noteDuplicate(row: FileRow, first: number, at: number, key: string): void {
    const name = this.#nameOf(key) ?? key
    this.note(row, at, { record: key, name, message: `This record is in the file twice, in rows ${first} and ${row.line}` })
    this.duplicates.push({ line: row.line, first, name })
  }

  note(
    row: FileRow,
    at: number,
    { record = null, name = null, ...cell }: Partial<Pick<FoundRow, 'record' | 'name'> & Omit<FoundCell, 'column' | 'author'>>,
  ): void {
    const column = this.#columns.get(at)
    if (!column) throw new Error('A finding is in a column of the sheet')
    if (++this.#count > MAX_CELLS) throw refuseFile(`More than ${MAX_CELLS.toLocaleString('en-US')} cells differ. ${SPLIT}`)
    this.#characters += row.cells[at]?.length ?? 0
    if (this.#characters > MAX_CHARACTERS) throw refuseFile(`The changed cells have more text than fits into memory. ${SPLIT}`)
    const { before = null, present = null } = cell
    this.#bytes += CELL_BYTES + countBytes(row.cells[at]) + countBytes(before) + (present === before ? 0 : countBytes(present))
    if (this.#bytes > MAX_BYTES) throw refuseFile(TOO_MUCH_MEMORY)
    if (row.formulas.includes(at)) this.formulas.push(`${column.letters}${row.line}`)
    if (row.struck?.includes(at)) this.struck.push(`${column.letters}${row.line}`)
    let found = this.rows.at(-1)
    if (found?.line !== row.line) this.rows.push((found = { line: row.line, record, name, cells: [] }))
    found.cells.push({
      column,
      before,
      after: cell.after === undefined ? (row.cells[at] ?? null) : cell.after,
      present,
      state: cell.state ?? 'error',
      message: cell.message ?? null,
      author: null,
    })
  }
}
