import { z } from 'zod'

import { isInStatusGroup, type Status, STATUS_GROUPS } from './status.ts'
import { normalizeText } from './text-match.ts'

// What a list of records is, for the page that shows it and for the server that writes the same rows into a file.

export type CellText = string | number | null

/** A column of a list: said once, and shown, sorted by, copied and downloaded from there. */
export interface ListColumn<T> {
  /** Its name in addresses and requests: `?sort=city`. */
  readonly key: string
  readonly label: string
  /** What is sorted by, copied and downloaded; null where the record has none. */
  readonly text: (record: T, timeZone: string) => CellText
  /** What is sorted by, where that is not the text: a moment instead of its day in words. */
  readonly order?: (record: T) => CellText
  /** The ISO day it is of, where its text is a day in words: a file has a real date there. */
  readonly day?: (record: T, timeZone: string) => string | null
  /** Numbers stand at the right, and are numbers in a file. */
  readonly isNumber?: boolean
}

/** A column of a list whose records can be edited. */
export interface EditableListColumn<T> extends ListColumn<T> {
  /** The fields of the record's form that it shows, by their paths: a sheet of the list's columns has these. None where it cannot be edited. */
  readonly fields: readonly string[]
}

/** What the filters of a list are set to, by their schemas: its page has them in the address, its download and its sheet in the request. */
export type FilterValues<T extends z.ZodRawShape> = { readonly [Name in keyof T]?: z.infer<T[Name]> | undefined }
/** A filter by the name or the slug of something. */
export const filterText = z.string().min(1).max(300)

/** The filter of a list whose records have a status, where it has no others. */
export const STATUS_GROUP_FILTERS = { status: z.enum(STATUS_GROUPS) }
export const buildStatusGroupFilter =
  ({ status: group = 'all' }: FilterValues<typeof STATUS_GROUP_FILTERS>) =>
  ({ status }: { readonly status: Status }): boolean =>
    isInStatusGroup(group, status)

/** The texts of a record that a list's field searches. Keep it the same between renderings. */
export type GetSearchTexts<T> = (record: T) => readonly (string | null | undefined)[]

/** A list of records, whichever of them it shows. */
export interface RecordList<T> {
  readonly columns: readonly ListColumn<T>[]
  readonly getSearchTexts: GetSearchTexts<T>
  /** Its own order: by rank, then by name. */
  readonly getRank: (record: T) => number
  readonly getName: (record: T) => string
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** A record's place in the own order of its list. */
export interface SortPosition {
  readonly rank: number
  readonly name: string
}
export const getSortPosition = <T>({ getRank, getName }: Pick<RecordList<T>, 'getRank' | 'getName'>, record: T): SortPosition => ({
  rank: getRank(record),
  name: getName(record),
})
export const compareSortPositions = (a: SortPosition, b: SortPosition): number => a.rank - b.rank || collator.compare(a.name, b.name)

const isMissing = (key: CellText): boolean => key === null || key === ''
/** Texts by words and numbers; what is missing comes last, in either direction. */
export const compareSortKeys = (a: CellText, b: CellText, isDescending: boolean): number => {
  if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b))
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
  return isDescending ? -order : order
}

/** What a column is sorted by. */
export const getSortKey = <T>({ text, order }: Pick<ListColumn<T>, 'text' | 'order'>, record: T, timeZone: string): CellText =>
  order ? order(record) : text(record, timeZone)

/** The records in the list's own order. */
export const sortByDefault = <T>(list: Pick<RecordList<T>, 'getRank' | 'getName'>, records: readonly T[]): T[] =>
  records
    .map((record) => ({ record, place: getSortPosition(list, record) }))
    .toSorted((a, b) => compareSortPositions(a.place, b.place))
    .map(({ record }) => record)

/** The records by one column; equal ones stay as they stood. */
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

/** `city`, or `-city` from the end. Undefined where there is no such column: the list's own order. */
export const parseSort = <C extends { readonly key: string }>(
  sort: string | undefined,
  columns: readonly C[],
): { readonly column: C; readonly isDescending: boolean } | undefined => {
  const isDescending = sort?.startsWith('-') ?? false
  const column = columns.find(({ key }) => key === (isDescending ? sort?.slice(1) : sort))
  return column && { column, isDescending }
}

/** Is between two texts of a record: no one can type it into a field of one line. */
const TEXT_SEPARATOR = '\n'
/** What a record is found by, in plain letters. */
export const buildSearchText = <T>(record: T, getSearchTexts: GetSearchTexts<T>): string =>
  getSearchTexts(record)
    .map((one) => normalizeText(one ?? ''))
    .join(TEXT_SEPARATOR)
/** What was typed, as it is looked for in `searchedText`. */
export const normalizeSearch = (typed: string): string => normalizeText(typed.trim())
