import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, useRef } from 'react'

import { type ColumnFilterProps, ColumnMenu } from './ColumnMenu.tsx'
import { getNextSort } from './columns.ts'
import { getRemSize } from './rem-size.ts'
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH, type useColumnWidths } from './use-column-widths.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './RecordTable.module.css'

interface ColumnHeadProps<T> extends ColumnFilterProps<T> {
  sizing: ReturnType<typeof useColumnWidths>
}

/** How an arrow key changes the width, in rem. */
const KEY_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** The right edge of a column, which is dragged to change its width; a double click or Enter fits it to its content. */
const WidthHandle = <T,>({ column, sizing: { getWidth, measure, resize, fit } }: Pick<ColumnHeadProps<T>, 'column' | 'sizing'>) => {
  const { key, label } = column
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const dragTo = (x: number, isDone: boolean) => {
    if (start.current && x !== start.current.x) resize(key, start.current.width + (x - start.current.x) / getRemSize(), isDone)
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
      onPointerDown={({ currentTarget, pointerId, clientX }) => {
        currentTarget.setPointerCapture(pointerId)
        start.current = { x: clientX, width: measure(key) }
      }}
      onPointerMove={({ clientX }) => dragTo(clientX, false)}
      onLostPointerCapture={({ clientX }) => {
        dragTo(clientX, true)
        start.current = null
      }}
      onDoubleClick={() => fit(key)}
      onKeyDown={(event) => {
        const step = KEY_STEPS[event.key]
        if (step !== undefined) resize(key, measure(key) + step, true)
        else if (event.key === 'Enter') fit(key)
        else return
        event.preventDefault()
      }}
    />
  )
}

const Head = <T,>({ sizing, ...props }: ColumnHeadProps<T>) => {
  const { key, label, isNumber } = props.column
  const { sort, setSort } = props.table
  const order = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined
  const Icon = order === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" aria-sort={order} aria-label={label} data-head={key} className={isNumber ? classes.number : undefined}>
      <span className={`${layoutClasses.inlineRow} ${layoutClasses.gap2}`}>
        <button
          type="button"
          className={`${layoutClasses.inlineRow} ${textClasses.inheritedColor} ${classes.sort}`}
          onClick={() => setSort(getNextSort(key, sort))}
          title={`Sort by ${label}`}
        >
          {label}
          {order ? <Icon size={14} stroke={2} aria-hidden /> : null}
        </button>
        <ColumnMenu {...props} />
      </span>
      <WidthHandle column={props.column} sizing={sizing} />
    </th>
  )
}

/** The header of a column: sorts it with a press, has its menu, and changes its width. */
export const ColumnHead = memo(Head) as typeof Head
