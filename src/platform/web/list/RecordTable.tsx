import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { FocusEvent, ReactNode, RefObject } from 'react'

import { getNextSort, getCellText } from './columns.ts'
import type { Column } from './columns.ts'
import { Tick } from './Tick.tsx'
import { useArrowKeys } from './use-arrow-keys.ts'
import type { Selection } from './use-selection.ts'
import type { Table } from './use-table.ts'

import classes from './RecordTable.module.css'

/** So many rows are simply all there, for the browser's own search and for printing. */
const MAX_UNVIRTUALIZED = 200
/** Height of a row in rem, its hairline included. */
const ROW_HEIGHT_REM = 3.0625

/** Width of the column of ticks in rem. */
const TICKS_WIDTH_REM = 2.25

/** The most of the room that its first column takes, where the others move beside it. */
const MAX_FIRST_COLUMN_SHARE = 0.42

const getRemSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Brings what the keyboard reached out from below the first column. A mouse sees where it presses, and nothing may move under it. */
const scrollIntoViewBesideFirstColumn = ({ target, currentTarget: room }: FocusEvent<HTMLElement>): void => {
  const first = target.closest('tr')?.querySelector('th')
  if (!first || first.contains(target) || !target.matches(':focus-visible')) return
  room.scrollLeft -= Math.max(0, first.getBoundingClientRect().right - target.getBoundingClientRect().left)
}

const renderCell = <T,>(column: Column<T>, record: T): ReactNode => {
  const { cell, isNumber } = column
  if (cell) return cell(record)
  const value = getCellText(column, record)
  return isNumber && typeof value === 'number' ? value.toLocaleString('en-US') : value
}

const getAriaSort = (key: string, sort: string | undefined) => (sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined)

const Head = <T,>({ column: { key, label, isNumber }, table: { sort, setSort } }: { column: Column<T>; table: Table<T> }) => {
  const order = getAriaSort(key, sort)
  const Sign = order === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" aria-sort={order} className={isNumber ? classes.number : undefined}>
      <button type="button" className={classes.sort} onClick={() => setSort(getNextSort(key, sort))} title={`Sort by ${label}`}>
        {label}
        {order ? <Sign size={14} stroke={2} aria-hidden /> : null}
      </button>
    </th>
  )
}

interface RowProps<T> {
  record: T
  columns: readonly Column<T>[]
  place: number
  height: number
  /** Undefined where rows cannot be ticked. */
  isTicked: boolean | undefined
  onTick: ((place: number, isRange: boolean) => void) | undefined
}

const RowOf = <T,>({ record, columns, place, height, isTicked, onTick }: RowProps<T>) => (
  <tr aria-rowindex={place + 2} data-place={place} data-ticked={isTicked || undefined} style={{ height }}>
    {isTicked === undefined ? null : (
      <td className={classes.tick} data-print="no">
        <Tick
          label={`Select ${String(columns[0] ? getCellText(columns[0], record) : '')}`}
          checked={isTicked}
          onTick={(isRange) => onTick?.(place, isRange)}
        />
      </td>
    )}
    {columns.map((column, at) =>
      at === 0 ? (
        <th key={column.key} scope="row">
          {renderCell(column, record)}
        </th>
      ) : (
        <td key={column.key} className={column.isNumber ? classes.number : undefined}>
          {renderCell(column, record)}
        </td>
      ),
    )}
  </tr>
)
const Row = memo(RowOf) as typeof RowOf

interface RecordTableProps<T> {
  label: string
  table: Table<T>
  /** The records that show, in their order. */
  records: readonly T[]
  getKey: (record: T) => string
  /** The ticks of those who may change many records. */
  selection?: Selection<T> | null
}

/** Space on a row's link ticks the row. */
const useSpaceKey = (body: RefObject<HTMLElement | null>, onTick: ((place: number, isRange: boolean) => void) | undefined): void => {
  useEffect(() => {
    const element = body.current
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.ctrlKey || event.altKey || event.metaKey || !(event.target instanceof HTMLAnchorElement)) return
      const row = event.target.closest('[data-place]')
      if (!row || !onTick) return
      event.preventDefault()
      onTick(Number(row.getAttribute('data-place')), event.shiftKey)
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [body, onTick])
}

const Records = <T,>({ label, table, records, getKey, selection = null }: RecordTableProps<T>) => {
  const { visibleColumns } = table
  const room = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const [{ top, width, rem }, setPlace] = useState(() => ({ top: 0, width: 0, rem: getRemSize() }))
  useLayoutEffect(() => {
    const measure = () => {
      if (!body.current || !room.current) return
      const next = { top: body.current.getBoundingClientRect().top + window.scrollY, width: room.current.clientWidth, rem: getRemSize() }
      setPlace((before) => (before.top === next.top && before.width === next.width && before.rem === next.rem ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    if (room.current) observer.observe(room.current)
    return () => observer.disconnect()
  }, [])
  const height = Math.round(ROW_HEIGHT_REM * rem)
  const virtual = useWindowVirtualizer({
    count: records.length,
    estimateSize: () => height,
    scrollMargin: top,
    overscan: records.length <= MAX_UNVIRTUALIZED ? records.length : 8,
    initialOffset: () => window.scrollY,
  })
  useLayoutEffect(() => virtual.measure(), [virtual, height])
  const drawn = virtual.getVirtualItems()
  const before = drawn[0] ? drawn[0].start - top : 0
  const after = virtual.getTotalSize() - ((drawn.at(-1)?.end ?? top) - top)
  useArrowKeys(
    body,
    records.length,
    1,
    useCallback((place: number) => virtual.scrollToIndex(place), [virtual]),
  )
  const onTick = selection?.toggle
  useSpaceKey(body, onTick)
  const ticksWidth = selection ? TICKS_WIDTH_REM : 0
  // The first column gives room to the ticks, so that a table fits with them where it fits without.
  const minTotal = visibleColumns.reduce((sum, column) => sum + column.width, 0)
  const scrolls = width > 0 && minTotal * rem > width
  const first = Math.min(visibleColumns[0]?.width ?? 0, (MAX_FIRST_COLUMN_SHARE * width) / rem)

  return (
    <div
      ref={room}
      className={classes.room}
      data-scrolls={scrolls || undefined}
      data-ticks={selection !== null || undefined}
      // A room that scrolls is reached by keyboard.
      {...(scrolls
        ? {
            role: 'region',
            'aria-label': label,
            tabIndex: 0,
            onFocus: scrollIntoViewBesideFirstColumn,
            style: { scrollPaddingLeft: `${first + ticksWidth}rem` },
          }
        : {})}
    >
      <table
        className={classes.table}
        aria-label={label}
        aria-rowcount={records.length + 1}
        style={{ minWidth: `${scrolls ? minTotal - (visibleColumns[0]?.width ?? 0) + first : minTotal}rem` }}
      >
        <colgroup>
          {selection ? <col style={{ width: `${TICKS_WIDTH_REM}rem` }} /> : null}
          {visibleColumns.map(({ key, width: wide }, at) => (
            <col key={key} style={at > 0 ? { width: `${wide}rem` } : scrolls ? { width: `${first}rem` } : undefined} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {selection ? (
              <th scope="col" className={classes.tick} data-print="no">
                <Tick
                  label={`Select all ${records.length.toLocaleString('en-US')} rows`}
                  checked={selection.records.length === records.length}
                  isMixed={selection.records.length > 0 && selection.records.length < records.length}
                  onTick={() => (selection.records.length === records.length ? selection.clear() : selection.selectAll())}
                />
              </th>
            ) : null}
            {visibleColumns.map((column) => (
              <Head key={column.key} column={column} table={table} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 ? <tr aria-hidden className={classes.space} style={{ height: before }} /> : null}
          {drawn.map(({ index }) => {
            const record = records[index]
            return record === undefined ? null : (
              <Row
                key={getKey(record)}
                record={record}
                columns={visibleColumns}
                place={index}
                height={height}
                isTicked={selection?.isTicked(getKey(record))}
                onTick={onTick}
              />
            )
          })}
          {after > 0 ? <tr aria-hidden className={classes.space} style={{ height: after }} /> : null}
        </tbody>
      </table>
    </div>
  )
}

/**
 * Records to compare. Only the rows near the window are drawn, so that 10,000 stay as smooth as ten. Where the columns are wider than the
 * page, the table moves sideways in a room of its own, below its first column.
 */
export const RecordTable = memo(Records) as typeof Records
