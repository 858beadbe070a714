import { createHeaderReader, type ImportHeader, type Mapping, normalizeHeader } from './import-header.ts'

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
/** Ignores case, spaces and punctuation. */
const normalizeStaffHeader = (header: string): string => normalizeHeader(header).replace(/[^\p{L}\p{N}#]/gu, '')

/** Each field is read from one column only. */
const reader = createHeaderReader<StaffField>(STAFF_FIELDS, normalizeStaffHeader, () => true)
export const { names: STAFF_FIELD_NAMES, findField: findStaffField, parse: parseStaffHeader } = reader

export type StaffHeader = ImportHeader<StaffField>

/** Whether a row has columns for the number and a name. */
export const isStaffHeader = ({ columns }: StaffHeader): boolean =>
  columns.PersonID !== undefined && (columns.FirstName !== undefined || columns.LastName !== undefined)

/** Undefined if the header is valid. */
export const findStaffHeaderError = (header: StaffHeader, mappings: readonly Mapping<StaffField>[]): string | undefined => {
  const names = header.cells.map((cell) => cell.trim()).filter(Boolean)
  const found = `Its columns are: ${names.slice(0, 60).join(', ').slice(0, 500)}`
  const missing = reader.findMissingColumn(header, mappings)
  if (missing !== undefined) return `there is no column "${missing}". ${found}`
  if (header.columns.PersonID === undefined)
    return `no column holds the PersonID (Employee ID and the like); say which one does with --map "COLUMN=PersonID". ${found}`
  if (!isStaffHeader(header)) return `no column holds the FirstName or the LastName; say which one does with --map. ${found}`
  return undefined
}
