import { isEmail } from '../../contract/emails.ts'
import { cleanLine } from '../../contract/text-cleaning.ts'
import { findCellProblem } from './cell-problems.ts'
import { STAFF_FIELD_NAMES, type StaffField, type StaffHeader } from './staff-fields.ts'

/** An employee in a file: only the columns that the file has, blank cells as null. */
export type StaffRow = Readonly<Partial<Record<StaffField, string | null>>> & { readonly PersonID: string }
/** A stored employee; with `gone` if they were missing in the last file. */
export type StoredStaff = Readonly<Record<Exclude<StaffField, 'PersonID'>, string | null>> & {
  readonly PersonID: string
  readonly gone: boolean
}

/** The maximum lengths that search results show, and that an account accepts for a number. */
const MAX_VALUE_LENGTH = 300
const MAX_PERSON_ID_LENGTH = 100
/** Whether a refused row has no usable number, so that it could be anyone's. */
export const isUnusableId = (id: string): boolean => id === '' || id.length > MAX_PERSON_ID_LENGTH || SPREADSHEET_NUMBER.test(id)
const SPREADSHEET_NUMBER = /^\d(\.\d+)?E\+?\d+$/i

const EMAIL_FIELDS: ReadonlySet<StaffField> = new Set(['Hris_EmailAddress', 'EmailAddress'])

type ParsedStaffRow =
  /** With the number of its invalid email addresses, which were left empty. */
  | { readonly is: 'employee'; readonly row: StaffRow; readonly wrongEmails: number }
  | { readonly is: 'refused'; readonly id: string; readonly reasons: readonly string[] }

/** Parses one row according to docs/users/importing.md. */
export const parseStaffRow = (cells: readonly string[], header: StaffHeader): ParsedStaffRow => {
  const row: Partial<Record<StaffField, string | null>> = {}
  const reasons: string[] = []
  let wrongEmails = 0
  if (cells.slice(header.cells.length).some((cell) => cell.trim() !== '') || cells.length < header.cells.length)
    reasons.push(`The row has ${cells.length} columns, the header has ${header.cells.length}`)
  for (const field of STAFF_FIELD_NAMES) {
    const position = header.columns[field]?.[0]
    if (position === undefined) continue
    const text = cleanLine(cells[position] ?? '').replace(/\s+/g, ' ')
    const isWrongEmail = text !== '' && EMAIL_FIELDS.has(field) && !isEmail(text)
    if (isWrongEmail) wrongEmails++
    row[field] = text === '' || isWrongEmail ? null : text
    const problem = findCellProblem(text, text)
    if (problem !== undefined) reasons.push(`${field} ${problem}`)
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
  /** They were gone, and are in the file again. */
  readonly isBack: boolean
}

/** The planned result of an import. */
export interface StaffPlan {
  readonly added: readonly StaffRow[]
  readonly changed: readonly StaffChange[]
  readonly unchanged: number
  readonly gone: readonly StoredStaff[]
  /** The number of missing people who are not marked as gone, because a refused row may be theirs. */
  readonly keptCount: number
  /** The number of people who were not gone before the import. */
  readonly activeCount: number
}

/** Compares a file with the stored staff. A person whose row was refused is in the file, and therefore not gone. */
export const planStaff = (
  rows: readonly StaffRow[],
  refused: ReadonlySet<string>,
  stored: readonly StoredStaff[],
  hasUnusableIds: boolean,
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
  const [gone, kept] = hasUnusableIds ? [[], missing.length] : [missing, 0]
  return { added, changed, unchanged: left, gone, keptCount: kept, activeCount: there.length }
}
