import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { useIsNarrow } from '../narrow.ts'
import { getRemSize } from './rem-size.ts'
import { useArrowKeys } from './use-arrow-keys.ts'

import classes from './CardGrid.module.css'

/** Up to this many cards are all rendered, for the browser's own search and for printing. */
const MAX_UNVIRTUALIZED = 120

/** The sizes of a list's cards. */
export interface CardSizes {
  /** Minimum card width in rem; phones have one column. */
  minWidthRem: number
  /** Gap between cards in pixels: wide, narrow. */
  gap?: readonly [number, number]
  /** Card height in pixels, from its width and the size of a rem. On a phone a card becomes higher if its texts need another line. */
  getHeight: (width: number, rem: number, narrow: boolean) => number
}

interface CardGridProps<T> extends CardSizes {
  label: string
  records: readonly T[]
  getKey: (record: T) => string
  /** Must be stable between renders, like `getHeight` and `gap`, so that typing a letter does not render the cards again. */
  children: (record: T) => ReactNode
}

/** The width a grid will have on the page being rendered: needed before layout, so that Back can restore the scroll position. */
const getPageWidth = (): number => {
  const main = document.getElementById('main')
  if (!main) return Math.min(window.innerWidth, 1240)
  const { paddingLeft, paddingRight } = getComputedStyle(main)
  return main.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}

const GAP = [20, 12] as const

const Grid = <T,>({ label, records, getKey, children, minWidthRem, gap = GAP, getHeight }: CardGridProps<T>) => {
  const narrow = useIsNarrow()
  const list = useRef<HTMLUListElement>(null)
  const [{ width, rem, top }, setPlace] = useState(() => ({ width: getPageWidth(), rem: getRemSize(), top: 0 }))

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const measure = () => {
      const box = element.getBoundingClientRect()
      setPlace((before) => {
        const next = { width: box.width, rem: getRemSize(), top: box.top + window.scrollY }
        return before.width === next.width && before.rem === next.rem && before.top === next.top ? before : next
      })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  const between = narrow ? gap[1] : gap[0]
  const columns = narrow ? 1 : Math.max(1, Math.floor((width + between) / (minWidthRem * rem + between)))
  const height = Math.round(getHeight((width - between * (columns - 1)) / columns, rem, narrow))
  const rows = Math.ceil(records.length / columns)
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => height,
    gap: between,
    indexAttribute: 'data-place',
    scrollMargin: top,
    overscan: records.length <= MAX_UNVIRTUALIZED ? rows : 3,
    initialOffset: () => window.scrollY,
  })
  // The virtualizer caches measured sizes; ours change with the window.
  useLayoutEffect(() => virtual.measure(), [virtual, height, between])

  useArrowKeys(
    list,
    records.length,
    columns,
    useCallback((index: number) => virtual.scrollToIndex(Math.floor(index / columns)), [virtual, columns]),
  )

  const drawn = virtual.getVirtualItems()
  const first = drawn[0]
  const last = drawn.at(-1)
  const from = (first?.index ?? 0) * columns
  const until = first && last ? (last.index + 1) * columns : 0
  return (
    <ul
      ref={list}
      aria-label={label}
      className={classes.grid}
      style={{
        gap: between,
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        gridAutoRows: narrow ? `minmax(${height}px, auto)` : height,
        paddingTop: first ? first.start - top : 0,
        paddingBottom: last ? Math.max(0, virtual.getTotalSize() - (last.end - top)) : virtual.getTotalSize(),
      }}
    >
      {records.slice(from, until).map((record, at) => (
        <li
          key={getKey(record)}
          ref={narrow ? virtual.measureElement : undefined}
          data-place={from + at}
          aria-setsize={records.length}
          aria-posinset={from + at + 1}
        >
          {children(record)}
        </li>
      ))}
    </ul>
  )
}

/** Cards in columns. Only those near the viewport are rendered, so that 10,000 scroll as smoothly as ten. */
export const CardGrid = memo(Grid) as typeof Grid
