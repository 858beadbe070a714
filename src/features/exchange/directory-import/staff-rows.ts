import { isEmail } from '../../../contract/emails.ts'
import { cleanLine, findLineError } from '../../../contract/text-cleaning.ts'
import { STAFF_FIELD_NAMES, type StaffField, type StaffHeader } from './staff-fields.ts'

/** An employee as a file has them: just the columns that the file has, what is blank as null. */
export type StaffRow = Readonly<Partial<Record<StaffField, string | null>>> & { readonly PersonID: string }
/** An employee as they are stored; with `gone`, they were missing from the file before. */
export type StoredStaff = Readonly<Record<Exclude<StaffField, 'PersonID'>, string | null>> & {
  readonly PersonID: string
  readonly gone: boolean
}

/** The longest that a search shows; a number no longer than an account takes. */
const MAX_VALUE_LENGTH = 300
const MAX_PERSON_ID_LENGTH = 100
const SPREADSHEET_ERROR = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)$/
/** Whether no one can tell from a refused row whose it is. */
export const isUnusableId = (id: string): boolean => id === '' || id.length > MAX_PERSON_ID_LENGTH || SPREADSHEET_NUMBER.test(id)
const SPREADSHEET_NUMBER = /^\d(\.\d+)?E\+?\d+$/i

const EMAIL_FIELDS: ReadonlySet<StaffField> = new Set(['Hris_EmailAddress', 'EmailAddress'])

type ParsedStaffRow =
  /** With how many of its email addresses are none and were left empty. */
  | { readonly is: 'employee'; readonly row: StaffRow; readonly wrongEmails: number }
  | { readonly is: 'refused'; readonly id: string; readonly reasons: readonly string[] }

/** Reads one row by the rules of docs/users/importing.md. */
export const parseStaffRow = (cells: readonly string[], header: StaffHeader): ParsedStaffRow => {
  const row: Partial<Record<StaffField, string | null>> = {}
  const reasons: string[] = []
  let wrongEmails = 0
  if (cells.slice(header.cells.length).some((cell) => cell.trim() !== '') || cells.length < header.cells.length)
    reasons.push(`The row has ${cells.length} columns, the header has ${header.cells.length}`)
  for (const field of STAFF_FIELD_NAMES) {
    const position = header.columns[field]
    if (position === undefined) continue
    const text = cleanLine(cells[position] ?? '').replace(/\s+/g, ' ')
    const isWrongEmail = text !== '' && EMAIL_FIELDS.has(field) && !isEmail(text)
    if (isWrongEmail) wrongEmails++
    row[field] = text === '' || isWrongEmail ? null : text
    if (SPREADSHEET_ERROR.test(text)) reasons.push(`${field} holds the spreadsheet error ${text}`)
    if (findLineError(text) !== undefined) reasons.push(`${field} holds a character that cannot be stored`)
    const most = field === 'PersonID' ? MAX_PERSON_ID_LENGTH : MAX_VALUE_LENGTH
    if (text.length > most) reasons.push(`${field} has more than ${most} characters`)
  }
  const PersonID = row.PersonID ?? ''
  if (PersonID === '') reasons.unshift('There is no PersonID')
  else if (SPREADSHEET_NUMBER.test(PersonID)) reasons.push(`A spreadsheet turned the PersonID into a number: ${PersonID}`)
  if ((row.FirstName ?? null) === null && (row.LastName ?? null) === null) reasons.push('There is no name')
  return reasons.length > 0 ? { is: 'refused', id: PersonID, reasons } : { is: 'employee', row: { ...row, PersonID }, wrongEmails }
}

export interface StaffChange {
  readonly row: StaffRow
  readonly differences: readonly { readonly field: StaffField; readonly from: string | null; readonly to: string | null }[]
  /** They were gone, and the file has them again. */
  readonly isBack: boolean
}

/** What an import comes to. */
export interface StaffPlan {
  readonly added: readonly StaffRow[]
  readonly changed: readonly StaffChange[]
  readonly unchanged: number
  readonly gone: readonly StoredStaff[]
  /** How many the file lacks who are not marked as gone, because a refused row may be theirs. */
  readonly sparedCount: number
  /** How many were there, not gone, before. */
  readonly activeCount: number
}

/** Compares a file with what is stored. A person whose row was refused is still in the file, and so does not count as gone. */
export const planStaff = (
  rows: readonly StaffRow[],
  refused: ReadonlySet<string>,
  stored: readonly StoredStaff[],
  mayBeAnybody: boolean,
): StaffPlan => {
  const before = new Map(stored.map((one) => [one.PersonID, one]))
  const named = new Set(rows.map(({ PersonID }) => PersonID))
  const added: StaffRow[] = []
  const changed: StaffChange[] = []
  let left = 0
  for (const row of rows) {
    const known = before.get(row.PersonID)
    if (!known) {
      added.push(row)
      continue
    }
    const differences = STAFF_FIELD_NAMES.flatMap((field) => {
      const to = row[field]
      return to === undefined || to === known[field] ? [] : [{ field, from: known[field], to }]
    })
    if (differences.length > 0 || known.gone) changed.push({ row, differences, isBack: known.gone })
    else left++
  }
  const there = stored.filter(({ gone }) => !gone)
  const missing = there.filter(({ PersonID }) => !named.has(PersonID) && !refused.has(PersonID))
  const [gone, spared] = mayBeAnybody ? [[], missing.length] : [missing, 0]
  return { added, changed, unchanged: left, gone, sparedCount: spared, activeCount: there.length }
}
