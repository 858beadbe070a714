import { randomUUID } from 'node:crypto'

import { findStateOfZip, type ImportValue, readImportedCell, readPersonName, toCellLine } from '../../contract/import-values.ts'
import { normalizeText } from '../../contract/text-match.ts'
import { type CellWrite, type ImportedCell, type ImportedTable, type ImportMapping, NEW_RECORD } from '../../platform/server/importer.ts'
import { toColumnLetters } from '../../platform/server/workbook-reader.ts'
import { findCellProblem } from './cell-problems.ts'
import { type ImportField, PART_TARGETS } from './import-fields.ts'
import type { ImportKind } from './import-kinds.ts'
import { isInStates, REGION_OF_STATE } from './states.ts'
import type { Stored } from './stored.server.ts'

/** A read cell: its parts, and the column of the file. */
export interface ReadField {
  readonly key: string
  readonly field: ImportField
  readonly at: number
  readonly text: string
  readonly parts: Record<string, ImportValue>
  readonly writes: CellWrite[]
  message: string | undefined
  /** Whether its row is left out with it. */
  isNeeded?: boolean
  /** Shown instead of the parts, for a word that stands for a record. */
  readonly label?: string
  readonly creates?: ImportedCell['creates']
}

export type Columns = readonly (readonly [key: string, field: ImportField, at: number])[]

export interface Comparing {
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
  /** The region of rows whose state has none; such rows are left out if it is null. */
  readonly region: string | null | undefined
  /** The rows of each employee number. */
  readonly repeated: ReadonlyMap<string, readonly number[]>
  readonly repeatedNames: ReadonlySet<string>
  /** Whether a column says which rows are charters. */
  readonly hasFlag: boolean
}

export type FileRow = ImportedTable['rows'][number]

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

const NEEDED = 'This is needed. Without it the row is left out.'

export const readField = (comparing: Comparing, row: FileRow, [key, field, at]: Columns[number]): ReadField | undefined => {
  const { kind } = comparing
  const address = `${toColumnLetters(at)}${row.line}`
  const raw = comparing.corrections.get(address) ?? row.cells[at] ?? ''
  const text = toCellLine(raw)
  const facts = { key, field, at, text, writes: [] }
  const problem = findCellProblem(raw.trim(), text)
  if (problem !== undefined) return { ...facts, parts: {}, message: `This cell ${problem}` }
  if (text === '') {
    if (field.isRequired) return { ...facts, parts: {}, message: NEEDED }
    // The file of employees is the source of all that is known of them.
    return kind === 'employees' ? { ...facts, parts: { [key]: null }, message: undefined } : undefined
  }
  if (field.words !== undefined) {
    const read = readWord(comparing, key, field, text)
    if ('message' in read) return { ...facts, parts: {}, message: read.message }
    const message = field.isRequired && Object.keys(read.parts).length === 0 ? NEEDED : undefined
    return { ...facts, ...read, parts: { ...read.parts }, message }
  }
  const read = readImportedCell(field.type, raw, key)
  if ('message' in read && kind === 'employees' && field.type === 'email') return { ...facts, parts: { [key]: null }, message: undefined }
  return 'message' in read ? { ...facts, parts: {}, message: read.message } : { ...facts, parts: { ...read.parts }, message: undefined }
}

const padId = (value: ImportValue, length: number | undefined): ImportValue =>
  length !== undefined && typeof value === 'string' && /^\d+$/.test(value) && value.length === length - 1 ? `0${value}` : value

const withoutExtension = (phone: ImportValue): ImportValue => (typeof phone === 'string' ? phone.replace(/ x\d+$/, '') : phone)

/** Adds to each cell what it writes: most parts are columns of a record, some belong together with those of other cells. */
export const addWrites = (comparing: Comparing, read: ReadonlyMap<string, ReadField>): void => {
  const { kind, tables, idLength } = comparing
  const extension = read.get('extension')?.parts['extension']
  for (const one of read.values()) {
    const { key, field, parts, writes } = one
    for (const [part, given] of Object.entries(parts)) {
      const targets = part === key ? field.to : kind === 'staff' || kind === 'employees' ? [] : (PART_TARGETS[part] ?? [])
      let value = field.type === 'id' ? padId(given, idLength) : given
      if (part === 'phone' && extension !== undefined && typeof value === 'string' && !value.includes(' x'))
        value = `${value} x${String(extension)}`
      for (const target of targets) {
        const [table = '', column = ''] = target.split('.')
        if (table !== 'site_person' && !tables.includes(table)) continue
        const own =
          column === 'charterContactnumber'
            ? withoutExtension(value)
            : kind === 'staff' && table === 'hr_person' && column === 'Title'
              ? one.text
              : value
        writes.push({ table, column, value: own })
      }
    }
    if (kind === 'staff' && key === 'Title' && Object.keys(parts).length === 0 && one.message === undefined)
      writes.push({ table: 'hr_person', column: 'Title', value: one.text })
  }
  if (tables.includes('site')) {
    addRegion(comparing, read)
    addPrincipal(read, comparing.stored.principal)
  }
  addGrades(read)
  if (kind === 'staff') addPersonName(read)
  if (kind === 'employees') addEmployeeName(read.get('full_name'))
}

/** The region of a site from its state, and the state from a ZIP code where the file has none. */
const addRegion = ({ stored, region: given }: Comparing, read: ReadonlyMap<string, ReadField>): void => {
  const cells = [...read.values()]
  const place = cells.find(({ parts }) => typeof parts['state'] === 'string') ?? cells.find(({ parts }) => typeof parts['zip'] === 'string')
  const written = place?.parts['state']
  const state = typeof written === 'string' ? written : place && findStateOfZip(String(place.parts['zip']))
  if (place && state !== undefined && typeof written !== 'string') place.writes.push({ table: 'site', column: 'state', value: state })
  const known = REGION_OF_STATE[state ?? '']
  const region = stored.regions.get(known ?? '') ?? given
  const holder = place ?? read.get('name')
  if (holder && !read.get('region')?.parts['region']) {
    if (typeof region === 'string') holder.writes.push({ table: 'site', column: 'region', value: region })
    else if (region === null) {
      holder.isNeeded = true
      holder.message ??= `${state === undefined ? 'There is no state' : `The state is none of CA, MI, OH, SC, TX: ${state}`} (--region names a region for it)`
    }
  }
  const [latitude, longitude] = [read.get('latitude'), read.get('longitude')]
  const degrees = [latitude?.parts['latitude'], longitude?.parts['longitude']]
  if (known === undefined || typeof degrees[0] !== 'number' || typeof degrees[1] !== 'number' || isInStates(degrees[0], degrees[1])) return
  for (const one of [latitude, longitude]) if (one) one.message = `This place is not in ${known}`
}

/** Two columns with the lowest and the highest grade are the grade levels. */
const addGrades = (read: ReadonlyMap<string, ReadField>): void => {
  const [low, high] = [read.get('grade_low'), read.get('grade_high')]
  const first = low ?? high
  if (!first || read.has('grades')) return
  const value = [...new Set([low?.text, high?.text].filter(Boolean))].join('-')
  first.writes.push({ table: 'charter', column: 'charter_grade_levels', value })
}

interface ReadName {
  readonly cell: ReadField
  readonly FirstName: string | null
  readonly LastName: string | null
}
/** The name of a person, from one column or two. */
const readName = (whole: ReadField | undefined, first: ReadField | undefined, last: ReadField | undefined): ReadName | undefined => {
  const cell = whole ?? last ?? first
  if (!cell || cell.message !== undefined) return undefined
  if (whole) return { cell, FirstName: toName(whole.parts['FirstName']), LastName: toName(whole.parts['LastName']) }
  // Of a name in two columns, each may be written in capitals.
  const written = last?.text && first?.text ? readPersonName(`${last.text}, ${first.text}`) : undefined
  return { cell, FirstName: written?.first ?? toName(first?.text), LastName: written?.last ?? toName(last?.text) }
}
const toName = (value: ImportValue | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)

const addPersonName = (read: ReadonlyMap<string, ReadField>): void => {
  const [first, last] = [read.get('FirstName'), read.get('LastName')]
  const name = readName(read.get('full_name'), first, last)
  if (!name) return
  const { cell } = name
  cell.writes.unshift({ table: 'person', column: 'name', value: [name.FirstName, name.LastName].filter(Boolean).join(' ') })
  for (const column of ['FirstName', 'LastName'] as const) {
    const own = cell.writes.findIndex((write) => write.table === 'hr_person' && write.column === column)
    if (own !== -1) cell.writes.splice(own, 1)
    const holder = (column === 'FirstName' ? first : last) ?? cell
    const at = holder.writes.findIndex((write) => write.column === column)
    if (at !== -1) holder.writes.splice(at, 1)
    if (name[column]) holder.writes.push({ table: 'hr_person', column, value: name[column] })
  }
}

/** The principal of a school: a person with this role at its site. Without a name there is no one. */
const addPrincipal = (read: ReadonlyMap<string, ReadField>, role: string | undefined): void => {
  const name = readName(read.get('principal'), read.get('principal_first'), read.get('principal_last'))
  const value = [name?.FirstName, name?.LastName].filter(Boolean).join(' ')
  if (!name || value === '') {
    for (const key of ['principal_email', 'principal_phone']) read.get(key)?.writes.splice(0)
    return
  }
  name.cell.writes.push({ table: 'person', column: 'name', value })
  if (role !== undefined) name.cell.writes.push({ table: 'site_person', column: 'role', value: role })
}

const addEmployeeName = (whole: ReadField | undefined): void => {
  for (const column of ['FirstName', 'LastName'])
    if (whole?.parts[column]) whole.writes.push({ table: 'hr_person', column, value: whole.parts[column] })
}

export const valueOf = (read: Iterable<ReadField>, table: string, column: string): string | undefined => {
  for (const { writes, message } of read) {
    if (message !== undefined) continue
    const found = writes.find((write) => write.table === table && write.column === column)
    if (typeof found?.value === 'string') return found.value
  }
  return undefined
}

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : value === true ? 'Yes' : value === false ? 'No' : undefined

/** The value of a cell as text. */
export const show = ({ parts, text, label, field, writes }: ReadField): string => {
  if (label !== undefined) return label
  if (field.type === 'person') return toText(writes.find(({ column }) => column === 'name')?.value) ?? text
  const shown = Object.values(parts).flatMap((part) => toText(part) ?? [])
  return shown.length === 0 || field.type === 'id' ? (toText(writes[0]?.value) ?? text) : shown.join(', ')
}
