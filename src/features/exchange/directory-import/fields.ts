/** The fields of an imported row: their meaning, and the column headers known to contain them, preferred ones first. */
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

const FIELD_NAMES = Object.keys(SCHOOL_FIELDS) as SchoolField[]

/** Headers are compared without case, spaces and underscores. */
export const normalizeHeader = (header: string): string => header.toLowerCase().replace(/[\s_\uFEFF]+/g, '')

/** A field by its own name or a known header; undefined if there is none. */
export const findField = (text: string): SchoolField | undefined => {
  const wanted = normalizeHeader(text)
  return (
    FIELD_NAMES.find((field) => normalizeHeader(field) === wanted) ??
    FIELD_NAMES.find((field) => SCHOOL_FIELDS[field].headers.some((header) => normalizeHeader(header) === wanted))
  )
}

/** The values of `--map COLUMN=FIELD`. */
export interface Mapping {
  readonly column: string
  readonly field: SchoolField
}

/** Which columns contain which field. */
export interface Header {
  readonly line: number
  readonly cells: readonly string[]
  /** Positions of each field's columns; the first non-blank one counts. */
  readonly columns: Readonly<Partial<Record<SchoolField, readonly number[]>>>
  /** The fixed number of digits of this directory's ids; defined for known directories. */
  readonly idLength: number | undefined
  readonly unused: readonly string[]
}

/** Directories whose ids have a fixed number of digits, so that leading zeros removed by a spreadsheet can be restored. */
const ID_LENGTHS: Readonly<Record<string, number>> = { ncesid: 12, cdscode: 14 }

/** Reads a header row. An explicit mapping of a field overrides all others; otherwise every known column counts, preferred ones first. */
export const parseHeader = (line: number, row: readonly string[], mappings: readonly Mapping[]): Header => {
  const cells = row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)
  const plainCells = cells.map(normalizeHeader)
  const columns: Partial<Record<SchoolField, readonly number[]>> = {}
  const mapped = new Set(mappings.map((mapping) => plainCells.indexOf(normalizeHeader(mapping.column))))
  for (const field of FIELD_NAMES) {
    const mapping = mappings.find((one) => one.field === field)
    const known = [field, ...SCHOOL_FIELDS[field].headers].map(normalizeHeader)
    const at = mapping
      ? [plainCells.indexOf(normalizeHeader(mapping.column))].filter((position) => position >= 0)
      : [...new Set(known)].map((header) => plainCells.indexOf(header)).filter((position) => position >= 0 && !mapped.has(position))
    // A file may contain the ids of two directories, which must not be mixed: only one column is the id.
    if (at.length > 0) columns[field] = field === 'directory_id' ? at.slice(0, 1) : at
  }
  const used = new Set(Object.values(columns).flat())
  const idColumn = columns.directory_id?.[0]
  return {
    line,
    cells,
    columns,
    idLength: idColumn === undefined ? undefined : ID_LENGTHS[plainCells[idColumn] ?? ''],
    unused: cells.filter((cell, position) => cell.trim() !== '' && !used.has(position)).map((cell) => cell.trim()),
  }
}

/** What is wrong with a header, in one sentence; undefined if it is valid. */
export const findHeaderError = (header: Header, mappings: readonly Mapping[], regionGiven: boolean): string | undefined => {
  const names = header.cells.map((cell) => cell.trim()).filter(Boolean)
  const found = `Its columns are: ${names.slice(0, 60).join(', ')}`
  const plainNames = new Set(names.map(normalizeHeader))
  const missing = mappings.find((mapping) => !plainNames.has(normalizeHeader(mapping.column)))
  if (missing) return `there is no column "${missing.column}". ${found}`
  for (const field of ['directory_id', 'name', 'state'] as const) {
    if (header.columns[field] || (field === 'state' && regionGiven)) continue
    const known = SCHOOL_FIELDS[field].headers.join(' or ')
    return `no column holds the ${field} (${known}); say which one does with --map "COLUMN=${field}". ${found}`
  }
  return undefined
}
