import { isEmail } from '../../contract/emails.ts'
import { StaffSearchResult } from './contract.ts'

/** The columns that every HR source has. */
export const EMPLOYEE_COLUMNS = StaffSearchResult.keyof().options
export type EmployeeColumn = (typeof EMPLOYEE_COLUMNS)[number]

export interface EmployeeSearch {
  /** Each must match: one with an @ an email address, any other the name, the number, or an email address before its @. */
  readonly words: readonly string[]
  /** The whole search text; names that begin with it come first. */
  readonly namePrefix: string
  /** Only employees with both email addresses. */
  readonly withEmails: boolean
  readonly limit: number
}

/** An external source of employees. What it returns is validated. */
export interface HrSource {
  find(sought: EmployeeSearch): Promise<unknown>
  close(): Promise<void>
}

const MAX_WORDS = 8

/** Parses a search text. The source handles case and accents. */
export const parseEmployeeSearch = (typed: string, withEmails: boolean, most: number): EmployeeSearch => {
  const words = typed.split(/\s+/).filter((word) => word !== '')
  return { words: words.slice(0, MAX_WORDS), namePrefix: words.join(' '), withEmails, limit: most }
}

/** Escapes the wildcards of LIKE, so that they are searched literally. Databases have different wildcards. */
export const escapeLike = (text: string, wildcards: RegExp): string => text.replace(wildcards, (character) => `\\${character}`)

export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse'
}

export const MAX_VALUE_LENGTH = 300

const toText = (value: unknown): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean' && typeof value !== 'bigint') return null
  const text = String(value)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_VALUE_LENGTH)
    .toWellFormed()
  return text === '' ? null : text
}

/** Validates the rows of a source: numbers become text and blanks null; rows without a number, or with one seen before, are skipped. */
export const parseEmployees = (rows: unknown): StaffSearchResult[] => {
  if (!Array.isArray(rows)) throw new MalformedResponse('it sends no list of rows')
  const employees = new Map<string, StaffSearchResult>()
  for (const row of rows as unknown[]) {
    if (typeof row !== 'object' || row === null) throw new MalformedResponse('it sends rows that are none')
    const missing = EMPLOYEE_COLUMNS.filter((column) => !(column in row))
    if (missing.length > 0) throw new MalformedResponse(`its rows lack ${missing.join(', ')}`)
    const values = Object.fromEntries(EMPLOYEE_COLUMNS.map((column) => [column, toText((row as Record<string, unknown>)[column])]))
    for (const column of ['EmailAddress', 'Hris_EmailAddress'] as const) if (!isEmail(values[column] ?? '')) values[column] = null
    const PersonID = values['PersonID']
    if (PersonID && !employees.has(PersonID)) employees.set(PersonID, { ...values, PersonID } as StaffSearchResult)
  }
  return [...employees.values()]
}
