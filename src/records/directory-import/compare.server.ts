import { randomUUID } from 'node:crypto'

import { readImportedCell, toCellLine } from '../../contract/import-values.ts'
import { normalizeText } from '../../contract/text-match.ts'
import { formatArchived } from '../../database/archived-records.server.ts'
import type { Queryable } from '../../database/connection.server.ts'
import { ImportError } from '../../platform/server/import-error.ts'
import type {
  CompareOptions,
  ComparedImport,
  ImportedCell,
  ImportedRow,
  ImportedTable,
  ImportMapping,
} from '../../platform/server/importer.ts'
import { createTimeSlices } from '../../platform/server/time-slices.ts'
import { toColumnLetters } from '../../platform/server/workbook-reader.ts'
import { type ImportKind, IMPORT_KINDS } from './import-kinds.ts'
import { findLastAuthors } from './queries.server.ts'
import { addWrites, type Columns, type Comparing, type FileRow, type ReadField, readField, show, valueOf } from './read-row.server.ts'
import { readStored, type Stored, type StoredRecord } from './stored.server.ts'

/** The tables that rows of each kind become records of, the first of which gives the row its name. */
const TABLES: Readonly<Record<ImportKind, readonly string[]>> = {
  charters: ['charter', 'site', 'facility', 'person'],
  sites: ['site', 'facility', 'person'],
  staff: ['person', 'hr_person'],
  employees: ['hr_person'],
  sis_sites: ['sis_site'],
}

/** The stored records that a row is about, by table. */
const findRecords = ({ kind, stored, repeatedNames }: Comparing, read: readonly ReadField[]): Map<string, StoredRecord | undefined> => {
  const get = (table: string, column: string) => valueOf(read, table, column)
  /** Two rows with a name and a code each are two schools, so that their name says nothing. */
  const getName = (table: string, column: string): string => {
    const name = get(table, column) ?? ''
    return repeatedNames.has(name) && get(table, 'directory_id') !== undefined ? '' : name
  }
  const records = new Map<string, StoredRecord | undefined>()
  if (kind === 'charters') {
    const charter = stored.findCharter(get('charter', 'directory_id'), getName('charter', 'name'))
    records.set('charter', charter)
    records.set('site', stored.findSite(get('site', 'directory_id'), getName('site', 'displayName'), { charter: charter?._id ?? '' }))
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
    if (kind === 'staff')
      records.set('person', stored.findPerson(get('person', 'sql_person_id'), get('person', 'email'), get('person', 'name') ?? ''))
    const number = get('hr_person', 'PersonID')
    if (number !== undefined) records.set('hr_person', stored.findEmployee(number))
  }
  if (records.has('site')) {
    const site = records.get('site')
    records.set('facility', site && stored.findFacility(site._id))
    const name = get('person', 'name')
    if (name !== undefined) records.set('person', stored.findPerson(undefined, get('person', 'email'), name))
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
    case 'employees':
      return get('hr_person', 'PersonID') ?? `row ${line}`
  }
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

/** One key for a new person in several rows: the principal of two schools, by email address, or by name. */
const toSharedId = ({ created }: Comparing, fields: readonly ReadField[]): string => {
  const key = `person ${(valueOf(fields, 'person', 'email') ?? valueOf(fields, 'person', 'name') ?? '').toLowerCase()}`
  const _id = created.get(key) ?? randomUUID()
  created.set(key, _id)
  return _id
}

const NO_NAME = 'The row has no name. It is left out.'
const hasValue = (fields: readonly ReadField[], of: string, columns: readonly string[]): boolean =>
  fields.some(({ writes }) => writes.some(({ table, column, value }) => table === of && columns.includes(column) && value !== null))

const toRow = (comparing: Comparing, row: FileRow): { readonly row: ImportedRow; readonly isKnown: boolean } | undefined => {
  const { columns, tables, stored, lines, kind } = comparing
  const fields = columns.flatMap((column) => readField(comparing, row, column) ?? [])
  const byKey = new Map(fields.map((one) => [one.key, one]))
  if (comparing.hasFlag && byKey.get('charter')?.parts['charter'] !== true) return undefined
  addWrites(comparing, byKey)
  if (kind === 'staff' && !hasValue(fields, 'person', ['name'])) for (const one of fields) one.message ??= NO_NAME
  if (kind === 'employees' && !hasValue(fields, 'hr_person', ['FirstName', 'LastName'])) for (const one of fields) one.message ??= NO_NAME
  const found = findRecords(comparing, fields)
  const [main = ''] = tables
  const record = found.get(main)
  // A file without a column for the name can only change what is known.
  if (record === undefined && main !== 'person' && main !== 'hr_person' && !byKey.has('name'))
    for (const one of fields) one.message ??= NO_NAME
  const archived = [...found].find(([table, known]) => table !== 'person' && known?.isArchived)?.[0]
  const records = new Map([...found].map(([table, known]) => [table, { _id: known?._id ?? randomUUID(), isNew: known === undefined }]))
  const site = records.get('site')
  // A facility has the key of its site, and is there as soon as the site is.
  if (site) records.set('facility', { _id: site._id, isNew: false })
  const principal = main === 'person' ? undefined : records.get('person')
  if (principal?.isNew) records.set('person', { _id: toSharedId(comparing, fields), isNew: true })
  const number = valueOf(fields, 'hr_person', 'PersonID')
  if (number !== undefined && records.has('hr_person')) records.set('hr_person', { _id: number, isNew: !found.get('hr_person') })
  const identity = record?._id ?? toIdentity(comparing, fields, row.line)
  const first = lines.get(identity)
  const repeated = comparing.repeated.get(identity)?.filter((line) => line !== row.line) ?? []
  const problem =
    row.error !== undefined
      ? row.error
      : repeated.length > 0
        ? `The employee number is also in row ${repeated.join(' and ')}`
        : first !== undefined
          ? `Row ${first} is about the same ${NOUNS[main] ?? main}. This row is left out.`
          : archived !== undefined
            ? `${formatArchived(archived as 'charter')}. Restore it first.`
            : record?.hasLeft
              ? 'This person no longer works here. Restore them first.'
              : undefined
  lines.set(identity, first ?? row.line)
  if (problem !== undefined) for (const one of fields) if (one.field.isRequired || fields.indexOf(one) === 0) one.message = problem
  if (main === 'person' && problem === undefined) noteTaken(comparing, fields, record, row.line)
  const isLinked = stored.hasRole(
    found.get('person')?._id,
    valueOf(fields, 'site_person', 'site') ?? site?._id,
    valueOf(fields, 'site_person', 'role'),
  )
  const cells = fields.flatMap((one): ImportedCell[] => {
    const column = { letters: toColumnLetters(one.at), path: one.key, label: one.field.label }
    const facts = {
      column,
      isRequired:
        problem !== undefined ||
        one.field.isRequired === true ||
        one.isNeeded === true ||
        (main === 'person' && one.writes.some((write) => write.table === 'person' && write.column === 'name')),
      author: null,
    }
    if (one.message !== undefined)
      return [
        {
          ...facts,
          before: null,
          after: one.text,
          present: null,
          state: 'error',
          message: one.message,
          writes: [],
          isAboutRow: one.message === problem,
        },
      ]
    const writes = one.writes.filter(({ table, column: name, value }) => {
      if (table === 'site_person') return isLinked === false
      // An employee who was missing in an earlier file is found again.
      if (table === 'hr_person' && name === 'PersonID' && found.get(table)?.values['goneAt']) return true
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
  const given = (NAME_COLUMNS[main] ?? ['name']).flatMap((column) => valueOf(fields, main, column) ?? []).join(' ')
  const name = given || (record && stored.names.get(record._id)) || null
  return { row: { line: row.line, record: record?._id ?? null, name, cells, records }, isKnown: record !== undefined }
}
const showValue = (value: unknown): string | null =>
  value === true ? 'Yes' : value === false ? 'No' : typeof value === 'number' ? String(value) : null
const NAME_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  site: ['displayName'],
  hr_person: ['FirstName', 'LastName'],
}
const NOUNS: Readonly<Record<string, string>> = { sis_site: 'SIS site', hr_person: 'employee' }

const isSame = (stored: unknown, value: unknown): boolean =>
  (stored ?? null) === (value ?? null) || (typeof stored === 'number' && typeof value === 'number' && Math.abs(stored - value) < 1e-9)

/** Cells of stored records whose value a person saved last, after the last import: they are conflicts. */
const noteConflicts = async (db: Queryable, rows: readonly ImportedRow[]): Promise<void> => {
  const asked = rows.flatMap(({ cells, records }) =>
    cells.flatMap((cell) =>
      cell.state !== 'change'
        ? []
        : cell.writes.flatMap((write) => {
            const { table, column } = write
            const record = records.get(table)
            return record && !record.isNew && table !== 'hr_person' ? [{ cell, write, table, record: record._id, column }] : []
          }),
    ),
  )
  for (const [n, author] of await findLastAuthors(db, asked)) {
    const { cell, write } = asked[n] ?? {}
    if (!cell || !write) continue
    cell.state = 'conflict'
    cell.author = author
    write.isEdited = true
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

/** The key of a region by its name, in any letter case. */
const findRegion = ({ regions }: Stored, name: string | null): string | null => {
  if (name === null) return null
  const found = [...regions].find(([known]) => known.toLowerCase() === name.toLowerCase())
  if (!found) throw new ImportError(`There is no region "${name}"; the regions are ${[...regions.keys()].toSorted().join(', ')}`)
  return found[1]
}

/** The rows with each text of a field. */
const findLines = (columns: Columns, rows: readonly FileRow[], field: string): ReadonlyMap<string, readonly number[]> => {
  const lines = new Map<string, number[]>()
  const at = columns.find(([key]) => key === field)?.[2]
  if (at === undefined) return lines
  for (const { cells, line } of rows) {
    const text = toCellLine(cells[at] ?? '')
    if (text !== '') lines.set(text, [...(lines.get(text) ?? []), line])
  }
  return lines
}

/** Employees that the file does not have. A row without a usable number could be anyone's. */
const findMissing = ({ stored, repeated, columns }: Comparing, rows: readonly FileRow[]): ComparedImport['missing'] => {
  const at = columns.find(([key]) => key === 'PersonID')?.[2] ?? -1
  const present = [...stored.employees].filter(([, { values }]) => (values['goneAt'] ?? null) === null)
  return {
    present: present.length,
    isCertain: rows.every(
      ({ cells }) => 'parts' in readImportedCell('number', cells[at] ?? '', 'PersonID') && toCellLine(cells[at] ?? '') !== '',
    ),
    gone: present.flatMap(([_id]) => (repeated.has(_id) ? [] : [{ _id, name: stored.names.get(_id) ?? '' }])),
  }
}

/** What the rows of a file change, cell by cell, compared with what is stored. */
export const compareImport = async (
  db: Queryable,
  kind: ImportKind,
  table: ImportedTable,
  mapping: ImportMapping,
  corrections: ReadonlyMap<string, string>,
  options: CompareOptions = {},
): Promise<ComparedImport> => {
  const fields = IMPORT_KINDS[kind]
  const columns: Columns = Object.entries(mapping.columns).flatMap(([at, key]) => {
    const field = key === null ? undefined : fields[key]
    return field && key !== null ? [[key, field, Number(at)] as const] : []
  })
  const hasPlace = columns.some(([, { type, to }]) => ['street', 'address', 'place', 'zip'].includes(type) || to.includes('site.city'))
  const tables = kind === 'charters' && !hasPlace ? ['charter'] : TABLES[kind]
  const stored = await readStored(db, kind)
  const repeated = kind === 'employees' ? findLines(columns, table.rows, 'PersonID') : new Map<string, number[]>()
  const comparing: Comparing = {
    kind,
    columns,
    mapping,
    corrections,
    stored,
    region: options.region === undefined ? undefined : findRegion(stored, options.region),
    repeated,
    repeatedNames: new Set([...findLines(columns, table.rows, 'name')].flatMap(([name, { length }]) => (length > 1 ? [name] : []))),
    hasFlag: kind === 'charters' && columns.some(([key]) => key === 'charter'),
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
    ...(kind === 'employees' ? { missing: findMissing(comparing, table.rows) } : {}),
    rows,
    known,
    unchanged: known - rows.filter(({ record }) => record !== null).length,
    added,
    notes: [
      ...(table.skipped.length > 0
        ? [
            `Left out, because they look like titles or totals: row ${table.skipped.slice(0, 10).join(', ')}${table.skipped.length > 10 ? ' and others' : ''}`,
          ]
        : []),
      ...(rows.some(({ records }) => records.get('site')?.isNew) && !columns.some(([key]) => key === 'category')
        ? ['The file does not say the facility type of its sites: it stays empty. In the list of sites, Change… sets it for many of them.']
        : []),
      ...(leftOut > 0 ? [`${leftOut} rows are not charters and are left out`] : []),
    ],
  }
}

const dropTables = (row: ImportedRow, tables: readonly string[]): ImportedRow => ({
  ...row,
  records: new Map([...row.records].filter(([table]) => tables.includes(table))),
})
