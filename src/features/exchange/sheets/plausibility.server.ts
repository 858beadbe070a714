import type { SheetCell, SheetWarning } from './contract.ts'

/** Fewer changed cells than this are no accident of a whole column. */
const MIN_CELLS = 5
const MIN_ROWS_FOR_SHARE = 12

const toText = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
const addressesOf = (cells: readonly SheetCell[]): string[] => cells.map(({ cell }) => cell)

/** Values that other rows of the column had before: the column was sorted without the others. */
const findSorted = (label: string, cells: readonly SheetCell[]): SheetWarning[] => {
  const before = new Map<string, number>()
  for (const cell of cells) before.set(toText(cell.before), (before.get(toText(cell.before)) ?? 0) + 1)
  const moved = cells.filter(({ after }) => toText(after) !== '' && before.has(toText(after)))
  const distinct = new Set(moved.map(({ after }) => toText(after))).size
  if (moved.length < MIN_CELLS || distinct < MIN_CELLS || moved.length < cells.length * 0.6) return []
  return [
    {
      kind: 'sorted',
      message: `${moved.length} values of ${label} are now in other rows. Was one column sorted alone?`,
      cells: addressesOf(moved),
    },
  ]
}

const findMany = (label: string, cells: readonly SheetCell[], rows: number): SheetWarning[] =>
  rows >= MIN_ROWS_FOR_SHARE && cells.length > rows / 3
    ? [{ kind: 'many', message: `${label} changes in ${cells.length} of ${rows} rows. Is that meant?`, cells: addressesOf(cells) }]
    : []

const findLostZeros = (label: string, cells: readonly SheetCell[]): SheetWarning[] => {
  const lost = cells.filter(({ before, after }) => /^0+\d/.test(toText(before)) && toText(before).replace(/^0+/, '') === toText(after))
  return lost.length > 0
    ? [{ kind: 'leading-zeros', message: `Leading zeros are gone from ${label}. Was it formatted as a number?`, cells: addressesOf(lost) }]
    : []
}

const findScientific = (label: string, cells: readonly SheetCell[]): SheetWarning[] => {
  const rounded = cells.filter(({ after }) => /^\d(\.\d+)?e\+?\d+$/i.test(toText(after)))
  return rounded.length > 0
    ? [{ kind: 'scientific', message: `${label} has numbers such as 1.2E+10. Was it formatted as a number?`, cells: addressesOf(rounded) }]
    : []
}

const findSwappedDates = (label: string, cells: readonly SheetCell[]): SheetWarning[] => {
  const swapped = cells.filter(({ before, after }) => {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(toText(before)) ?? []
    return day !== undefined && day !== month && toText(after) === `${year}-${day}-${month}`
  })
  return swapped.length > 0
    ? [
        {
          kind: 'dates',
          message: `Day and month of ${label} are swapped. Was the file saved with another date format?`,
          cells: addressesOf(swapped),
        },
      ]
    : []
}

/** Rows whose new values are those that the neighboring fields had: the columns have moved against their headers. */
const findShifted = (cells: readonly SheetCell[]): SheetWarning[] => {
  const shifted = [...Map.groupBy(cells, ({ row }) => row).values()].flatMap((row) =>
    row.filter(
      ({ field, after }) => toText(after) !== '' && row.some((other) => other.field !== field && toText(other.before) === toText(after)),
    ),
  )
  const rows = new Set(shifted.map(({ row }) => row)).size
  const pairs = new Set(shifted.map(({ field }) => field)).size
  return rows >= MIN_CELLS && pairs > 0
    ? [
        {
          kind: 'shifted',
          message: `In ${rows} rows values stand in the column beside their own. Was a column moved without its header?`,
          cells: addressesOf(shifted),
        },
      ]
    : []
}

/** What is valid and still looks like an accident; each needs a second yes. */
export const findWarnings = (cells: readonly SheetCell[], rows: number): SheetWarning[] => {
  const changed = cells.filter(({ record, state }) => record !== null && state !== 'new')
  const columns = [...Map.groupBy(changed, ({ label }) => label)]
  return [
    ...findShifted(changed),
    ...columns.flatMap(([label, ofColumn]) => {
      const sorted = findSorted(label, ofColumn)
      return [
        ...(sorted.length > 0 ? sorted : findMany(label, ofColumn, rows)),
        ...findLostZeros(label, ofColumn),
        ...findScientific(label, ofColumn),
        ...findSwappedDates(label, ofColumn),
      ]
    }),
  ]
}
