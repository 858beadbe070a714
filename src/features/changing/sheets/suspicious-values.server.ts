import { hasBrokenAccents, losesAccents } from '../../../contract/broken-accents.ts'
import type { EditableColumn } from '../../../platform/server/sheet-definition.ts'
import type { SheetWarning } from './contract.ts'
import type { FoundCell } from './found-rows.server.ts'

/** What is known about a cell besides its value. */
interface CheckedCell {
  readonly definition: EditableColumn | undefined
  /** The number of digits of its numbers, if all have the same and some begin with zero. */
  readonly width: number | undefined
  /** Whether a part of the text is struck through in the file. */
  readonly isStruck: boolean
}

/** A value that looks like the work of a spreadsheet, whatever the other rows have. */
interface ValueCheck {
  readonly kind: SheetWarning['kind']
  readonly message: (label: string) => string
  readonly isSuspect: (cell: Pick<FoundCell, 'before' | 'after' | 'state'>, column: CheckedCell) => boolean
}

const toLines = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')

const isZeroLost = (before: string, after: string, width: number | undefined): boolean =>
  /^\d+$/.test(after) &&
  ((/^0+\d/.test(before) && before.replace(/^0+/, '') === after) || (width !== undefined && after.length < width && !after.startsWith('0')))

const isSwappedDate = (before: string, after: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(before) ?? []
  return day !== undefined && day !== month && after === `${year}-${day}-${month}`
}

const DATE_IN_TEXT = /\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d\d-\d\d|\b(?:19|20)\d\d\b/
/** The number of a day from 1982 to 2118, as a cell shows it that lost its date format. */
const SERIAL_NUMBER = /^[3-7]\d{4}(?:\.\d+)?$/

/** Whether two numbers became a day: as a spreadsheet shows it (`8-Jun`), or a date instead of the numbers. */
const isNumbersAsDate = (before: string, after: string): boolean =>
  (/^\d{1,2}-[A-Z][a-z]{2}$/.test(after) && before !== after) ||
  (/^\w{1,2}[-/]\w{1,2}$/.test(before) && /^\d{2}\/\d{2}\/\d{4}$/.test(after))

/** Checks of a text against its earlier text; both are empty where there is none. */
const toTextCheck =
  (isSuspect: (before: string, after: string, column: CheckedCell) => boolean): ValueCheck['isSuspect'] =>
  ({ before, after }, column) =>
    toLines(after).some((text, nth) => isSuspect(toLines(before)[nth] ?? '', text, column))

export const VALUE_CHECKS: readonly ValueCheck[] = [
  {
    kind: 'accents',
    message: (label) => `${label} has letters that a spreadsheet did not read. Was the file saved in another encoding?`,
    isSuspect: toTextCheck((before, after) => (before === '' ? hasBrokenAccents(after) : losesAccents(before, after))),
  },
  {
    kind: 'leading-zeros',
    message: (label) => `Leading zeros are gone from ${label}. Was it formatted as a number?`,
    isSuspect: toTextCheck((before, after, { width }) => isZeroLost(before, after, width)),
  },
  {
    kind: 'scientific',
    message: (label) => `${label} has numbers such as 1.2E+10. Was it formatted as a number?`,
    isSuspect: toTextCheck((_before, after) => /^\d(\.\d+)?e\+?\d+$/i.test(after)),
  },
  {
    kind: 'dates',
    message: (label) => `Day and month of ${label} are swapped. Was the file saved with another date format?`,
    isSuspect: toTextCheck(isSwappedDate),
  },
  {
    kind: 'dates',
    message: (label) => `${label} has a number such as 47299 instead of a date. Did the cell lose its date format?`,
    isSuspect: toTextCheck(
      (before, after, { definition }) => definition?.type === 'text' && DATE_IN_TEXT.test(before) && SERIAL_NUMBER.test(after),
    ),
  },
  {
    kind: 'dates',
    message: (label) => `${label} has a date where it had two numbers such as 6-8. Did a spreadsheet turn them into a day?`,
    isSuspect: toTextCheck((before, after, { definition }) => definition?.type === 'text' && isNumbersAsDate(before, after)),
  },
  {
    kind: 'struck',
    message: (label) => `A part of ${label} is struck through in the file, and would be saved as if it were not.`,
    isSuspect: (_cell, { isStruck }) => isStruck,
  },
]
