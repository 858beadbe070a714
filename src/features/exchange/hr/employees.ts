import { isEmail } from '../../../platform/contract/emails.ts'
import { StaffSearchResult } from './contract.ts'

/** The columns every HR source has, by their names of section 3. */
export const COLUMNS = StaffSearchResult.keyof().options
export type Column = (typeof COLUMNS)[number]

/** What a source is asked for. */
export interface EmployeeSearch {
  /** Each has to be found: one with an @ in an address, any other in the name, the number, or an address before its @. */
  readonly words: readonly string[]
  /** All of what was typed: whose name begins with it comes first. */
  readonly namePrefix: string
  /** Just those who have both addresses (D24). */
  readonly withEmails: boolean
  readonly limit: number
}

/** Somewhere outside where employees can be looked for; what it sends is not to be trusted. */
export interface HrSource {
  find(sought: EmployeeSearch): Promise<unknown>
  close(): Promise<void>
}

/** More words than these find nobody that fewer would not. */
const MAX_WORDS = 8

/** What somebody typed, as a source is asked for it: its case and accents left to the source. */
export const parseSearch = (typed: string, withEmails: boolean, most: number): EmployeeSearch => {
  const words = typed.split(/\s+/).filter((word) => word !== '')
  return { words: words.slice(0, MAX_WORDS), namePrefix: words.join(' '), withEmails, limit: most }
}

/** Text as LIKE takes it letter for letter (D40); `meaning` are the signs that mean something to that database. */
export const escapeLike = (text: string, meaning: RegExp): string => text.replace(meaning, (sign) => `\\${sign}`)

/** A source sends something else than employees; nothing of it is used. */
export class MalformedResponse extends Error {
  override readonly name = 'Rubbish'
}

/** What is longer is no name and no title. */
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

/** The rows of a source as employees: numbers become text, what is blank null; who has no number, or one that came before, is left out. */
export const parseEmployees = (rows: unknown): StaffSearchResult[] => {
  if (!Array.isArray(rows)) throw new MalformedResponse('it sends no list of rows')
  const found = new Map<string, StaffSearchResult>()
  for (const row of rows as unknown[]) {
    if (typeof row !== 'object' || row === null) throw new MalformedResponse('it sends rows that are none')
    const missing = COLUMNS.filter((column) => !(column in row))
    if (missing.length > 0) throw new MalformedResponse(`its rows lack ${missing.join(', ')}`)
    const values = Object.fromEntries(COLUMNS.map((column) => [column, toText((row as Record<string, unknown>)[column])]))
    for (const column of ['EmailAddress', 'Hris_EmailAddress'] as const) if (!isEmail(values[column] ?? '')) values[column] = null
    const PersonID = values['PersonID']
    if (PersonID && !found.has(PersonID)) found.set(PersonID, { ...values, PersonID } as StaffSearchResult)
  }
  return [...found.values()]
}
