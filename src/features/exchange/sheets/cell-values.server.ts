import { DAY_MS } from '../../../contract/dates.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { type EditableColumn, isReference, type Reference } from './columns.server.ts'
import { PeopleNames } from './people-cells.server.ts'

const nameOf = (model: ReadModel, table: Reference, _id: string): string | undefined =>
  table === 'brand'
    ? model.table('brand').get(_id)?.brandName
    : table === 'site'
      ? model.table('site').get(_id)?.displayName
      : model.table(table).get(_id)?.name

/** The text of a cell for a value. */
export const toCellText = ({ model, people }: CellNames, { type }: EditableColumn, value: unknown): string => {
  if (type === 'people') return people.format(value)
  if (value === null || value === undefined) return ''
  if (type === 'boolean') return value === true ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.join('; ')
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : JSON.stringify(value)
  return isReference(type) ? (nameOf(model, type, text) ?? text) : text
}

/** The names that a cell may use for a record, with the `_id` of each; undefined for a name that several records have. */
export const listNames = (model: ReadModel, table: Reference): ReadonlyMap<string, string | undefined> => {
  const names = new Map<string, string | undefined>()
  for (const { _id } of model.table(table).all()) {
    const name = nameOf(model, table, _id)?.toLowerCase()
    if (name !== undefined) names.set(name, names.has(name) ? undefined : _id)
    names.set(_id.toLowerCase(), _id)
  }
  return names
}

/** Looks up the records and people named in the cells of a file; created once per file. */
export interface CellNames {
  readonly model: ReadModel
  readonly records: (table: Reference) => ReadonlyMap<string, string | undefined>
  readonly people: PeopleNames
  /** Whether the file's day numbers count from 1904. */
  readonly is1904: boolean
}

export const toCellNames = (model: ReadModel, is1904 = false): CellNames => {
  const known = new Map<Reference, ReadonlyMap<string, string | undefined>>()
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
const pad = (part: string): string => part.padStart(2, '0')

/** Day 0 of a spreadsheet. Counting from 1900 includes February 29, 1900, which did not exist. */
const FIRST_DAYS = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) }

/** Converts a cell to a stored day: from ISO or American format, or from the number of a cell that lost its date format. */
const parseDay = (text: string, is1904: boolean): string | null => {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (american) return `${american[3]}-${pad(american[1] ?? '')}-${pad(american[2] ?? '')}`
  if (/^\d{5}(\.\d+)?$/.test(text))
    return new Date((is1904 ? FIRST_DAYS.from1904 : FIRST_DAYS.from1900) + Math.floor(Number(text)) * DAY_MS).toISOString().slice(0, 10)
  return /^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, 10) : text || null
}

/** The value of a cell, or why its text is invalid. */
export type ParsedCell = { readonly value: unknown } | { readonly message: string }

/** Parses the text of a cell. */
const parseCell = (column: EditableColumn, text: string, { records, people, is1904 }: CellNames): ParsedCell => {
  const { type } = column
  const trimmed = text.trim()
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
      // A drop-down ignores case; the validation does not.
      const choice = column.choices?.find((one) => one.toLowerCase() === trimmed.toLowerCase())
      return { value: choice ?? (trimmed === '' ? null : text) }
    }
    case 'people':
      return people.parse(trimmed)
    case 'site':
    case 'region':
    case 'charter':
    case 'brand': {
      if (trimmed === '') return { value: null }
      const known = records(type)
      const found = known.get(trimmed.toLowerCase())
      if (found !== undefined) return { value: found }
      return {
        message: known.has(trimmed.toLowerCase()) ? `More than one ${type} is named “${trimmed}”` : `No ${type} is named “${trimmed}”`,
      }
    }
  }
}

/** What a spreadsheet shows instead of a value that it could not compute. */
const SPREADSHEET_ERROR = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/

/** The value of a cell in the file, or its error. */
export const parseText = (column: EditableColumn, text: string, names: CellNames, isFormula: boolean): ReturnType<typeof parseCell> => {
  if (SPREADSHEET_ERROR.test(text.trim())) return { message: `This cell has the spreadsheet error ${text.trim()}` }
  if (isFormula && text.trim() === '')
    return { message: 'This formula has no stored value. Open the file in Excel, save it and drop it again.' }
  return parseCell(column, text, names)
}
