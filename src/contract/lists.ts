import { z } from 'zod'

import { formatDay } from './dates.ts'
import type { FieldDefinition, FieldDefinitions } from './field-definitions.ts'
import { isObject } from './objects.ts'
import { formatPhone } from './phones.ts'
import { isInStatusGroup, type Status, STATUS_GROUPS } from './status.ts'
import { normalizeText } from './text-match.ts'

// The definition of record lists, shared by the page that shows a list and the server that writes its rows to a file.

export type CellText = string | number | null

/** A column of a list: defined once, used to display, sort, copy and download. */
export interface ListColumn<T> {
  /** Its key in URLs and requests: `?sort=city`. */
  readonly key: string
  readonly label: string
  /** The value to sort by, copy and download; null if missing. */
  readonly text: (record: T, timeZone: string) => CellText
  /** The sort key, if it is not the text: the moment of a formatted day. */
  readonly order?: (record: T) => CellText
  /** The ISO day of a formatted day, written to files as a real date. */
  readonly day?: (record: T, timeZone: string) => string | null
  /** Numbers are right-aligned, and are numbers in files. */
  readonly isNumber?: boolean
  /** The part of the record that a detail belongs to. Details are shown and downloaded only if they are chosen, and need whole records. */
  readonly detailOf?: string
}

/** A column of a list whose records can be edited. */
export interface EditableListColumn<T> extends ListColumn<T> {
  /** The paths of the form fields that it shows, which become columns of a sheet. Empty if it cannot be edited. */
  readonly fields: readonly string[]
}

const PHONES: ReadonlySet<string> = new Set(['phone', 'extension', 'fax'])

const formatEntry = (entry: unknown): string =>
  isObject(entry)
    ? typeof entry['name'] === 'string'
      ? entry['name']
      : Object.values(entry).map(formatEntry).join(' ')
    : formatDay(String(entry))
/** A value as the cell of a list; the names of records, one after the other. */
const toCellText = ({ control }: Pick<FieldDefinition, 'control'>, value: unknown): CellText => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(formatEntry).join('; ')
  if (typeof value !== 'string') return null
  return PHONES.has(control) ? formatPhone(value) : formatDay(value)
}

/** The value at a path of a record. */
const getValue = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), record)

/** Columns of fields that a list shows only if they are chosen. Pictures have none. */
export const toDetailColumns = (
  detailOf: string,
  definitions: FieldDefinitions,
  fieldsOf: (path: string) => readonly string[],
): EditableListColumn<object>[] =>
  Object.entries(definitions).flatMap(([path, { label, fullLabel = label, control, cell }]): EditableListColumn<object>[] => {
    if (control === 'picture') return []
    const getDay = (record: object): string | null => {
      const value = getValue(record, path)
      return typeof value === 'string' ? value : null
    }
    const isDay = control === 'day' || cell === 'day'
    return [
      {
        key: path,
        label: fullLabel,
        fields: fieldsOf(path),
        detailOf,
        text: (record) => toCellText({ control }, getValue(record, path)),
        ...(isDay ? { day: getDay, order: getDay } : {}),
      },
    ]
  })

/** Whether one of these columns needs whole records. */
export const needsDetails = (columns: readonly Pick<ListColumn<never>, 'key' | 'detailOf'>[]): boolean =>
  columns.some(({ detailOf }) => detailOf !== undefined)

/** The values of a list's filters: URL parameters of its page, and part of the request for its download and sheet. */
export type FilterValues<T extends z.ZodRawShape> = { readonly [Name in keyof T]?: z.infer<T[Name]> | undefined }
/** A filter by a name or slug. */
export const filterText = z.string().min(1).max(300)

/** The names of all filters of lists. */
export const FILTER_NAMES = ['status', 'type', 'region', 'unchecked', 'area', 'role', 'where'] as const

/** The filters of a list whose records have a status but nothing else to filter by. */
export const STATUS_GROUP_FILTERS = { status: z.enum(STATUS_GROUPS) }
export const buildStatusGroupFilter =
  ({ status: group = 'all' }: FilterValues<typeof STATUS_GROUP_FILTERS>) =>
  ({ status }: { readonly status: Status }): boolean =>
    isInStatusGroup(group, status)

/** The texts of a record that the list's search field covers. Must be stable between renders. */
export type GetSearchTexts<T> = (record: T) => readonly (string | null | undefined)[]

/** A list of records of one kind. */
export interface RecordList<T> {
  readonly columns: readonly ListColumn<T>[]
  readonly getSearchTexts: GetSearchTexts<T>
  /** The default order: by rank, then by name. */
  readonly getRank: (record: T) => number
  readonly getName: (record: T) => string
}

let collator: Intl.Collator | undefined
/** Compares names as people sort them: without regard to case, and by the numbers in them. */
export const compareTexts = (a: string, b: string): number =>
  (collator ??= new Intl.Collator('en', { sensitivity: 'base', numeric: true })).compare(a, b)

/** A record's position in the default order of its list. */
export interface SortPosition {
  readonly rank: number
  readonly name: string
}
export const getSortPosition = <T>({ getRank, getName }: Pick<RecordList<T>, 'getRank' | 'getName'>, record: T): SortPosition => ({
  rank: getRank(record),
  name: getName(record),
})
export const compareSortPositions = (a: SortPosition, b: SortPosition): number => a.rank - b.rank || compareTexts(a.name, b.name)

const isMissing = (key: CellText): boolean => key === null || key === ''
/** Compares text with numeric collation; missing values come last in either direction. */
export const compareSortKeys = (a: CellText, b: CellText, isDescending: boolean): number => {
  if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b))
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b))
  return isDescending ? -order : order
}

/** The value that a column is sorted by. */
export const getSortKey = <T>({ text, order }: Pick<ListColumn<T>, 'text' | 'order'>, record: T, timeZone: string): CellText =>
  order ? order(record) : text(record, timeZone)

/** The records in the list's default order. */
export const sortByDefault = <T>(list: Pick<RecordList<T>, 'getRank' | 'getName'>, records: readonly T[]): T[] =>
  records
    .map((record) => ({ record, position: getSortPosition(list, record) }))
    .toSorted((a, b) => compareSortPositions(a.position, b.position))
    .map(({ record }) => record)

/** The records sorted by one column; the sort is stable. */
export const sortByColumn = <T>(
  records: readonly T[],
  column: Pick<ListColumn<T>, 'text' | 'order'>,
  isDescending: boolean,
  timeZone: string,
): T[] =>
  records
    .map((record) => ({ record, key: getSortKey(column, record, timeZone) }))
    .toSorted((a, b) => compareSortKeys(a.key, b.key, isDescending))
    .map(({ record }) => record)

/** Parses `city`, or `-city` for descending. Undefined for an unknown column, which means the default order. */
export const parseSort = <C extends { readonly key: string }>(
  sort: string | undefined,
  columns: readonly C[],
): { readonly column: C; readonly isDescending: boolean } | undefined => {
  const isDescending = sort?.startsWith('-') ?? false
  const column = columns.find(({ key }) => key === (isDescending ? sort?.slice(1) : sort))
  return column && { column, isDescending }
}

/** Separates the texts of a record: it cannot be typed into a single-line field. */
const TEXT_SEPARATOR = '\n'
/** The searchable text of a record, in plain letters. */
export const buildSearchText = <T>(record: T, getSearchTexts: GetSearchTexts<T>): string =>
  getSearchTexts(record)
    .map((one) => normalizeText(one ?? ''))
    .join(TEXT_SEPARATOR)
