import { createHeaderReader, type ImportHeader, type Mapping, normalizeHeader } from './import-header.ts'

export const SCHOOL_FIELDS = {
  directory_id: { means: "the directory's own id of the school (required)", headers: ['NCES_ID', 'CDSCode'] },
  name: { means: 'the name of the school (required)', headers: ['SCHOOL_NAME', 'School'] },
  status: { means: 'Open, New, Active, Pending, Closed and the like; ACTIVE where there is none', headers: ['STATUS', 'StatusType'] },
  address_1: { means: 'street and number', headers: ['STREET', 'StreetAbr'] },
  address_2: { means: 'a second line of the address', headers: [] },
  city: { means: 'city', headers: ['CITY'] },
  state: { means: 'state; it gives the region (required, unless --region names one)', headers: ['STATE'] },
  zip: { means: 'ZIP code', headers: ['ZIP'] },
  phone: { means: 'phone number', headers: ['PHONE'] },
  extension: { means: 'extension of the phone number', headers: ['Ext'] },
  fax: { means: 'fax number', headers: ['FaxNumber'] },
  website: { means: 'web address of the charter', headers: ['WebSite', 'charterWebsite'] },
  county: { means: 'county', headers: ['COUNTY'] },
  grades: { means: 'grade levels', headers: ['GRADES', 'GSoffered', 'GSserved', 'charter_grade_levels'] },
  charter_number: { means: "the charter's number", headers: ['CharterNum'] },
  latitude: { means: 'degrees north', headers: ['LATITUDE'] },
  longitude: { means: 'degrees east', headers: ['LONGITUDE'] },
  charter: { means: 'Y or N; where a file has it, only rows with Y are taken', headers: ['Charter'] },
} as const satisfies Record<string, { means: string; headers: readonly string[] }>

export type SchoolField = keyof typeof SCHOOL_FIELDS

/** A file may contain the ids of two directories, which must not be mixed: only one column is the id. */
const reader = createHeaderReader<SchoolField>(SCHOOL_FIELDS, normalizeHeader, (field) => field === 'directory_id')
export const { names: SCHOOL_FIELD_NAMES, findField } = reader

export interface Header extends ImportHeader<SchoolField> {
  /** The fixed number of digits of this directory's ids; defined for known directories. */
  readonly idLength: number | undefined
}

/** Directories whose ids have a fixed number of digits, so that leading zeros removed by a spreadsheet can be restored. */
const ID_LENGTHS: Readonly<Record<string, number>> = { ncesid: 12, cdscode: 14 }

export const parseHeader = (line: number, row: readonly string[], mappings: readonly Mapping<SchoolField>[]): Header => {
  const header = reader.parse(line, row, mappings)
  const idColumn = header.columns.directory_id?.[0]
  return { ...header, idLength: idColumn === undefined ? undefined : ID_LENGTHS[normalizeHeader(header.cells[idColumn] ?? '')] }
}

/** What is wrong with a header, in one sentence; undefined if it is valid. */
export const findHeaderError = (header: Header, mappings: readonly Mapping<SchoolField>[], regionGiven: boolean): string | undefined => {
  const names = header.cells.map((cell) => cell.trim()).filter(Boolean)
  const found = `Its columns are: ${names.slice(0, 60).join(', ')}`
  const missing = reader.findMissingColumn(header, mappings)
  if (missing !== undefined) return `there is no column "${missing}". ${found}`
  for (const field of ['directory_id', 'name', 'state'] as const) {
    if (header.columns[field] || (field === 'state' && regionGiven)) continue
    const known = SCHOOL_FIELDS[field].headers.join(' or ')
    return `no column holds the ${field} (${known}); say which one does with --map "COLUMN=${field}". ${found}`
  }
  return undefined
}
