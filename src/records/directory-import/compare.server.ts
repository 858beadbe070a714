import { randomUUID } from 'node:crypto'

import { findStateOfZip, type ImportValue, readImportedCell, readPersonName, toCellLine } from '../../contract/import-values.ts'
import { normalizeText } from '../../contract/text-match.ts'
import { formatArchived } from '../../database/archived-records.server.ts'
import type { Queryable } from '../../database/connection.server.ts'
import type { CellWrite, ComparedImport, ImportedCell, ImportedRow, ImportedTable, ImportMapping } from '../../platform/server/importer.ts'
import { NEW_RECORD } from '../../platform/server/importer.ts'
import { createTimeSlices } from '../../platform/server/time-slices.ts'
import { toColumnLetters } from '../../platform/server/workbook-reader.ts'
import { findCellProblem } from './cell-problems.ts'
import { type ImportField, type ImportKind, IMPORT_KINDS, PART_TARGETS } from './import-kinds.ts'
import { findLastAuthors } from './queries.server.ts'
import { isInStates, STATES_BY_NAME } from './school.ts'
import { type Stored, type StoredRecord, readStored } from './stored.server.ts'

/** The tables that rows of each kind become records of, the first of which gives the row its name. */
const TABLES: Readonly<Record<ImportKind, readonly string[]>> = {
  charters: ['charter', 'site', 'facility'],
  sites: ['site', 'facility'],
  staff: ['person', 'hr_person'],
  sis_sites: ['sis_site'],
}

/** A read cell: its parts, and the column of the file. */
interface ReadField {
  readonly key: string
  readonly field: ImportField
  readonly at: number
  readonly text: string
  readonly parts: Record<string, ImportValue>
  readonly writes: CellWrite[]
  message: string | undefined
  /** Shown instead of the parts, for a word that stands for a record. */
  readonly label?: string
  readonly creates?: ImportedCell['creates']
}

type Columns = readonly (readonly [key: string, field: ImportField, at: number])[]

interface Comparing {
  readonly kind: ImportKind
  readonly columns: Columns
  readonly mapping: ImportMapping
  readonly corrections: ReadonlyMap<string, string>
  readonly stored: Stored
  /** New records that words stand for, by table and name. */
  readonly created: Map<string, string>
  /** The lines of the records that earlier rows are about. */
  readonly lines: Map<string, number>
  readonly idLength: number | undefined
  readonly tables: readonly string[]
}

type FileRow = ImportedTable['rows'][number]

const readWord = (
  { mapping, created, stored }: Comparing,
  key: string,
  field: ImportField,
  text: string,
): Pick<ReadField, 'parts' | 'label' | 'creates'> | { message: string } => {
  const words = mapping.values[key] ?? {}
  const target = Object.hasOwn(words, text) ? words[text] : undefined
  if (target === undefined) return { message: 'Choose what this word becomes' }
  if (target === null) return { parts: {} }
  if (target !== NEW_RECORD) return { parts: { [key]: target }, label: stored.names.get(target) ?? target }
  const name = `${field.words} ${normalizeText(text)}`
  const _id = created.get(name) ?? randomUUID()
  created.set(name, _id)
  return { parts: { [key]: _id }, label: text, creates: { table: field.words === 'brand' ? 'brand' : 'charter', _id, name: text } }
}

const readField = (comparing: Comparing, row: FileRow, [key, field, at]: Columns[number]): ReadField | undefined => {
  const address = `${toColumnLetters(at)}${row.line}`
  const raw = comparing.corrections.get(address) ?? row.cells[at] ?? ''
  const text = toCellLine(raw)
  const facts = { key, field, at, text, writes: [] }
  const problem = findCellProblem(raw.trim(), text)
  if (problem !== undefined) return { ...facts, parts: {}, message: `This cell ${problem}` }
  if (text === '') return field.isRequired ? { ...facts, parts: {}, message: 'This is needed. Without it the row is left out.' } : undefined
  if (field.words !== undefined) {
    const read = readWord(comparing, key, field, text)
    if ('message' in read) return { ...facts, parts: {}, message: read.message }
    const message = field.isRequired && Object.keys(read.parts).length === 0 ? 'This is needed. Without it the row is left out.' : undefined
    return { ...facts, ...read, parts: { ...read.parts }, message }
  }
  const read = readImportedCell(field.type, raw, key)
  return 'message' in read ? { ...facts, parts: {}, message: read.message } : { ...facts, parts: { ...read.parts }, message: undefined }
}

const padId = (value: ImportValue, length: number | undefined): ImportValue =>
  length !== undefined && typeof value === 'string' && /^\d+$/.test(value) && value.length === length - 1 ? `0${value}` : value

const withoutExtension = (phone: ImportValue): ImportValue => (typeof phone === 'string' ? phone.replace(/ x\d+$/, '') : phone)

const REGIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(STATES_BY_NAME).map(({ state, region }) => [state, region]),
)

/** Adds to each cell what it writes: most parts are columns of a record, some belong together with those of other cells. */
const addWrites = (comparing: Comparing, read: ReadonlyMap<string, ReadField>): void => {
  const { kind, stored, tables, idLength } = comparing
  const extension = read.get('phone_extension')?.parts['phone_extension']
  for (const one of read.values()) {
    const { key, field, parts, writes } = one
    for (const [part, given] of Object.entries(parts)) {
      const targets = part === key ? field.to : kind === 'staff' ? [] : (PART_TARGETS[part] ?? [])
      let value = field.type === 'id' ? padId(given, idLength) : given
      if (part === 'phone' && extension !== undefined && typeof value === 'string' && !value.includes(' x'))
        value = `${value} x${String(extension)}`
      for (const target of targets) {
        const [table = '', column = ''] = target.split('.')
        if (table !== 'site_person' && !tables.includes(table)) continue
        const own =
          column === 'charterContactnumber' ? withoutExtension(value) : table === 'hr_person' && column === 'Title' ? one.text : value
        writes.push({ table, column, value: own })
      }
    }
    if (kind === 'staff' && key === 'Title' && Object.keys(parts).length === 0 && one.message === undefined)
      writes.push({ table: 'hr_person', column: 'Title', value: one.text })
  }
  if (tables.includes('site')) addRegion(stored, read)
  addGrades(read)
  if (kind === 'staff') addPersonName(read)
}

/** The region of a site from its state, and the state from a ZIP code where the file has none. */
const addRegion = (stored: Stored, read: ReadonlyMap<string, ReadField>): void => {
  const cells = [...read.values()]
  const place = cells.find(({ parts }) => typeof parts['state'] === 'string') ?? cells.find(({ parts }) => typeof parts['zip'] === 'string')
  if (!place) return
  const given = place.parts['state']
  const state = typeof given === 'string' ? given : findStateOfZip(String(place.parts['zip']))
  if (state === undefined) return
  if (typeof given !== 'string') place.writes.push({ table: 'site', column: 'state', value: state })
  const region = stored.regions.get(REGIONS[state] ?? '')
  if (region !== undefined && !read.get('region')?.parts['region']) place.writes.push({ table: 'site', column: 'region', value: region })
  const [latitude, longitude] = [read.get('latitude'), read.get('longitude')]
  const degrees = [latitude?.parts['latitude'], longitude?.parts['longitude']]
  if (
    REGIONS[state] === undefined ||
    typeof degrees[0] !== 'number' ||
    typeof degrees[1] !== 'number' ||
    isInStates(degrees[0], degrees[1])
  )
    return
  for (const one of [latitude, longitude]) if (one) one.message = `This place is not in ${REGIONS[state]}`
}

/** Two columns with the lowest and the highest grade are the grade levels. */
const addGrades = (read: ReadonlyMap<string, ReadField>): void => {
  const [low, high] = [read.get('grade_low'), read.get('grade_high')]
  const first = low ?? high
  if (!first || read.has('grades')) return
  const value = [...new Set([low?.text, high?.text].filter(Boolean))].join('-')
  first.writes.push({ table: 'charter', column: 'charter_grade_levels', value })
}

/** The name of a person, from one column or two. */
const addPersonName = (read: ReadonlyMap<string, ReadField>): void => {
  const whole = read.get('full_name')
  const [first, last] = [read.get('FirstName'), read.get('LastName')]
  const cell = whole ?? last ?? first
  if (!cell || cell.message !== undefined) return
  // Of a name in two columns, each may be written in capitals.
  const written = whole ? undefined : readPersonName(`${last?.text ?? ''}, ${first?.text ?? ''}`)
  const parts = whole
    ? whole.parts
    : last?.text && first?.text
      ? { FirstName: written?.first ?? first.text, LastName: written?.last ?? last.text }
      : { FirstName: first?.text ?? null, LastName: last?.text ?? null }
  const name = [parts['FirstName'], parts['LastName']].filter(Boolean).join(' ')
  cell.writes.unshift({ table: 'person', column: 'name', value: name })
  for (const column of ['FirstName', 'LastName'] as const) {
    const own = cell.writes.findIndex((write) => write.table === 'hr_person' && write.column === column)
    if (own !== -1) cell.writes.splice(own, 1)
    const holder = (column === 'FirstName' ? first : last) ?? cell
    const at = holder.writes.findIndex((write) => write.column === column)
    if (at !== -1) holder.writes.splice(at, 1)
    if (parts[column]) holder.writes.push({ table: 'hr_person', column, value: parts[column] })
  }
}

const valueOf = (read: Iterable<ReadField>, table: string, column: string): string | undefined => {
  for (const { writes, message } of read) {
    if (message !== undefined) continue
    const found = writes.find((write) => write.table === table && write.column === column)
    if (typeof found?.value === 'string') return found.value
  }
  return undefined
}

/** The stored records that a row is about, by table. */
const findRecords = ({ kind, stored }: Comparing, read: readonly ReadField[]): Map<string, StoredRecord | undefined> => {
  const get = (table: string, column: string) => valueOf(read, table, column)
  const records = new Map<string, StoredRecord | undefined>()
  if (kind === 'charters') {
    const charter = stored.findCharter(get('charter', 'directory_id'), get('charter', 'name') ?? '')
    records.set('charter', charter)
    records.set('site', stored.findSite(get('site', 'directory_id'), get('site', 'displayName') ?? '', { charter: charter?._id ?? '' }))
  } else if (kind === 'sites')
    records.set(
      'site',
      stored.findSite(get('site', 'directory_id'), get('site', 'displayName') ?? '', {
        finance: get('site', 'finance_id'),
        address: get('site', 'address_1'),
      }),
    )
  else if (kind === 'sis_sites')
    records.set('sis_site', stored.findSisSite(get('sis_site', 'siteId'), get('sis_site', 'name') ?? '', get('sis_site', 'site') ?? ''))
  else {
    records.set('person', stored.findPerson(get('person', 'sql_person_id'), get('person', 'email'), get('person', 'name') ?? ''))
    const number = get('hr_person', 'PersonID')
    if (number !== undefined) records.set('hr_person', stored.findEmployee(number))
  }
  if (records.has('site')) {
    const site = records.get('site')
    records.set('facility', site && stored.findFacility(site._id))
  }
  return records
}

/** What two rows of a file must not share. */
const toIdentity = ({ kind }: Comparing, read: readonly ReadField[], line: number): string => {
  const get = (table: string, column: string) => valueOf(read, table, column)
  const fold = (...texts: (string | undefined)[]) => texts.map((text) => normalizeText(text ?? '')).join(' | ')
  switch (kind) {
    case 'charters':
      return get('charter', 'directory_id') ?? fold(get('charter', 'name'), get('site', 'address_1'), get('site', 'city'))
    case 'sites':
      return get('site', 'directory_id') ?? fold(get('site', 'displayName'), get('site', 'address_1'), get('site', 'finance_id'))
    case 'sis_sites':
      return fold(get('sis_site', 'name'), get('sis_site', 'site'), get('sis_site', 'siteId'))
    case 'staff':
      return get('person', 'sql_person_id') ?? get('person', 'email')?.toLowerCase() ?? `row ${line}`
  }
}

const show = ({ parts, text, label, field, writes }: ReadField): string => {
  if (label !== undefined) return label
  if (field.type === 'person') return String(writes.find(({ column }) => column === 'name')?.value ?? text)
  const shown = Object.values(parts).map((part) => (part === true ? 'Yes' : part === false ? 'No' : part))
  return shown.length === 0 || field.type === 'id' ? String(writes[0]?.value ?? text) : shown.filter((part) => part !== null).join(', ')
}

/** The rule that two people must not share a value. */
const UNIQUE = [
  ['email', 'email address'],
  ['sql_person_id', 'employee number'],
] as const

const noteTaken = ({ stored, lines }: Comparing, read: readonly ReadField[], person: StoredRecord | undefined, line: number): void => {
  for (const [column, noun] of UNIQUE)
    for (const one of read) {
      const value = one.writes.find((write) => write.table === 'person' && write.column === column)?.value
      if (typeof value !== 'string' || one.message !== undefined) continue
      const owner = column === 'email' ? stored.findPerson(undefined, value, '') : stored.findPerson(value, undefined, '')
      const key = `${column} ${value.toLowerCase()}`
      const earlier = lines.get(key)
      if (owner && owner._id !== person?._id) one.message = `${stored.names.get(owner._id) ?? 'Another person'} has this ${noun}`
      else if (earlier !== undefined && earlier !== line) one.message = `Row ${earlier} has this ${noun}, too`
      else lines.set(key, line)
    }
}

const toRow = (comparing: Comparing, row: FileRow): { readonly row: ImportedRow; readonly isKnown: boolean } | undefined => {
  const { columns, tables, stored, lines, kind } = comparing
  const fields = columns.flatMap((column) => readField(comparing, row, column) ?? [])
  const byKey = new Map(fields.map((one) => [one.key, one]))
  const flag = byKey.get('charter')
  if (kind === 'charters' && flag?.field.type === 'yes' && flag.parts['charter'] !== true) return undefined
  addWrites(comparing, byKey)
  if (kind === 'staff' && !fields.some(({ writes }) => writes.some(({ table, column }) => table === 'person' && column === 'name')))
    for (const one of fields) one.message ??= 'The row has no name. It is left out.'
  const found = findRecords(comparing, fields)
  const [main = ''] = tables
  const record = found.get(main)
  const records = new Map([...found].map(([table, known]) => [table, { _id: known?._id ?? randomUUID(), isNew: known === undefined }]))
  const site = records.get('site')
  // A facility has the key of its site, and is there as soon as the site is.
  if (site) records.set('facility', { _id: site._id, isNew: false })
  const number = valueOf(fields, 'hr_person', 'PersonID')
  if (number !== undefined && records.has('hr_person')) records.set('hr_person', { _id: number, isNew: !found.get('hr_person') })
  const identity = record?._id ?? toIdentity(comparing, fields, row.line)
  const first = lines.get(identity)
  const problem =
    first !== undefined
      ? `Row ${first} is about the same ${main === 'sis_site' ? 'SIS site' : main}. This row is left out.`
      : record?.isArchived
        ? `${formatArchived(main as 'charter')}. Restore it first.`
        : record?.hasLeft
          ? 'This person no longer works here. Restore them first.'
          : undefined
  lines.set(identity, first ?? row.line)
  if (problem !== undefined) for (const one of fields) if (one.field.isRequired || fields.indexOf(one) === 0) one.message = problem
  if (main === 'person' && problem === undefined) noteTaken(comparing, fields, record, row.line)
  const isLinked = stored.hasRole(record?._id, valueOf(fields, 'site_person', 'site'), valueOf(fields, 'site_person', 'role'))
  const cells = fields.flatMap((one): ImportedCell[] => {
    const column = { letters: toColumnLetters(one.at), path: one.key, label: one.field.label }
    const facts = {
      column,
      isRequired:
        problem !== undefined ||
        one.field.isRequired === true ||
        one.writes.some((write) => write.table === 'person' && write.column === 'name'),
      author: null,
    }
    if (one.message !== undefined)
      return [{ ...facts, before: null, after: one.text, present: null, state: 'error', message: one.message, writes: [] }]
    const writes = one.writes.filter(({ table, column: name, value }) => {
      if (table === 'site_person') return isLinked === false
      return records.get(table)?.isNew === true || !isSame(found.get(table)?.values[name], value)
    })
    if (writes.length === 0) return []
    const [{ table, column: name } = { table: '', column: '' }] = writes
    const before = found.get(table)?.values[name] ?? null
    const shownBefore = typeof before === 'string' ? (stored.names.get(before) ?? before) : showValue(before)
    return [
      {
        ...facts,
        before: shownBefore,
        after: show(one),
        present: shownBefore,
        state: record ? 'change' : 'new',
        message: null,
        writes,
        ...(one.creates ? { creates: one.creates } : {}),
      },
    ]
  })
  const name = valueOf(fields, main, NAME_COLUMNS[main] ?? 'name') ?? (record ? (stored.names.get(record._id) ?? null) : null)
  return { row: { line: row.line, record: record?._id ?? null, name, cells, records }, isKnown: record !== undefined }
}
const showValue = (value: unknown): string | null =>
  value === true ? 'Yes' : value === false ? 'No' : typeof value === 'number' ? String(value) : null
const NAME_COLUMNS: Readonly<Record<string, string>> = { site: 'displayName' }

const isSame = (stored: unknown, value: unknown): boolean =>
  (stored ?? null) === (value ?? null) || (typeof stored === 'number' && typeof value === 'number' && Math.abs(stored - value) < 1e-9)

/** Cells of stored records whose value a person saved last, after the last import: they are conflicts. */
const noteConflicts = async (db: Queryable, rows: readonly ImportedRow[]): Promise<void> => {
  const asked = rows.flatMap(({ cells, records }) =>
    cells.flatMap((cell) =>
      cell.state !== 'change'
        ? []
        : cell.writes.flatMap(({ table, column }) => {
            const record = records.get(table)
            return record && !record.isNew && table !== 'hr_person' ? [{ cell, table, record: record._id, column }] : []
          }),
    ),
  )
  for (const [n, author] of await findLastAuthors(db, asked)) {
    const cell = asked[n]?.cell
    if (!cell) continue
    cell.state = 'conflict'
    cell.author = author
  }
}

/** The number of digits of the codes of a directory, if most of a column have it: spreadsheets remove their first zero. */
const findIdLength = (columns: Columns, rows: readonly FileRow[]): number | undefined => {
  const at = columns.find(([, { type }]) => type === 'id')?.[2]
  if (at === undefined) return undefined
  const lengths = rows.slice(0, 2000).map(({ cells }) => (cells[at] ?? '').replaceAll(/\D/g, '').length)
  const share = (length: number) => lengths.filter((one) => one === length || one === length - 1).length / lengths.length
  return [14, 12].find((length) => share(length) > 0.6)
}

/** What the rows of a file change, cell by cell, compared with what is stored. */
export const compareImport = async (
  db: Queryable,
  kind: ImportKind,
  table: ImportedTable,
  mapping: ImportMapping,
  corrections: ReadonlyMap<string, string>,
): Promise<ComparedImport> => {
  const fields = IMPORT_KINDS[kind]
  const columns: Columns = Object.entries(mapping.columns).flatMap(([at, key]) => {
    const field = key === null ? undefined : fields[key]
    return field && key !== null ? [[key, field, Number(at)] as const] : []
  })
  const hasPlace = columns.some(([, { type, to }]) => ['street', 'address', 'place', 'zip'].includes(type) || to.includes('site.city'))
  const tables = kind === 'charters' && !hasPlace ? ['charter'] : TABLES[kind]
  const comparing: Comparing = {
    kind,
    columns,
    mapping,
    corrections,
    stored: await readStored(db, kind),
    created: new Map(),
    lines: new Map(),
    idLength: findIdLength(columns, table.rows),
    tables,
  }
  const rest = createTimeSlices()
  const rows: ImportedRow[] = []
  let [known, added, leftOut] = [0, 0, 0]
  for (const fileRow of table.rows) {
    await rest()
    const read = toRow(comparing, fileRow)
    if (!read) leftOut++
    else {
      if (read.isKnown) known++
      else added++
      if (read.row.cells.length > 0) rows.push(dropTables(read.row, tables))
    }
  }
  await noteConflicts(db, rows)
  return {
    rows,
    known,
    unchanged: known - rows.filter(({ record }) => record !== null).length,
    added,
    notes: [
      ...(table.skipped.length > 0
        ? [`${table.skipped.length} rows are no records, such as titles and totals: ${table.skipped.slice(0, 10).join(', ')}`]
        : []),
      ...(leftOut > 0 ? [`${leftOut} rows are not charters and are left out`] : []),
    ],
  }
}

const dropTables = (row: ImportedRow, tables: readonly string[]): ImportedRow => ({
  ...row,
  records: new Map([...row.records].filter(([table]) => tables.includes(table))),
})
