import { z } from 'zod'

import { compareSortKeys, getSortKey, type ListColumn, parseSort, type CellText } from './lists.ts'
import { createTextMatcher, normalizeText } from './text-match.ts'

// Filters and groups by any column of a list: the same in the page, its address, its downloads and its sheets.

const OPERATORS = { is: ':', contains: '~', 'is not empty': '!' } as const

/** Filters a list by the values of a column. */
export interface ColumnFilter {
  readonly key: string
  readonly operator: keyof typeof OPERATORS
  /** `is`: one of these, where the empty text is a missing value. `contains`: one text. `is not empty`: none. */
  readonly values: readonly string[]
}

/** The value of a cell as filters and groups have it: a line of text, empty if it is missing. */
export const getColumnValue = <T>({ text }: Pick<ListColumn<T>, 'text'>, record: T, timeZone: string): string =>
  String(text(record, timeZone) ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** What separates filters and their values. */
const escapeValue = (value: string): string => value.replace(/[%;|]/g, encodeURIComponent)
const unescapeValue = (value: string): string => value.replace(/%(?:25|3B|7C)/g, decodeURIComponent)

/** `city:Lodi, CA|Fresno, CA;phone!;principal~ann` */
export const formatColumnFilters = (filters: readonly ColumnFilter[]): string | undefined =>
  filters.map(({ key, operator, values }) => `${key}${OPERATORS[operator]}${values.map(escapeValue).join('|')}`).join(';') || undefined

/** Parses the filters of an address or request. Those of unknown columns are left out. */
export const parseColumnFilters = (text: string | undefined, columns: readonly { readonly key: string }[]): ColumnFilter[] =>
  (text ?? '').split(';').flatMap((part): ColumnFilter[] => {
    const [, key = '', sign, rest = ''] = /^([^:~!]+)([:~!])(.*)$/su.exec(part) ?? []
    const operator = (Object.keys(OPERATORS) as ColumnFilter['operator'][]).find((one) => OPERATORS[one] === sign)
    if (!operator || !columns.some((column) => column.key === key)) return []
    return [{ key, operator, values: operator === 'is not empty' ? [] : rest.split('|').map(unescapeValue) }]
  })

const MAX_COLUMN_FILTERS_LENGTH = 4000
/** The text of the filters in a request. */
export const columnFiltersText = z.string().max(MAX_COLUMN_FILTERS_LENGTH)
/** The filters by the columns of a list. */
export const toColumnFiltersSchema = (columns: readonly { readonly key: string }[]) =>
  columnFiltersText.refine((text) => parseColumnFilters(text, columns).length === text.split(';').length, 'Unknown column or filter')

const buildValueFilter = ({ operator, values }: ColumnFilter): ((value: string) => boolean) => {
  if (operator === 'is not empty') return (value) => value !== ''
  if (operator === 'is') return (value) => values.includes(value)
  const matches = createTextMatcher(values.join(' '))
  return (value) => matches(normalizeText(value))
}

/** Whether a record passes all filters. */
export const buildColumnFilter = <T>(
  filters: readonly ColumnFilter[],
  columns: readonly ListColumn<T>[],
  timeZone: string,
): ((record: T) => boolean) => {
  const checks = filters.flatMap((filter) => {
    const column = columns.find(({ key }) => key === filter.key)
    return column ? [{ column, matches: buildValueFilter(filter) }] : []
  })
  return (record) => checks.every(({ column, matches }) => matches(getColumnValue(column, record, timeZone)))
}

/** The position of a record's group among the others. */
export interface GroupPosition {
  readonly key: CellText
  readonly value: string
}
export const getGroupPosition = <T>(column: ListColumn<T>, record: T, timeZone: string): GroupPosition => {
  const value = getColumnValue(column, record, timeZone)
  return { key: column.order || column.isNumber ? getSortKey(column, record, timeZone) : value, value }
}
/** Values that are sorted alike, such as Elan and Élan, are groups of their own. */
export const compareGroups = (a: GroupPosition, b: GroupPosition, isDescending: boolean): number =>
  compareSortKeys(a.key, b.key, isDescending) || Number(a.value > b.value) - Number(a.value < b.value)

/** The column that a list is grouped by. Its groups are in descending order if the list is sorted by it in that order. */
export const parseGroup = <C extends { readonly key: string }>(
  group: string | undefined,
  sort: string | undefined,
  columns: readonly C[],
): { readonly column: C; readonly isDescending: boolean } | undefined => {
  const column = columns.find(({ key }) => key === group)
  return column && { column, isDescending: sort === `-${column.key}` }
}

/** The records in the order of their groups, and within them in the order given. */
export const sortByGroup = <T>(
  records: readonly T[],
  { column, isDescending }: { readonly column: ListColumn<T>; readonly isDescending: boolean },
  timeZone: string,
): T[] =>
  records
    .map((record) => ({ record, group: getGroupPosition(column, record, timeZone) }))
    .toSorted((a, b) => compareGroups(a.group, b.group, isDescending))
    .map(({ record }) => record)

/** The values of a column with the number of records that have each, in the order of the column; the empty one comes last. */
export const countColumnValues = <T>(records: readonly T[], column: ListColumn<T>, timeZone: string): ReadonlyMap<string, number> => {
  const groups = new Map<string, { readonly position: GroupPosition; count: number }>()
  for (const record of records) {
    const position = getGroupPosition(column, record, timeZone)
    const group = groups.get(position.value)
    if (group) group.count++
    else groups.set(position.value, { position, count: 1 })
  }
  return new Map(
    [...groups].toSorted(([, a], [, b]) => compareGroups(a.position, b.position, false)).map(([value, { count }]) => [value, count]),
  )
}

/** The columns that records are filtered, grouped and sorted by. */
export const listOrderingColumns = <C extends { readonly key: string }>(
  { sort, group, where }: { readonly sort?: string | undefined; readonly group?: string | undefined; readonly where?: string | undefined },
  columns: readonly C[],
): C[] => {
  const keys = new Set([parseSort(sort, columns)?.column.key, group, ...parseColumnFilters(where, columns).map(({ key }) => key)])
  return columns.filter(({ key }) => keys.has(key))
}
