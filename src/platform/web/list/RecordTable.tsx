import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { Fragment, memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FocusEvent, ReactNode, RefObject } from 'react'

import { getColumnValue } from '../../../contract/column-filters.ts'
import { formatNumber } from '../../../contract/format.ts'
import { configuration } from '../configuration.ts'
import { isPressed } from '../keyboard.ts'
import type { CellState, EditedTable, TableCells } from './cells.ts'
import { ColumnHead } from './ColumnHead.tsx'
import { formatColumnValue, getCellText } from './columns.ts'
import type { Column } from './columns.ts'
import { SELECTION_KEYS } from './list-keys.ts'
import { getRemSize } from './rem-size.ts'
import { listTableRows, type TableRow } from './table-rows.ts'
import { Tick } from './Tick.tsx'
import { useArrowKeys } from './use-arrow-keys.ts'
import { useCellKeys } from './use-cell-keys.ts'
import { useColumnWidths } from './use-column-widths.ts'
import type { Selection } from './use-selection.ts'
import type { Table } from './use-table.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './RecordTable.module.css'

/** Up to this many rows are all rendered, for the browser's own search and for printing. */
const MAX_UNVIRTUALIZED = 200
/** Row height in rem, including its hairline. */
const ROW_HEIGHT_REM = 3.0625

/** Width of the checkbox column in rem. */
const TICKS_WIDTH_REM = 2.25

/** The maximum share of the width for the sticky first column. */
const MAX_FIRST_COLUMN_SHARE = 0.42

/** Scrolls a focused element out from under the sticky first column. Only for the keyboard: a mouse click must not move its target. */
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

interface EditableCellProps {
  column: string
  editable: ReadonlySet<string>
  state: CellState | undefined
}

/** What makes a cell one of a grid. */
const toEditable = ({ column, editable, state }: EditableCellProps) => ({
  'data-column': column,
  'data-mark': state?.mark,
  tabIndex: -1,
  title: state?.message,
  ...(editable.has(column) ? {} : { 'aria-readonly': true }),
})

interface RowProps<T> extends Pick<Partial<TableCells>, 'editable' | 'setAnchor'> {
  record: T
  columns: readonly Column<T>[]
  index: number
  /** Among all rows of the table. */
  rowIndex: number
  height: number
  /** Undefined if rows cannot be selected. */
  isTicked: boolean | undefined
  onTick: ((index: number, isRange: boolean) => void) | undefined
  /** Its cells with a value that is not stored. */
  states: ReadonlyMap<string, CellState> | undefined
}

const RowOf = <T,>({ record, columns, index, rowIndex, height, isTicked, onTick, editable, states, setAnchor }: RowProps<T>) => (
  <tr aria-rowindex={rowIndex} data-place={index} data-ticked={isTicked || undefined} style={{ height }}>
    {isTicked === undefined ? null : (
      <td className={classes.tick} data-print="no">
        <Tick
          label={`Select ${String(columns[0] ? getCellText(columns[0], record) : '')}`}
          checked={isTicked}
          onTick={(isRange) => onTick?.(index, isRange)}
        />
      </td>
    )}
    {columns.map((column, at) => {
      const Cell = at === 0 ? 'th' : 'td'
      const state = states?.get(column.key)
      return (
        <Cell
          key={column.key}
          scope={at === 0 ? 'row' : undefined}
          className={column.isNumber ? classes.number : undefined}
          {...(editable ? toEditable({ column: column.key, editable, state }) : {})}
        >
          {state ? state.text : renderCell(column, record)}
          {state?.mark === 'open' ? <span ref={setAnchor} className={classes.anchor} /> : null}
        </Cell>
      )
    })}
  </tr>
)
const Row = memo(RowOf) as typeof RowOf

interface RecordTableProps<T> {
  label: string
  table: Table<T>
  /** The listed records, in order. */
  records: readonly T[]
  getKey: (record: T) => string
  /** The records that pass all other filters than those of columns. Must be stable between renders. */
  listCandidates: () => readonly T[]
  /** The selection, for people who may change many records. */
  selection?: Selection<T> | null
  /** Renders what edits the cells, for people who may; must be stable between renders. */
  renderEditing?: ((table: EditedTable) => ReactNode) | undefined
}

/** Space on a row's link or cell toggles the row. */
const useSpaceKey = (body: RefObject<HTMLElement | null>, onTick: ((index: number, isRange: boolean) => void) | undefined): void => {
  useEffect(() => {
    const element = body.current
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPressed(event, SELECTION_KEYS.toggle) || !(event.target instanceof Element) || !event.target.matches('a, [data-column]'))
        return
      const row = event.target.closest('[data-place]')
      if (!row || !onTick) return
      event.preventDefault()
      onTick(Number(row.getAttribute('data-place')), event.shiftKey)
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [body, onTick])
}

const Records = <T extends { readonly _id: string }>(props: RecordTableProps<T>) => {
  const { label, table, records, getKey, listCandidates, selection = null, renderEditing } = props
  const { visibleColumns, group } = table
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
  const element = useRef<HTMLTableElement>(null)
  const sizing = useColumnWidths(table, element)
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const rows: readonly TableRow[] = useMemo(
    () =>
      group
        ? listTableRows(
            records.map((record) => getColumnValue(group, record, configuration.timeZone)),
            collapsed,
          )
        : records.map((_record, place) => ({ place })),
    [records, group, collapsed],
  )
  const places = useMemo(() => rows.flatMap((row) => ('place' in row ? [row.place] : [])), [rows])
  const height = Math.round(ROW_HEIGHT_REM * rem)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    scrollMargin: top,
    overscan: rows.length <= MAX_UNVIRTUALIZED ? rows.length : 8,
    // The heading of the first visible row is sticky.
    rangeExtractor: (range) => {
      const heading = rows.findLastIndex((row, index) => index <= range.startIndex && 'value' in row)
      return [...new Set([...(heading < 0 ? [] : [heading]), ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b)
    },
    initialOffset: () => window.scrollY,
  })
  useLayoutEffect(() => virtual.measure(), [virtual, height])
  const drawn = virtual.getVirtualItems()
  const after = virtual.getTotalSize() - ((drawn.at(-1)?.end ?? top) - top)
  useArrowKeys(
    body,
    records.length,
    1,
    useCallback((index: number) => virtual.scrollToIndex(rows.findIndex((row) => 'place' in row && row.place === index)), [virtual, rows]),
    places,
  )
  const onTick = selection?.toggle
  useSpaceKey(body, onTick)
  const [edited, setCells] = useState<TableCells | null>(null)
  const cells = renderEditing ? edited : null
  useCellKeys(body, cells)
  const getName = useCallback(
    (place: number) => {
      const [record, column] = [records[place], visibleColumns[0]]
      return record && column ? String(getCellText(column, record)) : ''
    },
    [records, visibleColumns],
  )
  const ticksWidth = selection ? TICKS_WIDTH_REM : 0
  // The first column makes room for the checkboxes, so that a table fits equally with and without them.
  const firstWidth = visibleColumns[0] ? sizing.getWidth(visibleColumns[0]) : 0
  const minTotal = visibleColumns.reduce((sum, column) => sum + sizing.getWidth(column), sizing.isFixed ? ticksWidth : 0)
  // Widths that were measured add up to the width of the container only roughly.
  const scrolls = width > 0 && minTotal * rem > width + 1
  const first = Math.min(firstWidth, scrolls ? (MAX_FIRST_COLUMN_SHARE * width) / rem : Infinity)

  return (
    <div
      ref={room}
      className={classes.container}
      data-scrolls={scrolls || undefined}
      data-ticks={selection !== null || undefined}
      // A scrollable region must be focusable by keyboard.
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
      {renderEditing?.({ records, columns: table.columns, visibleColumns, getName, onChange: setCells })}
      <table
        ref={element}
        role={cells ? 'grid' : undefined}
        className={`${layoutClasses.fixedTable} ${classes.table}`}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        style={{ [sizing.isFixed ? 'width' : 'minWidth']: `${minTotal - firstWidth + first}rem` }}
      >
        <colgroup>
          {selection ? <col style={{ width: `${TICKS_WIDTH_REM}rem` }} /> : null}
          {visibleColumns.map((column, at) => (
            <col
              key={column.key}
              style={at > 0 ? { width: `${sizing.getWidth(column)}rem` } : scrolls || sizing.isFixed ? { width: `${first}rem` } : undefined}
            />
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
              <ColumnHead key={column.key} column={column} table={table} sizing={sizing} listCandidates={listCandidates} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {drawn.map(({ index, start }, at) => {
            const row = rows[index]
            const record = row && 'place' in row ? records[row.place] : undefined
            const space = start - (drawn[at - 1]?.end ?? top)
            return (
              <Fragment key={record ? getKey(record) : `row ${index}`}>
                {space >= 1 ? <tr aria-hidden className={classes.space} style={{ height: space }} /> : null}
                {row && 'value' in row && group ? (
                  <tr aria-rowindex={index + 2} className={classes.group} style={{ height }}>
                    <td colSpan={visibleColumns.length + (selection ? 1 : 0)}>
                      <button
                        type="button"
                        className={layoutClasses.inlineRow}
                        aria-expanded={!collapsed.has(row.value)}
                        onClick={() => setCollapsed((before) => before.symmetricDifference(new Set([row.value])))}
                      >
                        {collapsed.has(row.value) ? <IconChevronRight size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
                        <strong>{formatColumnValue(group, row.value)}</strong>{' '}
                        <span className={textClasses.dimmed}>{formatNumber(row.count)}</span>
                      </button>
                    </td>
                  </tr>
                ) : null}
                {row && 'place' in row && record ? (
                  <Row
                    record={record}
                    columns={visibleColumns}
                    index={row.place}
                    rowIndex={index + 2}
                    height={height}
                    isTicked={selection?.isTicked(getKey(record))}
                    onTick={onTick}
                    editable={cells?.editable}
                    states={cells?.states.get(getKey(record))}
                    setAnchor={cells?.setAnchor}
                  />
                ) : null}
              </Fragment>
            )
          })}
          {after > 0 ? <tr aria-hidden className={classes.space} style={{ height: after }} /> : null}
        </tbody>
      </table>
    </div>
  )
}

/**
 * A table of records. Only the rows near the viewport are rendered, so that 10,000 scroll as smoothly as ten. If the columns are wider than the page,
 * the table scrolls sideways in its own container, under its sticky first column.
 */
export const RecordTable = memo(Records) as typeof Records
