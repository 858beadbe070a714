import { z } from 'zod'

import { type ListColumn, parseSort, sortByColumn } from './lists.ts'
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

/** Whether a record passes all filters. */
export const buildColumnFilter = <T>(filters: readonly ColumnFilter[], columns: readonly ListColumn<T>[], timeZone: string) => {
  const checks = filters.flatMap(({ key, operator, values }) => {
    const contains = createTextMatcher(values.join(' '))
    const passes = (value: string): boolean =>
      operator === 'is' ? values.includes(value) : operator === 'contains' ? contains(normalizeText(value)) : value !== ''
    return columns.filter((column) => column.key === key).map((column) => ({ column, passes }))
  })
  return (record: T): boolean => checks.every(({ column, passes }) => passes(getColumnValue(column, record, timeZone)))
}

/** The column that a list is grouped by: its first order, descending if the list is sorted by the same column in that order. */
export const parseGroup = <C extends { readonly key: string }>(
  group: string | undefined,
  sort: string | undefined,
  columns: readonly C[],
): ReturnType<typeof parseSort<C>> =>
  columns.some(({ key }) => key === group) ? parseSort(sort === `-${group}` ? sort : group, columns) : undefined

/** The values of a column with the number of records that have each, in the order of the column; the empty one comes last. */
export const countColumnValues = <T>(records: readonly T[], column: ListColumn<T>, timeZone: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const record of sortByColumn(records, column, false, timeZone)) {
    const value = getColumnValue(column, record, timeZone)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

/** The columns that records are filtered, grouped and sorted by. */
export const listOrderingColumns = <C extends { readonly key: string }>(
  { sort, group, where }: { readonly [Name in 'sort' | 'group' | 'where']?: string | undefined },
  columns: readonly C[],
): C[] => {
  const keys = new Set([sort?.replace(/^-/, ''), group, ...parseColumnFilters(where, columns).map(({ key }) => key)])
  return columns.filter(({ key }) => keys.has(key))
}
