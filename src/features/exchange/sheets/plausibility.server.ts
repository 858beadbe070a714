import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import type { SheetWarning } from './contract.ts'
import { type FileColumn, type FoundCell, type FoundRow, isIdentifier, toAddress } from './found-rows.server.ts'

/** Fewer changed cells than this do not indicate an accident with a whole column. */
const MIN_CELLS = 5
const MIN_ROWS_FOR_SHARE = 12

interface PlacedCell {
  readonly row: FoundRow
  readonly cell: FoundCell
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
/** A warning about changes that are valid but look like an accident. */
const suspect = (kind: SheetWarning['kind'], message: string, cells: readonly PlacedCell[]): SheetWarning => ({
  kind,
  message,
  cells: cells.map(({ row, cell }) => toAddress(row, cell)),
  isSuspicious: true,
})

/** Finds values that other rows of the column had before: the column was sorted without the others. */
const findSorted = (label: string, cells: readonly PlacedCell[]): SheetWarning[] => {
  const before = new Set(cells.map(({ cell }) => toText(cell.before)))
  const moved = cells.filter(({ cell }) => toText(cell.after) !== '' && before.has(toText(cell.after)))
  const distinct = new Set(moved.map(({ cell }) => toText(cell.after))).size
  if (moved.length < MIN_CELLS || distinct < MIN_CELLS || moved.length < cells.length * 0.6) return []
  const message = `${label}: ${moved.length} rows changed, and the new values are those of other rows. Was one column sorted alone?`
  return [suspect('sorted', message, moved)]
}

const findMany = (label: string, cells: readonly PlacedCell[], rows: number): SheetWarning[] =>
  rows >= MIN_ROWS_FOR_SHARE && cells.length > rows / 3
    ? [suspect('many', `${label}: ${cells.length} of ${rows} rows changed. Is that meant?`, cells)]
    : []

const findLostZeros = (label: string, cells: readonly PlacedCell[]): SheetWarning[] => {
  const lost = cells.filter(
    ({ cell: { before, after } }) => /^0+\d/.test(toText(before)) && toText(before).replace(/^0+/, '') === toText(after),
  )
  return lost.length > 0 ? [suspect('leading-zeros', `Leading zeros are gone from ${label}. Was it formatted as a number?`, lost)] : []
}

const findScientific = (label: string, cells: readonly PlacedCell[]): SheetWarning[] => {
  const rounded = cells.filter(({ cell: { after } }) => /^\d(\.\d+)?e\+?\d+$/i.test(toText(after)))
  return rounded.length > 0 ? [suspect('scientific', `${label} has numbers such as 1.2E+10. Was it formatted as a number?`, rounded)] : []
}

const findSwappedDates = (label: string, cells: readonly PlacedCell[]): SheetWarning[] => {
  const swapped = cells.filter(({ cell: { before, after } }) => {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(toText(before)) ?? []
    return day !== undefined && day !== month && toText(after) === `${year}-${day}-${month}`
  })
  return swapped.length > 0
    ? [suspect('dates', `Day and month of ${label} are swapped. Was the file saved with another date format?`, swapped)]
    : []
}

/** Finds rows whose new values are those that other fields had before: columns were moved without their headers. */
const findShifted = async (rows: readonly FoundRow[], rest: () => Promise<void>): Promise<SheetWarning[]> => {
  const shifted: PlacedCell[] = []
  for (const row of rows) {
    await rest()
    const before = new Set(row.cells.map((cell) => toText(cell.before)))
    for (const cell of row.cells) {
      const after = toText(cell.after)
      if (after === '' || !before.has(after)) continue
      if (row.cells.some((other) => other.column !== cell.column && toText(other.before) === after)) shifted.push({ row, cell })
    }
  }
  const count = new Set(shifted.map(({ row }) => row)).size
  return count >= MIN_CELLS
    ? [suspect('shifted', `In ${count} rows values are in the column beside their own. Was a column moved without its header?`, shifted)]
    : []
}

/** Two rows with the same identifier: usually one was copied over the other. */
const findCopied = (rows: readonly FoundRow[], duplicates: readonly DuplicateRow[]): SheetWarning[] =>
  duplicates.map(({ line, first, name }) =>
    suspect(
      'duplicate',
      `Rows ${first} and ${line} are both ${name}. Was a row copied over another?`,
      rows.filter((row) => row.line === first || row.line === line).flatMap((row) => row.cells.map((cell) => ({ row, cell }))),
    ),
  )

/** A row with the identifier of an earlier row. */
export interface DuplicateRow {
  readonly line: number
  readonly first: number
  readonly name: string
}

/** Warnings about changes that are valid but look like an accident; each has to be confirmed. Other requests are handled between columns. */
export const findWarnings = async (
  found: readonly FoundRow[],
  rows: number,
  duplicates: readonly DuplicateRow[],
): Promise<SheetWarning[]> => {
  const rest = createTimeSlices()
  // A second row of a record has only the error at its identifier.
  const changed = found.filter(({ record, cells: [first] }) => record !== null && first !== undefined && !isIdentifier(first))
  const warnings = [...findCopied(found, duplicates), ...(await findShifted(changed, rest))]
  const columns = new Set<FileColumn>()
  for (const row of changed) for (const { column } of row.cells) columns.add(column)
  for (const column of columns) {
    const ofColumn: PlacedCell[] = []
    for (const row of changed) {
      await rest()
      const cell = row.cells.find((one) => one.column === column)
      if (cell) ofColumn.push({ row, cell })
    }
    const { label } = column
    const sorted = findSorted(label, ofColumn)
    warnings.push(...(sorted.length > 0 ? sorted : findMany(label, ofColumn, rows)))
    for (const find of [findLostZeros, findScientific, findSwappedDates]) {
      await rest()
      warnings.push(...find(label, ofColumn))
    }
  }
  return warnings
}
