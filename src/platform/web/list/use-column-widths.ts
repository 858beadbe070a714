import { type RefObject, useState } from 'react'

import type { Column } from './columns.ts'
import { getRemSize } from './rem-size.ts'
import type { ColumnWidths, Table } from './use-table.ts'

/** In rem. */
export const MIN_COLUMN_WIDTH = 4
export const MAX_COLUMN_WIDTH = 40

const findHead = (table: HTMLElement | null, key: string): Element | null => table?.querySelector(`th[data-head="${key}"]`) ?? null
const measure = (table: HTMLElement | null, key: string): number =>
  (findHead(table, key)?.getBoundingClientRect().width ?? 0) / getRemSize()

/** Changes the widths of the columns of a table. */
export interface ColumnSizing<T> {
  /** In rem. */
  readonly getWidth: (column: Column<T>) => number
  /** Whether the first column has a width of its own, and does not take the remaining space. */
  readonly isFixed: boolean
  /** Widens a column by a number of rem from its width at the start; `isDone` also remembers it. */
  readonly resize: (key: string, from: number, by: number, isDone: boolean) => void
  readonly getCurrentWidth: (key: string) => number
  /** As wide as the longest content of the rendered rows. */
  readonly fit: (key: string) => void
}

/** The widths of columns. They are remembered at the end of a drag, and until then change only the table. */
export const useColumnWidths = <T>(
  { visibleColumns: [first], widths: stored, setWidths }: Pick<Table<T>, 'visibleColumns' | 'widths' | 'setWidths'>,
  table: RefObject<HTMLElement | null>,
): ColumnSizing<T> => {
  const [dragged, setDragged] = useState<ColumnWidths | null>(null)
  const widths = dragged ?? stored
  // The first column keeps its width from then on, so that the border that is dragged follows the pointer.
  const set = (key: string, width: number, isDone: boolean) => {
    const next = {
      ...(first ? { [first.key]: measure(table.current, first.key) } : {}),
      ...widths,
      [key]: Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)),
    }
    setDragged(isDone ? null : next)
    if (isDone) setWidths(next)
  }
  return {
    getWidth: ({ key, width }) => widths[key] ?? width,
    isFixed: first !== undefined && widths[first.key] !== undefined,
    resize: (key, from, by, isDone) => set(key, from + by, isDone),
    getCurrentWidth: (key) => measure(table.current, key),
    fit: (key) => {
      table.current?.toggleAttribute('data-fitting', true)
      const width = measure(table.current, key)
      table.current?.toggleAttribute('data-fitting', false)
      set(key, width, true)
    },
  }
}
