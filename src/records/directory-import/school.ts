import { readGrades } from '../../contract/grades.ts'
import { readZip } from '../../contract/import-values.ts'
import { EXTENSION_PATTERN, FAX_PATTERN, NOT_A_NUMBER, readPhone, toFaxDigits } from '../../contract/phones.ts'
import { STATUS_LABELS, STATUSES, type Status } from '../../contract/status.ts'
import { cleanLine } from '../../contract/text-cleaning.ts'
import { findCellProblem } from './cell-problems.ts'
import type { SchoolField, Header } from './school-fields.ts'

/** A row of a public school directory, which becomes a charter and its site. Empty cells are null. */
export interface School {
  readonly directory_id: string
  readonly name: string
  readonly status: Status | null
  readonly region: string
  readonly address_1: string | null
  readonly address_2: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
  /** Without the extension, because a charter's contact number has at most 12 characters. */
  readonly contactNumber: string | null
  readonly phone: string | null
  readonly fax: string | null
  readonly website: string | null
  readonly county: string | null
  readonly grades: string | null
  readonly charter_number: string | null
  readonly latitude: number | null
  readonly longitude: number | null
}

/** A row is a school, is skipped because it is not a charter, or is refused with all reasons. */
export type ParsedRow =
  | { readonly is: 'school'; readonly school: School }
  | { readonly is: 'left out' }
  | { readonly is: 'refused'; readonly id: string; readonly reasons: readonly string[] }

/** The five states of the network, and the region of each. */
export const STATES_BY_NAME: Readonly<Record<string, { state: string; region: string }>> = Object.fromEntries(
  [
    ['CA', 'California'],
    ['MI', 'Michigan'],
    ['OH', 'Ohio'],
    ['SC', 'South Carolina'],
    ['TX', 'Texas'],
  ].flatMap(([state = '', region = '']) => [
    [state.toLowerCase(), { state, region }],
    [region.toLowerCase(), { state, region }],
  ]),
)

const toEntries = (status: Status, ...words: string[]): [string, Status][] => words.map((word) => [word, status])

/** The status words of public directories, and our own values and labels. */
const STATUS_WORDS: ReadonlyMap<string, Status> = new Map([
  ...toEntries('ACTIVE', 'open', 'new', 'active', 'added', 'reopened', 'operational', 'operating', 'open/operational', 'yes', 'y'),
  ...toEntries('ACTIVE', 'changed boundary', 'changed agency', 'changed boundary/agency'),
  ...toEntries('ACTIVE - TEMPORARY', 'temporary', 'temporarily open'),
  ...toEntries('PENDING', 'pending', 'under construction', 'future', 'planned', 'approved', 'proposed', 'opening soon', 'coming soon'),
  ...toEntries('CLOSED - PERMANENTLY', 'closed', 'merged', 'inactive', 'revoked', 'terminated', 'withdrawn', 'dissolved', 'no', 'n'),
  ...toEntries('CLOSED - TEMPORARILY', 'temporarily closed', 'closed temporarily', 'suspended', 'on hold'),
  ...STATUSES.flatMap((status) => toEntries(status, status.toLowerCase(), STATUS_LABELS[status].toLowerCase())),
])

/** The status that a word means; not sure if it only begins with a known word. */
export const readStatus = (text: string): { readonly status: Status | undefined; readonly isSure: boolean } => {
  const word = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const status = STATUS_WORDS.get(word)
  if (status !== undefined) return { status, isSure: true }
  const [first = ''] = word.split(/[\s/,;:(–-]+/)
  return { status: first.length < 3 ? undefined : STATUS_WORDS.get(first), isSure: false }
}

/** Limited by the size of database index entries. */
const MAX_LENGTHS = { name: 500, directory_id: 100 } as const
const SPREADSHEET_NUMBER = /^\d(\.\d+)?E\+?\d+$/i
const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(E[-+]?\d+)?$/i

const blankToNull = (value: string): string | null => (value === '' ? null : value)

/** Whether a place can be in one of the five states; a lost minus sign, exchanged degrees and 0 for an unknown place are not. */
export const isInStates = (latitude: number, longitude: number): boolean =>
  latitude > 24 && latitude < 50 && longitude > -126 && longitude < -66

/** A cell as one line, with line breaks replaced by spaces. */
const toLine = (cell = ''): string => cleanLine(cell.replace(/[\r\n\t]+/g, ' '))

/** Parses a row according to docs/users/importing.md. `region` is for rows whose state is not one of the five. */
export const parseSchoolRow = (cells: readonly string[], header: Header, region?: string): ParsedRow => {
  const reasons: string[] = []
  const value = (field: SchoolField): string => {
    for (const position of header.columns[field] ?? []) {
      const text = toLine(cells[position])
      if (text !== '' && text.toLowerCase() !== 'no data') return text
    }
    return ''
  }
  const degrees = (field: 'latitude' | 'longitude', max: number): number | null => {
    const text = value(field)
    if (text === '') return null
    const number = NUMBER.test(text) ? Number(text) : Number.NaN
    if (Number.isNaN(number)) reasons.push(`The ${field} is not a number: ${text}`)
    else if (Math.abs(number) > max) reasons.push(`The ${field} is not between -${max} and ${max}: ${text}`)
    else return number
    return null
  }

  if (cells.length < header.cells.length || cells.slice(header.cells.length).some((cell) => cell.trim() !== '')) {
    reasons.push(`The row has ${cells.length} columns, the header has ${header.cells.length}`)
    return { is: 'refused', id: value('directory_id'), reasons }
  }
  if (header.columns.charter && !/^(y|yes|true)$/i.test(value('charter'))) return { is: 'left out' }

  for (const position of Object.values(header.columns).flat()) {
    const text = (cells[position] ?? '').trim()
    const problem = findCellProblem(text, toLine(text))
    if (problem !== undefined) reasons.push(`${header.cells[position]} ${problem}`)
  }

  let id = value('directory_id')
  if (id === '') reasons.push('There is no directory id')
  else if (SPREADSHEET_NUMBER.test(id)) reasons.push(`A spreadsheet turned the directory id into a number: ${id}`)
  else if (id.length > MAX_LENGTHS.directory_id) reasons.push(`The directory id has more than ${MAX_LENGTHS.directory_id} characters`)
  else if (header.idLength !== undefined && /^\d+$/.test(id) && id.length === header.idLength - 1) id = `0${id}`

  const name = value('name')
  if (name === '') reasons.push('There is no name')
  else if (name.length > MAX_LENGTHS.name) reasons.push(`The name has more than ${MAX_LENGTHS.name} characters`)

  const statusText = value('status')
  const { status: read, isSure } = readStatus(statusText)
  const status = isSure ? read : undefined
  if (statusText !== '' && status === undefined) reasons.push(`The status is not known: ${statusText}`)

  const stateText = value('state')
  const known = STATES_BY_NAME[stateText.toLowerCase()]
  const regionName = known?.region ?? region
  if (regionName === undefined) {
    reasons.push(
      stateText === '' ? 'There is no state' : `The state is none of CA, MI, OH, SC, TX: ${stateText} (--region names a region for it)`,
    )
  }

  const latitude = degrees('latitude', 90)
  const longitude = degrees('longitude', 180)
  if (known && latitude !== null && longitude !== null && !isInStates(latitude, longitude))
    reasons.push(`The latitude and longitude are not in ${known.region}: ${latitude}, ${longitude}`)

  const given = readPhone(value('phone'))
  const number = given?.number ?? blankToNull(value('phone'))
  const extension = value('extension').replace(/^(x|ext\.?)\s*/i, '') || given?.extension
  const phone = number !== null && extension !== undefined ? `${number} x${extension}` : number
  const fax = blankToNull(toFaxDigits(value('fax')))
  if (phone !== null && !EXTENSION_PATTERN.test(phone)) reasons.push(`The phone ${NOT_A_NUMBER}: ${phone}`)
  if (fax !== null && !FAX_PATTERN.test(fax)) reasons.push(`The fax ${NOT_A_NUMBER}: ${fax}`)
  if (reasons.length > 0 || regionName === undefined) return { is: 'refused', id, reasons }
  return {
    is: 'school',
    school: {
      directory_id: id,
      name,
      status: status ?? null,
      region: regionName,
      address_1: blankToNull(value('address_1')),
      address_2: blankToNull(value('address_2')),
      city: blankToNull(value('city')),
      state: known?.state ?? blankToNull(stateText),
      zip: blankToNull(readZip(value('zip')) ?? value('zip')),
      contactNumber: number,
      phone,
      fax,
      website: blankToNull(value('website')),
      county: blankToNull(value('county')),
      grades: blankToNull(readGrades(value('grades'))),
      charter_number: blankToNull(value('charter_number')),
      latitude,
      longitude,
    },
  }
}

/** The prefix of the actor that the change history shows for an import. */
const IMPORT_ACTOR_PREFIX = 'Import of '
export const getImportActor = (fileName: string): string => `${IMPORT_ACTOR_PREFIX}${fileName}`
export const isImportActor = (account: string | null, name: string | null): boolean =>
  account === null && name?.startsWith(IMPORT_ACTOR_PREFIX) === true
