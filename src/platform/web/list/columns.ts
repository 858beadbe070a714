import type { ReactNode } from 'react'

import { sheetOf } from '../../contract/sheet.ts'

/** A column of a list as a table: said once, and shown, sorted by and copied from there. */
export interface Column<T> {
  /** Its name in the address: `?sort=city`. */
  readonly key: string
  readonly label: string
  /** What is sorted by and copied; null where the record has none. */
  readonly text: (record: T) => string | number | null
  /** What is sorted by, where that is not the text: a moment instead of its day in words. */
  readonly order?: (record: T) => string | number | null
  /** The ISO day it is of, where its text is a day in words: a file has a real date there. */
  readonly day?: (record: T) => string | null
  /** What the cell shows, where that is more than its text. */
  readonly cell?: (record: T) => ReactNode
  /** Its width in rem. The first column takes what is left as well. */
  readonly width: number
  /** Numbers stand at the right. */
  readonly isNumber?: boolean
  /** It is there until somebody chooses otherwise. The first column is always there. */
  readonly atFirst?: boolean
}

const words = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** The records by one column; those that have nothing there come last either way, and equal ones stay as they stood. */
export const sortedBy = <T>(records: readonly T[], { text, order = text }: Pick<Column<T>, 'text' | 'order'>, down: boolean): T[] => {
  const keyed = records.map((record) => ({ record, key: order(record) }))
  const has = ({ key }: (typeof keyed)[number]) => key !== null && key !== ''
  const sign = down ? -1 : 1
  return keyed
    .toSorted((a, b) => {
      if (!has(a) || !has(b)) return Number(has(b)) - Number(has(a))
      return typeof a.key === 'number' && typeof b.key === 'number'
        ? sign * (a.key - b.key)
        : sign * words.compare(String(a.key), String(b.key))
    })
    .map(({ record }) => record)
}

/** `?sort=city`, or `?sort=-city` from the end. Undefined where there is no such column: the list's own order. */
export const readSort = <T>(
  sort: string | undefined,
  columns: readonly Column<T>[],
): { readonly column: Column<T>; readonly down: boolean } | undefined => {
  const down = sort?.startsWith('-') ?? false
  const column = columns.find(({ key }) => key === (down ? sort?.slice(1) : sort))
  return column && { column, down }
}

/** What a press on a column's head leads to: from its beginning, then from its end, then the list's own order again. */
export const nextSort = (key: string, sort: string | undefined): string | undefined =>
  sort === key ? `-${key}` : sort === `-${key}` ? undefined : key

const written = (text: string | number | null): string => (text === null ? '' : String(text))

/** Records as a spreadsheet takes them, with a head. */
export const tableText = <T>(records: readonly T[], columns: readonly Column<T>[]): string =>
  sheetOf([columns.map(({ label }) => label), ...records.map((record) => columns.map(({ text }) => written(text(record))))])

/** Each text once, in order, without those that are missing. */
export const eachText = <T>(records: readonly T[], textOf: (record: T) => string | null): string[] => [
  ...new Set(records.map((record) => textOf(record)?.trim() ?? '').filter(Boolean)),
]
