import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, useRef } from 'react'

import { ColumnMenu } from './ColumnMenu.tsx'
import { getNextSort } from './columns.ts'
import type { Column } from './columns.ts'
import { getRemSize } from './rem-size.ts'
import { type ColumnSizing, MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from './use-column-widths.ts'
import type { Table } from './use-table.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './RecordTable.module.css'

interface ColumnHeadProps<T> {
  column: Column<T>
  table: Table<T>
  sizing: ColumnSizing<T>
  /** The records that pass all other filters than those of columns. */
  listCandidates: () => readonly T[]
}

/** How much an arrow key widens a column, in rem. */
const KEY_STEP = 1

/** The right edge of a column, which is dragged to change its width; a double click or Enter fits it to its content. */
const WidthHandle = <T,>({ column, sizing }: Pick<ColumnHeadProps<T>, 'column' | 'sizing'>) => {
  const { key, label } = column
  const drag = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const { getWidth, resize, measure, fit } = sizing
  const dragTo = (x: number, isDone: boolean) => {
    if (drag.current && (isDone || x !== drag.current.x)) resize(key, drag.current.width + (x - drag.current.x) / getRemSize(), isDone)
  }
  return (
    <span
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={Math.round(getWidth(column))}
      aria-valuemin={MIN_COLUMN_WIDTH}
      aria-valuemax={MAX_COLUMN_WIDTH}
      className={classes.handle}
      data-print="no"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { x: event.clientX, width: measure(key) }
      }}
      onPointerMove={(event) => dragTo(event.clientX, false)}
      onLostPointerCapture={(event) => {
        if (event.clientX !== drag.current?.x) dragTo(event.clientX, true)
        drag.current = null
      }}
      onDoubleClick={() => fit(key)}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowRight' ? KEY_STEP : event.key === 'ArrowLeft' ? -KEY_STEP : 0
        if (by !== 0) resize(key, measure(key) + by, true)
        else if (event.key === 'Enter') fit(key)
        else return
        event.preventDefault()
      }}
    />
  )
}

const Head = <T,>({ column, table, sizing, listCandidates }: ColumnHeadProps<T>) => {
  const { key, label, isNumber } = column
  const { sort, setSort } = table
  const order = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined
  const Icon = order === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" aria-sort={order} aria-label={label} data-head={key} className={isNumber ? classes.number : undefined}>
      <div className={classes.head}>
        <button
          type="button"
          className={`${layoutClasses.inlineRow} ${textClasses.inheritedColor} ${classes.sort}`}
          onClick={() => setSort(getNextSort(key, sort))}
          title={`Sort by ${label}`}
        >
          {label}
          {order ? <Icon size={14} stroke={2} aria-hidden /> : null}
        </button>
        <ColumnMenu column={column} table={table} listCandidates={listCandidates} onFit={() => sizing.fit(key)} />
      </div>
      <WidthHandle column={column} sizing={sizing} />
    </th>
  )
}

/** The header of a column: sorts it with a press, has its menu, and changes its width. */
export const ColumnHead = memo(Head) as typeof Head
