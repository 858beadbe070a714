import { DAY_MS, formatDay } from '../../../contract/dates.ts'
import type { CellReference } from '../../../contract/field-definitions.ts'
import { readDay } from '../../../contract/read-day.ts'
import { RECORD_NOUNS } from '../../../contract/records.ts'
import { cleanLine, cleanMultiline } from '../../../contract/text-cleaning.ts'
import { parseMinutes } from '../../../contract/times.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { nameReference } from '../../../platform/server/record-names.ts'
import { type EditableColumn, isReference } from '../../../platform/server/sheet-definition.ts'
import { PeopleNames } from './people-cells.server.ts'
import type { FileRow } from './read-file.server.ts'

/** The text of a cell for a value. */
export const toCellText = ({ model, people }: CellNames, { type }: EditableColumn, value: unknown): string => {
  if (type === 'people') return people.format(value)
  if (value === null || value === undefined) return ''
  if (type === 'boolean') return value === true ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.join('; ')
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : JSON.stringify(value)
  return isReference(type) ? (nameReference(model, type, text) ?? text) : text
}

/** Names are compared without case, and with ordinary blanks only. */
const toKey = (name: string): string => cleanLine(name).toLowerCase()

/** The names that a cell may use for a record, with the `_id` of each; undefined for a name that several records have. */
export const listNames = (model: ReadModel, table: CellReference): ReadonlyMap<string, string | undefined> => {
  const names = new Map<string, string | undefined>()
  for (const { _id } of model.table(table).all()) {
    const name = toKey(nameReference(model, table, _id) ?? '')
    if (name !== '') names.set(name, names.has(name) ? undefined : _id)
    names.set(_id.toLowerCase(), _id)
  }
  return names
}

/** Looks up the records and people named in the cells of a file; created once per file. */
export interface CellNames {
  readonly model: ReadModel
  readonly records: (table: CellReference) => ReadonlyMap<string, string | undefined>
  readonly people: PeopleNames
  /** Whether the file's day numbers count from 1904. */
  readonly is1904: boolean
}

export const toCellNames = (model: ReadModel, is1904 = false): CellNames => {
  const known = new Map<CellReference, ReadonlyMap<string, string | undefined>>()
  return {
    model,
    records: (table) => {
      const names = known.get(table) ?? listNames(model, table)
      known.set(table, names)
      return names
    },
    people: new PeopleNames(model),
    is1904,
  }
}

const YES = new Set(['yes', 'y', 'true', '1', 'x'])
const NO = new Set(['no', 'n', 'false', '0', ''])
/** Day 0 of a spreadsheet. Counting from 1900 includes February 29, 1900, which did not exist. */
const FIRST_DAYS = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) }

/** Converts a cell to a stored day: from a written one, or from the number of a cell that lost its date format. */
const parseDay = (text: string, is1904: boolean): string | null => {
  if (/^\d{5}(\.\d+)?$/.test(text))
    return new Date((is1904 ? FIRST_DAYS.from1904 : FIRST_DAYS.from1900) + Math.floor(Number(text)) * DAY_MS).toISOString().slice(0, 10)
  return (readDay(text) ?? text) || null
}

const DATE_CELL = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?$/
/** The days that a time without a day has. */
const NO_DAY = /^(?:1899-12-3\d|1900-01-0\d|1904-01-01)$/
const NOON_HOUR = 12
const formatTime = (hour: number, minute: number): string =>
  `${hour % NOON_HOUR || NOON_HOUR}:${String(minute).padStart(2, '0')} ${hour < NOON_HOUR ? 'AM' : 'PM'}`
const MINUTES_OF_DAY = 1440
const SECOND_MS = 1000

/** What a cell shows, for a field that holds text: a day as 06/30/2027, a time as 8:30 AM. */
const toShownText = ({ choices = [] }: EditableColumn, text: string): string => {
  // The part of a day, in a cell that lost its time format.
  if (/^0?\.\d+$/.test(text) && choices.some((choice) => parseMinutes(choice) !== undefined)) {
    const minutes = Math.round(Number(text) * MINUTES_OF_DAY)
    return formatTime(Math.floor(minutes / 60), minutes % 60)
  }
  if (!DATE_CELL.test(text) || Number.isNaN(Date.parse(text))) return text
  // Rounded, because a spreadsheet stores a time as the part of a day.
  const date = new Date(Math.round(Date.parse(text) / SECOND_MS) * SECOND_MS)
  const day = date.toISOString().slice(0, 10)
  const time = text.includes('T') ? formatTime(date.getUTCHours(), date.getUTCMinutes()) : ''
  return NO_DAY.test(day) && time !== '' ? time : [formatDay(day), time].filter(Boolean).join(' ')
}

/** The value of a cell, or why its text is invalid. */
export type ParsedCell = { readonly value: unknown } | { readonly message: string }

/** The record that a cell names. */
const parseReference = (type: CellReference, name: string, known: ReturnType<CellNames['records']>): ParsedCell => {
  if (name === '') return { value: null }
  const found = known.get(toKey(name))
  if (found !== undefined) return { value: found }
  const [noun] = RECORD_NOUNS[type]
  return { message: known.has(toKey(name)) ? `More than one ${noun} is named “${name}”` : `No ${noun} is named “${name}”` }
}

/** Parses the text of a cell. */
const parseCell = (column: EditableColumn, text: string, { records, people, is1904 }: CellNames): ParsedCell => {
  const { type } = column
  const trimmed = text.trim()
  if (isReference(type)) return parseReference(type, trimmed, records(type))
  switch (type) {
    case 'boolean':
      if (YES.has(trimmed.toLowerCase())) return { value: true }
      return NO.has(trimmed.toLowerCase()) ? { value: false } : { message: 'Enter Yes or No' }
    case 'list':
      return {
        value:
          trimmed === ''
            ? []
            : trimmed
                .split(/[;,\n]/)
                .map((one) => one.trim())
                .filter(Boolean),
      }
    case 'number':
      if (trimmed === '') return { value: null }
      return /^\d+$/.test(trimmed.replaceAll(',', ''))
        ? { value: Number(trimmed.replaceAll(',', '')) }
        : { message: 'Enter a whole number' }
    case 'day':
      return { value: parseDay(trimmed, is1904) }
    case 'text': {
      if (trimmed === '') return { value: null }
      // A drop-down ignores case; the validation does not.
      const choice = column.choices?.find((one) => one.toLowerCase() === trimmed.toLowerCase())
      if (choice !== undefined) return { value: choice }
      // Only grade levels are read from the day that a spreadsheet made of them; other fields get what the cell shows.
      const { read = cleanMultiline } = column
      const value = read(trimmed)
      return { value: value === trimmed ? read(toShownText(column, trimmed)) : value }
    }
    case 'people':
      return people.parse(trimmed)
  }
}

/** What a spreadsheet shows instead of a value that it could not compute. */
const SPREADSHEET_ERROR = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/

/** The value of a cell in the file, or its error. */
export const parseText = (column: EditableColumn, row: FileRow, at: number, names: CellNames): ReturnType<typeof parseCell> => {
  const text = (column.type === 'text' ? row.shown?.[at] : undefined) ?? row.cells[at] ?? ''
  if (SPREADSHEET_ERROR.test(text.trim())) return { message: `This cell has the spreadsheet error ${text.trim()}` }
  if (row.formulas.includes(at) && text.trim() === '')
    return { message: 'This formula has no stored value. Open the file in Excel, save it and drop it again.' }
  return parseCell(column, text, names)
}
