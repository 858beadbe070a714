import type { ReactNode } from 'react'

import { toClipboardText } from '../../../contract/clipboard-text.ts'
import type { CellText, EditableListColumn, ListColumn } from '../../../contract/lists.ts'
import { configuration } from '../configuration.ts'

/** How a table displays a column. */
export interface ColumnDisplay<T> {
  /** The cell's content, if it is more than its text. */
  readonly cell?: (record: T) => ReactNode
  /** Its width in rem. The first column also takes the remaining space. */
  readonly width: number
  /** Shown by default. The first column is always shown. */
  readonly isDefault?: boolean
}

/** A column of a list displayed as a table. */
export type Column<T> = ListColumn<T> & Partial<Pick<EditableListColumn<T>, 'fields'>> & ColumnDisplay<T>

/** The columns of a list with their display. */
export const withDisplay = <T, const C extends readonly ListColumn<T>[]>(
  columns: C,
  displays: Readonly<Record<C[number]['key'], ColumnDisplay<T>>>,
): Column<T>[] => columns.map((column) => ({ ...column, ...displays[column.key as C[number]['key']] }))

/** The text of a cell, in the organization's time zone. */
export const getCellText = <T>({ text }: Pick<ListColumn<T>, 'text'>, record: T): CellText => text(record, configuration.timeZone)

/** A value of a column as filters and groups show it. */
export const formatColumnValue = ({ isNumber }: Pick<ListColumn<never>, 'isNumber'>, value: string): string =>
  value === '' ? 'Empty' : isNumber ? Number(value).toLocaleString('en-US') : value

/** The next sort after a click on a column's header: ascending, descending, then the list's default order. */
export const getNextSort = (key: string, sort: string | undefined): string | undefined =>
  sort === key ? `-${key}` : sort === `-${key}` ? undefined : key

const written = (text: CellText): string => (text === null ? '' : String(text))

/** Records as tab-separated text with a header. */
export const formatTable = <T>(records: readonly T[], columns: readonly Column<T>[]): string =>
  toClipboardText([
    columns.map(({ label }) => label),
    ...records.map((record) => columns.map((column) => written(getCellText(column, record)))),
  ])

/** Distinct texts in order, without missing ones. */
export const listUniqueTexts = <T>(records: readonly T[], textOf: (record: T) => string | null): string[] => [
  ...new Set(records.map((record) => textOf(record)?.trim() ?? '').filter(Boolean)),
]
