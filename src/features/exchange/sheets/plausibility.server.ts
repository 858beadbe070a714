import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import type { SheetCell, SheetWarning } from './contract.ts'
import { ID_HEADER } from './read-file.server.ts'

/** Fewer changed cells than this are no accident of a whole column. */
const MIN_CELLS = 5
const MIN_ROWS_FOR_SHARE = 12

const toText = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
/** A warning of what is valid and still looks like an accident. */
const suspect = (kind: SheetWarning['kind'], message: string, cells: readonly SheetCell[]): SheetWarning => ({
  kind,
  message,
  cells: addressesOf(cells),
  isSuspicious: true,
})
const addressesOf = (cells: readonly SheetCell[]): string[] => cells.map(({ cell }) => cell)

/** Values that other rows of the column had before: the column was sorted without the others. */
const findSorted = (label: string, cells: readonly SheetCell[]): SheetWarning[] => {
  const before = new Map<string, number>()
  for (const cell of cells) before.set(toText(cell.before), (before.get(toText(cell.before)) ?? 0) + 1)
  const moved = cells.filter(({ after }) => toText(after) !== '' && before.has(toText(after)))
  const distinct = new Set(moved.map(({ after }) => toText(after))).size
  if (moved.length < MIN_CELLS || distinct < MIN_CELLS || moved.length < cells.length * 0.6) return []
  const message = `${label}: ${moved.length} rows changed, and the new values are those of other rows. Was one column sorted alone?`
  return [suspect('sorted', message, moved)]
}

const findMany = (label: string, cells: readonly SheetCell[], rows: number): SheetWarning[] =>
  rows >= MIN_ROWS_FOR_SHARE && cells.length > rows / 3
    ? [suspect('many', `${label}: ${cells.length} of ${rows} rows changed. Is that meant?`, cells)]
    : []

const findLostZeros = (label: string, cells: readonly SheetCell[]): SheetWarning[] => {
  const lost = cells.filter(({ before, after }) => /^0+\d/.test(toText(before)) && toText(before).replace(/^0+/, '') === toText(after))
  return lost.length > 0 ? [suspect('leading-zeros', `Leading zeros are gone from ${label}. Was it formatted as a number?`, lost)] : []
}

const findScientific = (label: string, cells: readonly SheetCell[]): SheetWarning[] => {
  const rounded = cells.filter(({ after }) => /^\d(\.\d+)?e\+?\d+$/i.test(toText(after)))
  return rounded.length > 0 ? [suspect('scientific', `${label} has numbers such as 1.2E+10. Was it formatted as a number?`, rounded)] : []
}

const findSwappedDates = (label: string, cells: readonly SheetCell[]): SheetWarning[] => {
  const swapped = cells.filter(({ before, after }) => {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(toText(before)) ?? []
    return day !== undefined && day !== month && toText(after) === `${year}-${day}-${month}`
  })
  return swapped.length > 0
    ? [suspect('dates', `Day and month of ${label} are swapped. Was the file saved with another date format?`, swapped)]
    : []
}

/** Rows whose new values are those that the neighboring fields had: the columns have moved against their headers. */
const findShifted = async (cells: readonly SheetCell[], rest: () => Promise<void>): Promise<SheetWarning[]> => {
  const shifted: SheetCell[] = []
  for (const row of Map.groupBy(cells, ({ row: line }) => line).values()) {
    await rest()
    for (const cell of row) {
      const after = toText(cell.after)
      if (after !== '' && row.some((other) => other.field !== cell.field && toText(other.before) === after)) shifted.push(cell)
    }
  }
  const rows = new Set(shifted.map(({ row }) => row)).size
  const pairs = new Set(shifted.map(({ field }) => field)).size
  return rows >= MIN_CELLS && pairs > 0
    ? [suspect('shifted', `In ${rows} rows values are in the column beside their own. Was a column moved without its header?`, shifted)]
    : []
}

/** Two rows with one identifier: most often a row was copied over another. */
const findCopied = (cells: readonly SheetCell[], duplicates: readonly DuplicateRow[]): SheetWarning[] =>
  duplicates.map(({ line, first, name }) =>
    suspect(
      'duplicate',
      `Rows ${first} and ${line} are both ${name}. Was a row copied over another?`,
      cells.filter(({ row }) => row === first || row === line),
    ),
  )

/** A row that names the record of an earlier one. */
export interface DuplicateRow {
  readonly line: number
  readonly first: number
  readonly name: string
}

/** What is valid and still looks like an accident; each needs a second yes. Others are served between its columns. */
export const findWarnings = async (
  cells: readonly SheetCell[],
  rows: number,
  duplicates: readonly DuplicateRow[],
): Promise<SheetWarning[]> => {
  const rest = createTimeSlices()
  const changed = cells.filter(({ record, state, field }) => record !== null && field !== ID_HEADER && state !== 'new')
  const warnings = [...findCopied(cells, duplicates), ...(await findShifted(changed, rest))]
  for (const [label, ofColumn] of Map.groupBy(changed, (cell) => cell.label)) {
    await rest()
    const sorted = findSorted(label, ofColumn)
    warnings.push(...(sorted.length > 0 ? sorted : findMany(label, ofColumn, rows)))
    for (const find of [findLostZeros, findScientific, findSwappedDates]) {
      await rest()
      warnings.push(...find(label, ofColumn))
    }
  }
  return warnings
}
