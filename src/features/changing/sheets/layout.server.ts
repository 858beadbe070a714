import { DAY_MS } from '../../../contract/dates.ts'
import type { SheetKind } from '../../../contract/sheets.ts'
import type { EditableColumn } from '../../../platform/server/sheet-definition.ts'
import { toColumnLetters } from '../../../platform/server/workbook-reader.ts'
import type { SheetWarning } from './contract.ts'
import { type FileFacts, type FileRow, ID_HEADER, VERSION_HEADER } from './read-file.server.ts'
import { refuseFile } from './refused-file.server.ts'
import { formatOtherList } from './rules.ts'

/** The positions of the columns in a file. */
export interface Layout {
  readonly id: number
  readonly version: number
  /** The index of each column in the file; missing columns are not changed. */
  readonly columns: ReadonlyMap<EditableColumn, number>
  readonly head: FileRow
  readonly warnings: readonly SheetWarning[]
}

const normalize = (header: string): string => header.trim().toLowerCase()

/** The header of the column with the name of the record. */
export const NAME_HEADER = 'Record'
/** The number of columns before the editable ones: identifier, version and name. */
export const LEADING_COLUMNS = 3

export const inform = (kind: SheetWarning['kind'], message: string, cells: string[] = []): SheetWarning => ({
  kind,
  message,
  cells,
  isSuspicious: false,
})

const describeMissing = (labels: readonly string[]): SheetWarning[] => {
  if (labels.length === 0) return []
  const [only = ''] = labels
  return [
    inform(
      'columns',
      labels.length === 1
        ? `Column ${only} is missing; it is left as it is`
        : `Columns ${labels.join(', ')} are missing; they are left as they are`,
    ),
  ]
}

const MAX_NAMES = 3
/** 'Lodi, Galt, Acampo and 4 more' */
const formatNames = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '')

const describeUnreadColumns = (columns: readonly string[], reason: string): SheetWarning[] =>
  columns.length === 0
    ? []
    : [
        inform(
          'columns',
          `${columns.length === 1 ? 'Column' : 'Columns'} ${formatNames(columns)} ${columns.length === 1 ? 'is' : 'are'} not read: ${reason}`,
        ),
      ]

/** Columns and sheets of the file that are not read, because another has the same header or there is no such field. */
const describeUnread = (reason: string, head: FileRow, read: ReadonlySet<number>, unreadSheets: readonly string[]): SheetWarning[] => {
  const headers = head.cells.map(normalize)
  const known = new Set([...read].map((index) => headers[index]))
  const unread = head.cells.flatMap((header, index) => {
    const name = header.trim()
    return name === '' || read.has(index)
      ? []
      : [{ label: `${toColumnLetters(index)} (“${name}”)`, isRepeated: known.has(normalize(name)) }]
  })
  const labelsOf = (isRepeated: boolean) => unread.filter((one) => one.isRepeated === isRepeated).map(({ label }) => label)
  return [
    ...describeUnreadColumns(labelsOf(true), 'another column has the same header'),
    ...describeUnreadColumns(labelsOf(false), reason),
    ...unreadSheets.map((name) => inform('sheets', `Sheet “${name}” is not read: only one sheet of a file is`)),
  ]
}

/** Finds columns by their headers, wherever they were moved, and renamed columns by their position. */
export const readLayout = (
  sheet: SheetKind,
  title: string,
  all: readonly EditableColumn[],
  { head, origin, unreadSheets }: Pick<FileFacts, 'head' | 'origin' | 'unreadSheets'>,
  isPasted = false,
): Layout => {
  if (!head) throw refuseFile('This file was not downloaded from Homeroom. Download the list, change it, and drop it again.')
  if (origin !== null && origin.kind !== sheet) throw refuseFile(formatOtherList(origin.kind, title))
  const headers = head.cells.map(normalize)
  const id = headers.indexOf(ID_HEADER)
  const indexes = new Map<EditableColumn, number>()
  for (const column of all) {
    const index = isPasted ? head.cells.indexOf(column.path) : headers.indexOf(normalize(column.label))
    if (index !== -1) indexes.set(column, index)
  }
  const taken = new Set(indexes.values())
  // A file may have been downloaded with only some of the columns.
  const expected = isPasted ? [] : origin && origin.columns.length > 0 ? all.filter(({ path }) => origin.columns.includes(path)) : all
  const renamed = expected.flatMap((column, nth) => {
    const index = id + LEADING_COLUMNS + nth
    const header = head.cells[index]?.trim()
    if (indexes.has(column) || !header || taken.has(index)) return []
    indexes.set(column, index)
    return [`“${header}” is read as ${column.label}`]
  })
  if (indexes.size === 0) throw refuseFile(`This file has no column of ${title}. Download the list, change it, and drop it again.`)
  const version = headers.indexOf(VERSION_HEADER)
  const read = new Set([id, version, headers.indexOf(normalize(NAME_HEADER)), ...indexes.values()])
  const missing = expected.filter((column) => !indexes.has(column)).map(({ label }) => label)
  return {
    id,
    version,
    columns: indexes,
    head,
    warnings: [
      ...(renamed.length > 0 ? [inform('columns', `Renamed columns: ${renamed.join(', ')}`)] : []),
      ...describeMissing(missing),
      ...describeUnread(isPasted ? 'it cannot be pasted' : `${title} has no such column`, head, read, unreadSheets),
    ],
  }
}

/** The columns of a file that are compared. */
export const listComparedColumns = ({ id, version, columns }: Layout): number[] => [id, version, ...columns.values()]

/** From this age in days, the age of a file is mentioned. */
const OLD_DAYS = 14
/** Facts about a file that was downloaded here: its age, and which of its rows are missing. */
export const describeOrigin = (
  title: string,
  origin: FileFacts['origin'],
  found: ReadonlySet<string>,
  now: Date,
  nameOf: (key: string) => string | undefined,
): SheetWarning[] => {
  if (origin === null) return []
  const days = Math.floor((now.getTime() - Date.parse(origin.downloadedAt)) / DAY_MS)
  const gone = origin.records.filter((key) => !found.has(key)).flatMap((key) => nameOf(key) ?? [])
  return [
    ...(days >= OLD_DAYS ? [inform('old', `Sheet ${title} and file are ${days} days old`)] : []),
    ...(gone.length > 0
      ? [
          inform(
            'missing-rows',
            `${gone.length === 1 ? '1 row is missing; it is kept' : `${gone.length} rows are missing; they are kept`}: ${formatNames(gone)}`,
          ),
        ]
      : []),
  ]
}
