import { type RefObject, useMemo, useState } from 'react'

import type { Column } from './columns.ts'
import { getRemSize } from './rem-size.ts'
import type { ColumnWidths, Table } from './use-table.ts'

/** In rem. */
export const MIN_COLUMN_WIDTH = 4
export const MAX_COLUMN_WIDTH = 40

const measure = (table: HTMLElement | null, key: string): number =>
  (table?.querySelector(`th[data-head="${key}"]`)?.getBoundingClientRect().width ?? 0) / getRemSize()

/** Changes the widths of the columns of a table. */
export interface ColumnSizing<T> {
  /** In rem. */
  readonly getWidth: (column: Column<T>) => number
  /** Whether the first column has a width of its own, and does not take the remaining space. */
  readonly isFixed: boolean
  /** `isDone` also remembers the width. */
  readonly resize: (key: string, width: number, isDone: boolean) => void
  /** The width of a column on the page, in rem. */
  readonly measure: (key: string) => number
  /** As wide as the longest content of the rendered rows. */
  readonly fit: (key: string) => void
}

/** The widths of columns. They are remembered at the end of a drag, and until then change only the table. Stable between renders. */
export const useColumnWidths = <T>(
  { visibleColumns: [first], widths: stored, setWidths }: Pick<Table<T>, 'visibleColumns' | 'widths' | 'setWidths'>,
  table: RefObject<HTMLElement | null>,
): ColumnSizing<T> => {
  const [dragged, setDragged] = useState<ColumnWidths | null>(null)
  return useMemo(() => {
    const widths = dragged ?? stored
    // The first column keeps its width from then on, so that the border that is dragged follows the pointer.
    const resize = (key: string, width: number, isDone: boolean) => {
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
      resize,
      measure: (key) => measure(table.current, key),
      fit: (key) => {
        table.current?.toggleAttribute('data-fitting', true)
        const width = measure(table.current, key)
        table.current?.toggleAttribute('data-fitting', false)
        resize(key, width, true)
      },
    }
  }, [dragged, stored, first, setWidths, table])
}
