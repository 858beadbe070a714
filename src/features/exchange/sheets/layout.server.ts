import { DAY_MS } from '../../../contract/dates.ts'
import { invalidFields } from '../../../contract/problem.ts'
import type { EditableColumn } from './columns.server.ts'
import type { SheetKind, SheetWarning } from './contract.ts'
import { type FileFacts, type FileRow, ID_HEADER, VERSION_HEADER } from './read-file.server.ts'
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

/** Finds columns by their headers, wherever they were moved, and renamed columns by their position. */
export const readLayout = (
  sheet: SheetKind,
  title: string,
  all: readonly EditableColumn[],
  { head, origin }: Pick<FileFacts, 'head' | 'origin'>,
): Layout => {
  if (!head)
    throw invalidFields([
      { path: 'file', message: 'This file was not downloaded from Homeroom. Download the list, change it, and drop it again.' },
    ])
  if (origin !== null && origin.kind !== sheet) throw invalidFields([{ path: 'file', message: formatOtherList(origin.kind, title) }])
  const headers = head.cells.map(normalize)
  const id = headers.indexOf(ID_HEADER)
  const indexes = new Map<EditableColumn, number>()
  for (const column of all) {
    const index = headers.indexOf(normalize(column.label))
    if (index !== -1) indexes.set(column, index)
  }
  const taken = new Set(indexes.values())
  // A file may have been downloaded with only some of the columns.
  const expected = origin && origin.columns.length > 0 ? all.filter(({ path }) => origin.columns.includes(path)) : all
  const renamed = expected.flatMap((column, nth) => {
    const index = id + LEADING_COLUMNS + nth
    const header = head.cells[index]?.trim()
    if (indexes.has(column) || !header || taken.has(index)) return []
    indexes.set(column, index)
    return [`“${header}” is read as ${column.label}`]
  })
  if (indexes.size === 0)
    throw invalidFields([
      { path: 'file', message: `This file has no column of ${title}. Download the list, change it, and drop it again.` },
    ])
  const missing = expected.filter((column) => !indexes.has(column)).map(({ label }) => label)
  return {
    id,
    version: headers.indexOf(VERSION_HEADER),
    columns: indexes,
    head,
    warnings: [...(renamed.length > 0 ? [inform('columns', `Renamed columns: ${renamed.join(', ')}`)] : []), ...describeMissing(missing)],
  }
}

/** The columns of a file that are compared. */
export const listComparedColumns = ({ id, version, columns }: Layout): number[] => [id, version, ...columns.values()]

/** From this age in days, the age of a file is mentioned. */
const OLD_DAYS = 14
const MAX_NAMES = 3

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
  const names = gone.slice(0, MAX_NAMES).join(', ') + (gone.length > MAX_NAMES ? ` and ${gone.length - MAX_NAMES} more` : '')
  return [
    ...(days >= OLD_DAYS ? [inform('old', `Sheet ${title} and file are ${days} days old`)] : []),
    ...(gone.length > 0
      ? [
          inform(
            'missing-rows',
            `${gone.length === 1 ? '1 row is missing; it is kept' : `${gone.length} rows are missing; they are kept`}: ${names}`,
          ),
        ]
      : []),
  ]
}
