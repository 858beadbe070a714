import type { EditableColumn } from '../../../platform/server/sheet-definition.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import type { SheetWarning } from './contract.ts'
import { type FileColumn, type FoundCell, type FoundRow, isIdentifier, toAddress } from './found-rows.server.ts'
import { TOO_MUCH_MEMORY } from './read-file.server.ts'
import { MAX_CELLS, refuseFile } from './refused-file.server.ts'
import { VALUE_CHECKS } from './suspicious-values.server.ts'

/** From this number of cells of a column, what is common to them indicates an accident with the whole column. */
const MIN_CELLS = 5
/** The same in small sheets, where the share counts too. */
const MIN_CELLS_OF_SHARE = 3
const MIN_ROWS_FOR_SHARE = 12
/** Values that other rows had before: from this number of different ones, fewer may change places. */
const MIN_MOVED = 3
/** The same value, or the same edit, in this number of rows is confirmed even where each is plausible. */
const MIN_EQUAL = 20
const MIN_REPLACED = 10
/** Each warning about a new row lists all its cells, and the lists of all warnings are in memory. */
const MAX_LISTED = MAX_CELLS

interface PlacedCell {
  readonly row: FoundRow
  readonly cell: FoundCell
}

/** The changed cells of existing records in one column. */
interface ColumnChanges {
  readonly column: FileColumn
  readonly definition: EditableColumn | undefined
  readonly cells: readonly PlacedCell[]
}

/** A value as text, empty if it empties the field. */
const toText = (value: unknown): string => {
  if (Array.isArray(value)) return value.join('; ')
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
const isEmptied = ({ cell: { before, after } }: PlacedCell): boolean => toText(before) !== '' && toText(after) === ''

/** A warning about changes that are valid but look like an accident. */
const suspect = (kind: SheetWarning['kind'], message: string, cells: readonly PlacedCell[]): SheetWarning => ({
  kind,
  message,
  cells: [...new Set(cells.map(({ row, cell }) => toAddress(row, cell)))],
  isSuspicious: true,
})

const countRows = (count: number): string => `${count.toLocaleString('en-US')} rows`

/** An accident with a whole column: its kind, and the question about it. */
interface Accident {
  readonly kind: SheetWarning['kind']
  readonly message: string
}
type FindAccident = (changes: ColumnChanges, rows: number) => Accident | undefined

/** Values that other rows of the column had before: the column was sorted or shifted without the others, or a few were exchanged. */
const findSorted: FindAccident = ({ column: { label }, definition, cells }) => {
  const before = new Set(cells.map(({ cell }) => toText(cell.before)))
  const filled = cells.filter(({ cell }) => toText(cell.after) !== '')
  const moved = filled.filter(({ cell }) => before.has(toText(cell.after)))
  const after = new Set(moved.map(({ cell }) => toText(cell.after)))
  const isText = definition?.type === 'text' && definition.choices === undefined
  if (after.size < (isText ? MIN_MOVED : MIN_CELLS) || moved.length < filled.length / 2) return undefined
  return {
    kind: 'sorted',
    message: `${label}: ${countRows(cells.length)} changed, and the new values are those of other rows. Was one column sorted alone?`,
  }
}

const findEmptied: FindAccident = ({ column: { label }, cells }, rows) => {
  const { length } = cells.filter(isEmptied)
  if (length < MIN_CELLS && (length < MIN_CELLS_OF_SHARE || length <= rows / 3)) return undefined
  return { kind: 'emptied', message: `${label}: ${countRows(length)} are emptied. Is that meant?` }
}

/** Whether one value replaces many different ones, or is in many rows. */
const isFilledDown = (cells: readonly PlacedCell[]): boolean => {
  const overwritten = cells.map(({ cell }) => toText(cell.before)).filter((text) => text !== '')
  const { size } = new Set(overwritten)
  return cells.length >= MIN_EQUAL || (size >= MIN_CELLS && size > overwritten.length / 2)
}

const NUMBER_AT_END = /^(.*?)(\d{1,15})$/s
/** Whether a value is that of the row above plus one, as a spreadsheet fills a column with a number. */
const isNextNumber = (above: string, text: string): boolean => {
  const [, start, number] = NUMBER_AT_END.exec(above) ?? []
  const [, ownStart, ownNumber] = NUMBER_AT_END.exec(text) ?? []
  return number !== undefined && start === ownStart && Number(ownNumber) === Number(number) + 1
}
const hasSeries = (cells: readonly PlacedCell[]): boolean => {
  let length = 1
  return cells.some(({ row, cell }, nth) => {
    const above = cells[nth - 1]
    const isNext =
      above?.row.line === row.line - 1 &&
      isNextNumber(toText(above.cell.after), toText(cell.after)) &&
      !isNextNumber(toText(above.cell.before), toText(cell.before))
    length = isNext ? length + 1 : 1
    return length >= MIN_CELLS
  })
}

const findFilled: FindAccident = ({ column: { label }, cells }) => {
  const equal = Map.groupBy(cells, ({ cell }) => toText(cell.after))
  for (const [value, own] of equal)
    if (value !== '' && isFilledDown(own))
      return { kind: 'filled', message: `${label}: ${countRows(own.length)} get the same value. Was it filled down?` }
  if (!hasSeries(cells)) return undefined
  return { kind: 'filled', message: `${label}: the new values of consecutive rows count up by one. Was it filled down?` }
}

/** The part of a text that an edit replaced, and what with. */
const toReplacement = (before: string, after: string): string => {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return JSON.stringify([before.slice(start, before.length - end), after.slice(start, after.length - end)])
}
const [MIN_REPLACEMENT_LENGTH, PUNCTUATION_LENGTH] = [3, 6]

const findReplaced: FindAccident = ({ column: { label }, definition, cells }) => {
  if (definition?.type !== 'text' && definition?.type !== 'list') return undefined
  const edits = cells.filter((one) => !isEmptied(one) && toText(one.cell.before) !== '')
  for (const [edit, own] of Map.groupBy(edits, ({ cell }) => toReplacement(toText(cell.before), toText(cell.after))))
    if (own.length >= MIN_REPLACED && edit.length >= MIN_REPLACEMENT_LENGTH + PUNCTUATION_LENGTH)
      return { kind: 'replaced', message: `${label}: the same text is replaced in ${countRows(own.length)}. Is each of them right?` }
  return undefined
}

const findMany: FindAccident = ({ column: { label }, cells }, rows) =>
  rows >= MIN_ROWS_FOR_SHARE && cells.length > rows / 3
    ? { kind: 'many', message: `${label}: ${cells.length} of ${rows} rows changed. Is that meant?` }
    : undefined

/** The first one found is the warning of a column, and every changed cell of the column waits for its answer. */
const ACCIDENTS: readonly FindAccident[] = [findSorted, findEmptied, findFilled, findReplaced, findMany]

/** Finds rows whose new values are those that other fields had before: columns were moved without their headers. Returns the moved cells. */
const findShifted = async (rows: readonly FoundRow[], rest: () => Promise<void>): Promise<PlacedCell[]> => {
  const shifted: PlacedCell[] = []
  for (const row of rows) {
    await rest()
    const before = new Map<string, FileColumn[]>()
    const after = new Map<string, FileColumn[]>()
    for (const { column, ...cell } of row.cells) {
      before.set(toText(cell.before), [...(before.get(toText(cell.before)) ?? []), column])
      after.set(toText(cell.after), [...(after.get(toText(cell.after)) ?? []), column])
    }
    const isElsewhere = (text: string, columns: ReadonlyMap<string, FileColumn[]>, own: FileColumn): boolean =>
      text !== '' && (columns.get(text)?.some((column) => column !== own) ?? false)
    for (const cell of row.cells) {
      const isMoved = isElsewhere(toText(cell.after), before, cell.column)
      if (isMoved || (toText(cell.after) === '' && isElsewhere(toText(cell.before), after, cell.column))) shifted.push({ row, cell })
    }
  }
  return new Set(shifted.map(({ row }) => row)).size >= MIN_CELLS ? shifted : []
}

/** Two rows with the same identifier: usually one was copied over the other. */
const findCopied = (rows: readonly FoundRow[], duplicates: readonly DuplicateRow[]): SheetWarning[] => {
  const byLine = new Map(rows.map((row) => [row.line, row]))
  return duplicates.map(({ line, first, name }) =>
    suspect(
      'duplicate',
      `Rows ${first} and ${line} are both ${name}. Was a row copied over another?`,
      [byLine.get(first), byLine.get(line)].flatMap((row) => row?.cells.map((cell) => ({ row, cell })) ?? []),
    ),
  )
}

/** A row with the identifier of an earlier row. */
export interface DuplicateRow {
  readonly line: number
  readonly first: number
  readonly name: string
}

/** What is compared: the rows that differ, the number of rows, and the columns of the sheet. */
interface ComparedRows {
  readonly found: readonly FoundRow[]
  readonly rows: number
  readonly duplicates: readonly DuplicateRow[]
  readonly columns: Iterable<EditableColumn>
  /** The digits that the numbers of a column have, if all have the same number and some begin with zero. */
  readonly widths: ReadonlyMap<string, number>
  /** The addresses of cells of which a part is struck through. */
  readonly struck: ReadonlySet<string>
}

/** The cells of one column. Those of all columns together would take as much memory as what differs. */
const pickCells = async (rows: readonly FoundRow[], column: FileColumn, rest: () => Promise<void>) => {
  const [changed, created]: [PlacedCell[], PlacedCell[]] = [[], []]
  for (const row of rows) {
    await rest()
    for (const cell of row.cells) if (cell.column === column) (row.record === null ? created : changed).push({ row, cell })
  }
  return { changed, created }
}

/** Warnings about changes that are valid but look like an accident; each has to be confirmed. Other requests are handled between columns. */
export const findWarnings = async ({ found, rows, duplicates, columns, widths, struck }: ComparedRows): Promise<SheetWarning[]> => {
  const rest = createTimeSlices()
  const definitions = new Map([...columns].map((column) => [column.path, column]))
  // A second row of a record has only the error at its identifier.
  const checked = found.filter(({ cells: [first] }) => first !== undefined && !isIdentifier(first))
  const changedColumns = new Set<FileColumn>()
  for (const { cells } of checked) for (const { column } of cells) changedColumns.add(column)
  const shifted = await findShifted(
    checked.filter(({ record }) => record !== null),
    rest,
  )
  const shiftedColumns = new Set(shifted.map(({ cell }) => cell.column))
  const warnings = findCopied(found, duplicates)
  let listed = 0
  const add = (kind: SheetWarning['kind'], message: string, cells: readonly PlacedCell[]): void => {
    listed += cells.length
    if (listed > MAX_LISTED) throw refuseFile(TOO_MUCH_MEMORY)
    warnings.push(suspect(kind, message, cells))
  }
  if (shifted.length > 0) {
    const message = `In ${countRows(new Set(shifted.map(({ row }) => row)).size)} values are in the column beside their own. Was a column moved without its header?`
    const ofColumns: PlacedCell[] = []
    for (const column of shiftedColumns) ofColumns.push(...(await pickCells(checked, column, rest)).changed)
    add('shifted', message, ofColumns)
  }
  for (const column of changedColumns) {
    const { changed, created } = await pickCells(checked, column, rest)
    const definition = definitions.get(column.path)
    const changes = { column, definition, cells: changed }
    if (!shiftedColumns.has(column)) {
      const accident = ACCIDENTS.values()
        .map((find) => find(changes, rows))
        .find((one) => one !== undefined)
      if (accident) add(accident.kind, accident.message, changed)
    }
    for (const { kind, message, isSuspect } of VALUE_CHECKS) {
      await rest()
      const width = widths.get(column.path)
      const wrong = [...changed, ...created].filter(({ row, cell }) =>
        // A refused value is corrected or left out anyway.
        isSuspect(cell, { definition, width: cell.state === 'error' ? undefined : width, isStruck: struck.has(toAddress(row, cell)) }),
      )
      // A new row waits as a whole, because a record without the value is not what the row says. What empties the column may belong to it.
      const waiting = wrong.flatMap((one) => (one.row.record === null ? one.row.cells.map((cell) => ({ row: one.row, cell })) : [one]))
      if (wrong.length > 0) add(kind, message(column.label), [...waiting, ...changed.filter(isEmptied)])
    }
  }
  return warnings
}
