import { normalizeHeader } from './fields.ts'

/** The columns of a staff file, with other headers known for them. */
export const STAFF_FIELDS = {
  PersonID: {
    means: "the employee's number (required)",
    headers: ['Person ID', 'Employee ID', 'Employee Number', 'Employee No', 'Employee #', 'Emp ID', 'EmplID', 'Worker ID', 'Associate ID', 'Staff ID', 'SQL Person ID', 'HR Number'], // prettier-ignore
  },
  FirstName: {
    means: 'first name',
    headers: ['First Name', 'Given Name', 'Preferred First Name', 'Legal First Name', 'Forename', 'First'],
  },
  LastName: { means: 'last name', headers: ['Last Name', 'Surname', 'Family Name', 'Preferred Last Name', 'Legal Last Name', 'Last'] },
  Hris_EmailAddress: {
    means: 'the address in the HR system',
    headers: ['HRIS Email', 'HRIS Email Address', 'HR Email', 'HR Email Address'],
  },
  EmailAddress: {
    means: 'the work address in the directory',
    headers: ['Work Email', 'Work Email Address', 'Email', 'E-mail', 'Email Address', 'Business Email', 'Directory Email', 'User Principal Name', 'UPN'], // prettier-ignore
  },
  Title: { means: 'job title', headers: ['Job Title', 'Position', 'Position Title', 'Business Title', 'Job'] },
  Department: { means: 'department', headers: ['Department Name', 'Dept', 'Home Department'] },
  Company: { means: 'company', headers: ['Company Name', 'Employer', 'Legal Entity', 'Organization'] },
  Region: { means: 'region', headers: ['Region Name', 'Work Region'] },
} as const satisfies Record<string, { means: string; headers: readonly string[] }>

export type StaffField = keyof typeof STAFF_FIELDS
export const STAFF_FIELD_NAMES = Object.keys(STAFF_FIELDS) as StaffField[]

/** Ignores case, spaces and punctuation. */
const normalizeStaffHeader = (header: string): string => normalizeHeader(header).replace(/[^\p{L}\p{N}#]/gu, '')

export const findStaffField = (text: string): StaffField | undefined =>
  STAFF_FIELD_NAMES.find((field) => normalizeStaffHeader(field) === normalizeStaffHeader(text)) ??
  STAFF_FIELD_NAMES.find((field) =>
    STAFF_FIELDS[field].headers.some((header) => normalizeStaffHeader(header) === normalizeStaffHeader(text)),
  )

export interface StaffMapping {
  readonly column: string
  readonly field: StaffField
}

export interface StaffHeader {
  readonly line: number
  readonly cells: readonly string[]
  /** The position of each field in the file. */
  readonly columns: Readonly<Partial<Record<StaffField, number>>>
  readonly unused: readonly string[]
}

/** A mapped column is preferred, then the field's own name, then the first header known for it. */
export const parseStaffHeader = (line: number, row: readonly string[], mappings: readonly StaffMapping[]): StaffHeader => {
  const cells = row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)
  const plainCells = cells.map(normalizeStaffHeader)
  const mapped = new Set(mappings.map(({ column }) => plainCells.indexOf(normalizeStaffHeader(column))))
  const columns: Partial<Record<StaffField, number>> = {}
  for (const field of STAFF_FIELD_NAMES) {
    const mapping = mappings.find((one) => one.field === field)
    const names = [field, ...STAFF_FIELDS[field].headers].map(normalizeStaffHeader)
    const at = mapping
      ? plainCells.indexOf(normalizeStaffHeader(mapping.column))
      : (names.map((name) => plainCells.indexOf(name)).find((position) => position >= 0 && !mapped.has(position)) ?? -1)
    if (at >= 0) columns[field] = at
  }
  const used = new Set(Object.values(columns))
  return {
    line,
    cells,
    columns,
    unused: cells.filter((cell, position) => cell.trim() !== '' && !used.has(position)).map((cell) => cell.trim()),
  }
}

/** Whether a row has columns for the number and a name. */
export const isStaffHeader = ({ columns }: StaffHeader): boolean =>
  columns.PersonID !== undefined && (columns.FirstName !== undefined || columns.LastName !== undefined)

/** Undefined if the header is valid. */
export const findStaffHeaderError = (header: StaffHeader, mappings: readonly StaffMapping[]): string | undefined => {
  const names = header.cells.map((cell) => cell.trim()).filter(Boolean)
  const found = `Its columns are: ${names.slice(0, 60).join(', ').slice(0, 500)}`
  const known = new Set(names.map(normalizeStaffHeader))
  const missing = mappings.find(({ column }) => !known.has(normalizeStaffHeader(column)))
  if (missing) return `there is no column "${missing.column}". ${found}`
  if (header.columns.PersonID === undefined)
    return `no column holds the PersonID (Employee ID and the like); say which one does with --map "COLUMN=PersonID". ${found}`
  if (!isStaffHeader(header)) return `no column holds the FirstName or the LastName; say which one does with --map. ${found}`
  return undefined
}
