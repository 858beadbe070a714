import type { ReactNode } from 'react'

import { toClipboardText } from '../../../contract/clipboard-text.ts'
import type { CellText, ListColumn } from '../../../contract/lists.ts'
import { configuration } from '../configuration.ts'

/** How a table shows a column. */
export interface ColumnDisplay<T> {
  /** What the cell shows, where that is more than its text. */
  readonly cell?: (record: T) => ReactNode
  /** Its width in rem. The first column takes what is left as well. */
  readonly width: number
  /** It is there until someone chooses otherwise. The first column is always there. */
  readonly isDefault?: boolean
}

/** A column of a list as a table. */
export type Column<T> = ListColumn<T> & ColumnDisplay<T>

/** The columns of a list, each with its look. */
export const withDisplay = <T, const C extends readonly ListColumn<T>[]>(
  columns: C,
  looks: Readonly<Record<C[number]['key'], ColumnDisplay<T>>>,
): Column<T>[] => columns.map((column) => ({ ...column, ...looks[column.key as C[number]['key']] }))

/** The text of a cell, in the organization's time zone. */
export const getCellText = <T>({ text }: Pick<ListColumn<T>, 'text'>, record: T): CellText => text(record, configuration.timeZone)

/** What a press on a column's head leads to: from its beginning, then from its end, then the list's own order again. */
export const getNextSort = (key: string, sort: string | undefined): string | undefined =>
  sort === key ? `-${key}` : sort === `-${key}` ? undefined : key

const written = (text: CellText): string => (text === null ? '' : String(text))

/** Records as a spreadsheet takes them, with a head. */
export const formatTable = <T>(records: readonly T[], columns: readonly Column<T>[]): string =>
  toClipboardText([
    columns.map(({ label }) => label),
    ...records.map((record) => columns.map((column) => written(getCellText(column, record)))),
  ])

/** Each text once, in order, without those that are missing. */
export const listUniqueTexts = <T>(records: readonly T[], textOf: (record: T) => string | null): string[] => [
  ...new Set(records.map((record) => textOf(record)?.trim() ?? '').filter(Boolean)),
]
