import { plain } from './text-match.ts'

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

/** The texts of a record that a list's field searches. Keep it the same between renderings. */
export type TextsOf<T> = (record: T) => readonly (string | null | undefined)[]

/** A list of records, whichever of them it shows. */
export interface RecordList<T> {
  readonly columns: readonly ListColumn<T>[]
  readonly textsOf: TextsOf<T>
  /** Its own order: by rank, then by name. */
  readonly rankOf: (record: T) => number
  readonly nameOf: (record: T) => string
}

const words = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** A record's place in the own order of its list. */
export interface Place {
  readonly rank: number
  readonly name: string
}
export const placeOf = <T>({ rankOf, nameOf }: Pick<RecordList<T>, 'rankOf' | 'nameOf'>, record: T): Place => ({
  rank: rankOf(record),
  name: nameOf(record),
})
export const comparePlaces = (a: Place, b: Place): number => a.rank - b.rank || words.compare(a.name, b.name)

const isMissing = (key: CellText): boolean => key === null || key === ''
/** Texts by words and numbers as numbers; what is missing comes last, in either direction. */
export const compareKeys = (a: CellText, b: CellText, down: boolean): number => {
  if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b))
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b))
  return down ? -order : order
}

/** What a column is sorted by. */
export const keyOf = <T>({ text, order }: Pick<ListColumn<T>, 'text' | 'order'>, record: T, timeZone: string): CellText =>
  order ? order(record) : text(record, timeZone)

/** The records in the list's own order. */
export const inOwnOrder = <T>(list: Pick<RecordList<T>, 'rankOf' | 'nameOf'>, records: readonly T[]): T[] =>
  records
    .map((record) => ({ record, place: placeOf(list, record) }))
    .toSorted((a, b) => comparePlaces(a.place, b.place))
    .map(({ record }) => record)

/** The records by one column; equal ones stay as they stood. */
export const sortedBy = <T>(records: readonly T[], column: Pick<ListColumn<T>, 'text' | 'order'>, down: boolean, timeZone: string): T[] =>
  records
    .map((record) => ({ record, key: keyOf(column, record, timeZone) }))
    .toSorted((a, b) => compareKeys(a.key, b.key, down))
    .map(({ record }) => record)

/** `city`, or `-city` from the end. Undefined where there is no such column: the list's own order. */
export const readSort = <C extends { readonly key: string }>(
  sort: string | undefined,
  columns: readonly C[],
): { readonly column: C; readonly down: boolean } | undefined => {
  const down = sort?.startsWith('-') ?? false
  const column = columns.find(({ key }) => key === (down ? sort?.slice(1) : sort))
  return column && { column, down }
}

/** Stands between two texts of a record: nobody can type it into a field of one line. */
const BETWEEN = '\n'
/** What a record is found by, in plain letters. */
export const searchedText = <T>(record: T, textsOf: TextsOf<T>): string =>
  textsOf(record)
    .map((one) => plain(one ?? ''))
    .join(BETWEEN)
/** What was typed, as it is looked for in `searchedText`. */
export const searchedWords = (typed: string): string => plain(typed.trim())
