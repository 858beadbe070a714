import { type RefObject, useMemo, useState } from 'react'

import { getRemSize } from './rem-size.ts'
import type { ColumnWidths, Table } from './use-table.ts'

/** In rem. */
export const MIN_COLUMN_WIDTH = 4
export const MAX_COLUMN_WIDTH = 40

/** The widths of columns in rem. They are remembered at the end of a drag, and until then change only the table. Stable between renders. */
export const useColumnWidths = <T>(
  { visibleColumns: [first], widths: stored, setWidths }: Table<T>,
  table: RefObject<HTMLTableElement | null>,
) => {
  const [dragged, setDragged] = useState<ColumnWidths | null>(null)
  return useMemo(() => {
    const widths = dragged ?? stored
    const measure = (key: string): number =>
      (table.current?.querySelector(`th[data-head="${key}"]`)?.getBoundingClientRect().width ?? 0) / getRemSize()
    const resize = (key: string, width: number, isDone: boolean) => {
      // The first column keeps its width from then on, so that the border that is dragged follows the pointer.
      const own = first ? { [first.key]: measure(first.key) } : {}
      const next = { ...own, ...widths, [key]: Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)) }
      setDragged(isDone ? null : next)
      if (isDone) setWidths(next)
    }
    return {
      getWidth: ({ key, width }: { readonly key: string; readonly width: number }) => widths[key] ?? width,
      /** Whether the first column has a width of its own, and does not take the remaining space. */
      isFixed: first !== undefined && widths[first.key] !== undefined,
      measure,
      resize,
      /** As wide as the longest content of the rendered rows. */
      fit: (key: string) => {
        table.current?.toggleAttribute('data-fitting', true)
        const width = measure(key)
        table.current?.toggleAttribute('data-fitting', false)
        resize(key, width, true)
      },
    }
  }, [dragged, stored, first, setWidths, table])
}
