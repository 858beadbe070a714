import { VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconArrowDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { formatDay } from '../../../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../../../contract/deadlines.ts'
import { findShortcut, hasModifier, useKeyDown } from '../../../../platform/web/keyboard.ts'
import { formatDistance } from '../rules.ts'
import { getShownDate } from './agenda.ts'
import { useDeadlineActions } from './deadline-actions.ts'
import { ACTION_KEYS, GRID_KEYS } from './deadline-keys.ts'
import { getRecordAddress } from './deadline-records.ts'
import { actOnDeadline } from './use-row-keys.ts'
import { formatState, isOverdue, layoutMarks, type YearMark, type YearOrder, type YearRange, type YearRow } from './year-layout.ts'
import { YearCard } from './YearCard.tsx'
import { type ShownYear, YearHead, YearLine } from './YearLine.tsx'
import { getMarkName, getMarkStyle, MarkPicture } from './YearMarks.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './YearGrid.module.css'

const OPEN_AFTER_MS = 120
const CLOSE_AFTER_MS = 250

const isBusy = (): boolean =>
  document.activeElement?.closest('[data-year-card]') !== null && document.activeElement?.closest('[data-year-card]') !== undefined

/** Which mark's card is open: it opens on hover and focus, and stays open while the pointer or focus is on it. */
const useYearCard = () => {
  const [openKey, setOpenKey] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const stay = useCallback(() => clearTimeout(timer.current), [])
  const open = useCallback((key: string, isNow: boolean) => {
    clearTimeout(timer.current)
    if (isNow) setOpenKey(key)
    else timer.current = setTimeout(() => setOpenKey(key), OPEN_AFTER_MS)
  }, [])
  const close = useCallback(() => {
    clearTimeout(timer.current)
    setOpenKey(null)
  }, [])
  const leave = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      // A dialog opened by the card returns the focus to it.
      if (!isBusy() && document.querySelector('[role="dialog"]') === null) setOpenKey(null)
    }, CLOSE_AFTER_MS)
  }, [])
  return { openKey, open, stay, leave, close }
}

const SIGN_SIZE = 20
/** Used before the first measurement. */
const DEFAULT_WIDTH = 700

export const NextDeadline = ({ row: { next }, today }: { row: YearRow; today: string }) => {
  if (!next) return <span className={`${layoutClasses.block} ${textClasses.caption} ${textClasses.count} ${classes.secondary}`}>None</span>
  const shown = getShownDate(next)
  return (
    <span className={`${textClasses.figures} ${textClasses.unbroken} ${classes.next}`} data-overdue={isOverdue(next, today) || undefined}>
      {formatDay(shown)}
      <span className={`${layoutClasses.block} ${textClasses.caption} ${textClasses.count} ${classes.secondary}`}>
        {formatDistance(shown, today)}
      </span>
    </span>
  )
}

export const RecordName = ({ row }: { row: YearRow }) => (
  <>
    <span className={`${textClasses.twoLines} ${textClasses.strong} ${classes.name}`}>{row.name}</span>
    <span className={`${layoutClasses.block} ${textClasses.caption} ${textClasses.count} ${classes.secondary}`}>{row.region}</span>
  </>
)

interface GridRowProps extends ShownYear {
  readonly row: YearRow
  readonly marks: readonly YearMark[]
  /** The tab stop of this row; null if it is in another row. */
  readonly activeKey: string | null
  readonly openKey: string | null
  readonly onActivate: (key: string) => void
  readonly onOpen: (key: string, isNow: boolean) => void
  readonly onLeave: () => void
}

const getMarkKey = ({ deadlines }: YearMark): string => deadlines[0]._id

const GridRow = memo(({ row, marks, range, months, today, activeKey, openKey, onActivate, onOpen, onLeave }: GridRowProps) => {
  const record = { _id: row._id, slug: row.slug, name: row.name }
  const address = getRecordAddress(row.isSite ? { charter: null, site: record } : { charter: record, site: null })
  return (
    <div role="row" className={`${layoutClasses.lineBelow} ${classes.row}`} data-row={row._id}>
      <div role="rowheader" className={classes.cell}>
        <Link
          {...address}
          data-cell
          tabIndex={activeKey === row._id ? 0 : -1}
          className={`${layoutClasses.block} ${textClasses.textColor} ${classes.record}`}
          onFocus={() => onActivate(row._id)}
        >
          <RecordName row={row} />
        </Link>
      </div>
      <div role="gridcell" className={classes.cell}>
        <NextDeadline row={row} today={today} />
      </div>
      <div role="gridcell" className={`${layoutClasses.positioned} ${layoutClasses.shrinkable}`}>
        <YearLine row={row} range={range} months={months} today={today} />
        {marks.map((mark) => {
          const key = getMarkKey(mark)
          return (
            <button
              key={key}
              type="button"
              data-cell
              data-mark={key}
              data-place={mark.fraction}
              tabIndex={activeKey === key ? 0 : -1}
              className={`${layoutClasses.centered} ${classes.mark}`}
              data-open={openKey === key || undefined}
              style={getMarkStyle(mark)}
              aria-label={getMarkName(mark, row.name, today)}
              aria-expanded={openKey === key}
              onPointerEnter={({ pointerType }) => (pointerType === 'mouse' ? onOpen(key, false) : undefined)}
              onPointerLeave={onLeave}
              onFocus={() => {
                onActivate(key)
                onOpen(key, true)
              }}
              onBlur={onLeave}
            >
              <MarkPicture mark={mark} today={today} size={SIGN_SIZE} />
            </button>
          )
        })}
      </div>
      <div role="gridcell" className={`${textClasses.figures} ${layoutClasses.alignEnd} ${classes.term}`}>
        {row.termEnd === null ? (
          <span className={`${layoutClasses.block} ${textClasses.caption} ${textClasses.count} ${classes.secondary}`}>
            {row.isSite ? '' : 'No term'}
          </span>
        ) : (
          formatDay(row.termEnd)
        )}
      </div>
    </div>
  )
})
GridRow.displayName = 'GridRow'

interface HeadingProps {
  readonly order: YearOrder
  readonly current: YearOrder
  readonly onSort: (order: YearOrder) => void
  readonly children: string
}

const Heading = ({ order, current, onSort, children }: HeadingProps) => (
  <div role="columnheader" aria-sort={order === current ? 'ascending' : undefined} className={classes.heading} data-order={order}>
    <button
      type="button"
      className={`${textClasses.label} ${layoutClasses.inlineRow} ${layoutClasses.gap4} ${layoutClasses.minHeight24} ${classes.sort}`}
      data-on={order === current || undefined}
      onClick={() => onSort(order)}
    >
      {children}
      {order === current ? <IconArrowDown size={15} stroke={2} aria-hidden /> : null}
    </button>
  </div>
)

/** The contents of the chart as a table for screen readers. */
const YearTable = ({ rows, range, today }: { rows: readonly YearRow[]; range: YearRange; today: string }) => (
  <VisuallyHidden component="table">
    <caption>Deadlines by charter, as a table</caption>
    <thead>
      <tr>
        <th scope="col">Charter</th>
        <th scope="col">Kind</th>
        <th scope="col">Date</th>
        <th scope="col">State</th>
      </tr>
    </thead>
    <tbody>
      {rows.flatMap((row) =>
        row.deadlines
          .filter((deadline) => getShownDate(deadline) >= range.start && getShownDate(deadline) < range.end)
          .map((deadline) => (
            <tr key={deadline._id}>
              <th scope="row">{row.name}</th>
              <td>
                {DEADLINE_KINDS[deadline.kind].name}: {deadline.title}
              </td>
              <td>{formatDay(getShownDate(deadline))}</td>
              <td>{formatState(deadline, today)}</td>
            </tr>
          )),
      )}
    </tbody>
  </VisuallyHidden>
)

/** The element that a key moves to: along the row, or to the nearest one in another row. */
const findCell = (event: KeyboardEvent, cell: HTMLElement, grid: HTMLElement): HTMLElement | undefined => {
  const move = findShortcut(event, GRID_KEYS)
  const rows = [...grid.querySelectorAll<HTMLElement>('[data-row]')]
  const row = cell.closest<HTMLElement>('[data-row]')
  const cellsOf = (one: HTMLElement | undefined) => [...(one?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])]
  const own = cellsOf(row ?? undefined)
  const at = own.indexOf(cell)
  if (move === 'right') return own[at + 1]
  if (move === 'left') return own[at - 1]
  if (move === 'first') return own[0]
  if (move === 'last') return own.at(-1)
  if (move !== 'down' && move !== 'up') return undefined
  const [name, ...marks] = cellsOf(rows[row ? rows.indexOf(row) + (move === 'down' ? 1 : -1) : 0])
  const fraction = cell.dataset['place']
  if (fraction === undefined || marks.length === 0) return name
  const distance = (mark: HTMLElement): number => Math.abs(Number(mark.dataset['place']) - Number(fraction))
  return marks.toSorted((a, b) => distance(a) - distance(b))[0]
}

interface YearGridProps extends ShownYear {
  readonly rows: readonly YearRow[]
  readonly order: YearOrder
  readonly onSort: (order: YearOrder) => void
}

/** A row per charter: its term as a line, with a mark for each date. */
export const YearGrid = ({ rows, range, months, today, order, onSort }: YearGridProps) => {
  const area = useRef<HTMLDivElement>(null)
  const { ref: head, width } = useElementSize()
  const actions = useDeadlineActions()
  const { openKey, open, stay, leave, close } = useYearCard()
  const [active, setActive] = useState<string | null>(null)
  const marksOf = useMemo(
    () =>
      new Map(rows.map((row) => [row._id, layoutMarks(row.deadlines, { range, width: width || DEFAULT_WIDTH, markWidth: SIGN_SIZE + 2 })])),
    [rows, range, width],
  )
  const keys = new Map(rows.flatMap((row) => [row._id, ...(marksOf.get(row._id) ?? []).map(getMarkKey)].map((key) => [key, row] as const)))
  const activeKey = active !== null && keys.has(active) ? active : (rows[0]?._id ?? null)
  const openRow = openKey === null ? undefined : keys.get(openKey)
  const openMark = openRow && marksOf.get(openRow._id)?.find((mark) => getMarkKey(mark) === openKey)
  const findMark = (key: string | undefined): YearMark | undefined =>
    key === undefined ? undefined : marksOf.get(keys.get(key)?._id ?? '')?.find((mark) => getMarkKey(mark) === key)

  useKeyDown((event) => {
    const target = event.target as HTMLElement
    if (hasModifier(event)) return
    if (event.key === 'Escape' && openKey !== null) {
      const mark = area.current?.querySelector<HTMLElement>(`[data-mark="${CSS.escape(openKey)}"]`)
      event.preventDefault()
      if (document.activeElement !== mark) mark?.focus()
      close()
      return
    }
    const cell = target.closest<HTMLElement>('[data-cell]')
    if (!cell) return
    const mark = findMark(cell.dataset['mark'])
    if (mark && event.key === 'Enter') {
      event.preventDefault()
      open(getMarkKey(mark), true)
      requestAnimationFrame(() => area.current?.querySelector<HTMLElement>('[data-year-card] a')?.focus())
      return
    }
    const next = findCell(event, cell, event.currentTarget as HTMLElement)
    const action = findShortcut(event, ACTION_KEYS)
    if (next) {
      event.preventDefault()
      next.focus()
    } else if (mark && !mark.isCount && action && actOnDeadline(action, mark.deadlines[0], actions)) event.preventDefault()
  }, area)

  return (
    <div ref={area} className={classes.area}>
      <div role="grid" aria-label="Deadlines by charter" aria-rowcount={rows.length + 1}>
        <div role="row" className={classes.headRow}>
          <Heading order="charter" current={order} onSort={onSort}>
            Charter
          </Heading>
          <Heading order="next" current={order} onSort={onSort}>
            Next deadline
          </Heading>
          <div role="columnheader" ref={head}>
            <VisuallyHidden component="span">Year</VisuallyHidden>
            <YearHead range={range} months={months} today={today} />
          </div>
          <Heading order="term" current={order} onSort={onSort}>
            Term ends
          </Heading>
        </div>
        {rows.map((row) => (
          <GridRow
            key={row._id}
            {...{ row, range, months, today }}
            marks={marksOf.get(row._id) ?? []}
            activeKey={activeKey !== null && keys.get(activeKey) === row ? activeKey : null}
            openKey={openRow === row ? openKey : null}
            onActivate={setActive}
            onOpen={open}
            onLeave={leave}
          />
        ))}
      </div>
      {openRow && openMark && openKey !== null ? (
        <YearCard row={openRow} mark={openMark} markKey={openKey} today={today} area={area} onStay={stay} onLeave={leave} />
      ) : null}
      <YearTable rows={rows} range={range} today={today} />
    </div>
  )
}
