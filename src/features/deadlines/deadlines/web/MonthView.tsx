import { Button, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef } from 'react'

import { createDayFormat } from '../../../../contract/dates.ts'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useIsNarrow } from '../../../../platform/web/narrow.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { getToday } from '../../../../platform/web/today.ts'
import type { Deadline } from '../contract.ts'
import { formatDistance } from '../rules.ts'
import { getShownDate } from './agenda.ts'
import { DeadlineDetails } from './DeadlineDetails.tsx'
import { DeadlineIcon } from './DeadlineIcon.tsx'
import { Legend } from './Legend.tsx'
import { countMonth, getDayOfKey, getMonth, getMonthStart, isWeekend, limitEntries, listWeeks } from './month-layout.ts'
import { StepButton } from './StepButton.tsx'
import type { DeadlinesFilter } from './use-deadline-filter.ts'
import { useDeadlinesBetween } from './use-deadlines-between.ts'
import { isOverdue } from './year-layout.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './MonthView.module.css'

const formatMonth = createDayFormat({ month: 'long', year: 'numeric' })
const formatMonthName = createDayFormat({ month: 'long' })
const formatLongDay = createDayFormat({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const formatHeading = createDayFormat({ weekday: 'long', month: 'short', day: 'numeric' })
const formatFirstDay = createDayFormat({ month: 'short', day: 'numeric' })
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const NONE: readonly Deadline[] = []
const count = (deadlines: readonly Deadline[]): string =>
  deadlines.length === 0 ? 'no deadlines' : `${deadlines.length} ${deadlines.length === 1 ? 'deadline' : 'deadlines'}`

const Entry = ({ deadline, today }: { deadline: Deadline; today: string }) => {
  const overdue = isOverdue(deadline, today)
  return (
    <li
      className={`${layoutClasses.shrinkable} ${layoutClasses.topRow} ${textClasses.smallerFont} ${classes.entry}`}
      data-overdue={overdue || undefined}
      data-handled={deadline.state === 'handled' || undefined}
    >
      <DeadlineIcon kind={deadline.kind} state={deadline.state} size={18} />
      <span className={`${layoutClasses.column} ${classes.text}`}>
        <span className={`${textClasses.twoLines} ${textClasses.strong} ${classes.title}`}>{deadline.title}</span>
        {overdue ? <strong>Overdue</strong> : null}
        <span className={`${textClasses.truncated} ${classes.record}`}>{(deadline.charter ?? deadline.site)?.name}</span>
      </span>
    </li>
  )
}

/** Only the icons, for phones, where space is limited. */
const Signs = ({ deadlines, today }: { deadlines: readonly Deadline[]; today: string }) => {
  const { shown, more } = limitEntries(deadlines)
  return (
    <span className={`${layoutClasses.toolbar} ${classes.icons}`}>
      {shown.map((deadline) => (
        <DeadlineIcon key={deadline._id} kind={deadline.kind} state={deadline.state} isOverdue={isOverdue(deadline, today)} size={16} />
      ))}
      {more > 0 ? <span className={classes.plus}>+{more}</span> : null}
    </span>
  )
}

interface DayCellProps {
  readonly day: string
  readonly month: string
  readonly today: string
  readonly isChosen: boolean
  readonly isNarrow: boolean
  readonly deadlines: readonly Deadline[]
}

const DayCell = ({ day, month, today, isChosen, isNarrow, deadlines }: DayCellProps) => {
  const { shown, more } = limitEntries(deadlines)
  const number = Number(day.slice(8))
  return (
    <div
      role="gridcell"
      tabIndex={isChosen ? 0 : -1}
      aria-selected={isChosen}
      className={`${layoutClasses.hoverable} ${layoutClasses.positioned} ${layoutClasses.shrinkable} ${classes.day}`}
      data-day={day}
      data-outside={getMonth(day) === month ? undefined : true}
      data-past={day < today || undefined}
      data-today={day === today || undefined}
    >
      <VisuallyHidden component="span">{`${formatLongDay(day)}${day === today ? ', today' : ''}, ${count(deadlines)}`}</VisuallyHidden>
      <span className={`${layoutClasses.block} ${textClasses.smallFont} ${textClasses.strong} ${classes.number}`} aria-hidden>
        {number === 1 && !isNarrow ? formatFirstDay(day) : number}
        {day === today ? (
          <span className={`${layoutClasses.notOnPhones} ${textClasses.smallerFont} ${textClasses.unbroken} ${classes.today}`}>Today</span>
        ) : null}
      </span>
      {isNarrow ? (
        <Signs deadlines={deadlines} today={today} />
      ) : (
        <>
          <ul className={classes.entries}>
            {shown.map((deadline) => (
              <Entry key={deadline._id} deadline={deadline} today={today} />
            ))}
          </ul>
          {more > 0 ? (
            <span className={`${layoutClasses.block} ${textClasses.linkColor} ${layoutClasses.topMargin4} ${classes.more}`}>
              {more} more
            </span>
          ) : null}
        </>
      )}
    </div>
  )
}

const ChosenDay = ({ day, today, deadlines }: { day: string; today: string; deadlines: readonly Deadline[] }) => (
  <section className={`${layoutClasses.framed} ${layoutClasses.scrolling} ${classes.panel}`} aria-labelledby="chosen-day">
    <h2 id="chosen-day">{formatHeading(day)}</h2>
    <p className={`${textClasses.note} ${layoutClasses.topMargin2}`} role="status">
      {day === today ? 'Today, ' : day > today ? `${formatDistance(day, today)}, ` : ''}
      {count(deadlines)}
    </p>
    <ul className={classes.list}>
      {deadlines.map((deadline) => (
        <li key={deadline._id}>
          <DeadlineDetails deadline={deadline} today={today} />
        </li>
      ))}
    </ul>
  </section>
)

/** '20 in November: 12 handled, 3 overdue, 5 to come' */
const Summary = ({ deadlines, chosen, today }: { deadlines: readonly Deadline[]; chosen: string; today: string }) => {
  const { all, handled, overdue, toCome } = countMonth(deadlines, getMonth(chosen), today)
  const parts = [
    ...(handled > 0 ? [<span key="handled">{handled} handled</span>] : []),
    ...(overdue > 0 ? [<strong key="overdue">{overdue} overdue</strong>] : []),
    ...(toCome > 0 ? [<span key="toCome">{toCome} to come</span>] : []),
  ]
  return (
    <p className={`${textClasses.dimmed} ${classes.summary}`} role="status">
      {all === 0 ? 'No deadlines' : all} in {formatMonthName(chosen)}
      {parts.map((part, at) => [at === 0 ? ': ' : ', ', part])}
    </p>
  )
}

interface MonthProps {
  readonly deadlines: readonly Deadline[]
  readonly today: string
  readonly chosen: string
  readonly onChoose: (day: string) => void
}

/** A month as a grid of days, with the chosen day beside it. */
const Month = ({ deadlines, today, chosen, onChoose }: MonthProps) => {
  const isNarrow = useIsNarrow()
  const grid = useRef<HTMLDivElement>(null)
  const month = getMonth(chosen)
  const byDay = useMemo(() => Map.groupBy(deadlines, getShownDate), [deadlines])
  const hasMoved = useRef(false)
  useEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${chosen}"]`)?.focus()
    hasMoved.current = false
  }, [chosen])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = getDayOfKey(event.nativeEvent, chosen, today)
    if (next === undefined) return
    event.preventDefault()
    hasMoved.current = true
    onChoose(next)
  }
  const onClick = (event: MouseEvent) => {
    const day = (event.target as Element).closest('[data-day]')?.getAttribute('data-day')
    if (day) onChoose(day)
  }
  const move = (months: number) => onChoose(getMonthStart(month, months))
  return (
    <>
      <div className={`${layoutClasses.toolbar} ${layoutClasses.bottomMargin10}`}>
        <StepButton direction="back" label="Previous month" onClick={() => move(-1)} />
        <h2 className={`${textClasses.strong} ${classes.month}`} aria-live="polite" id="month-title">
          {formatMonth(chosen)}
        </h2>
        <StepButton direction="forward" label="Next month" onClick={() => move(1)} />
        <Button size="compact-md" variant="default" data-print="no" onClick={() => onChoose(today)}>
          Today
        </Button>
        <Summary deadlines={deadlines} chosen={chosen} today={today} />
      </div>
      <div className={`${layoutClasses.grid} ${classes.columns}`} data-paper="landscape">
        <div>
          <div
            ref={grid}
            role="grid"
            tabIndex={-1}
            className={`${layoutClasses.framed} ${classes.grid}`}
            data-weekends={deadlines.some((deadline) => isWeekend(getShownDate(deadline))) || undefined}
            aria-labelledby="month-title"
            onKeyDown={onKeyDown}
            onClick={onClick}
          >
            <div role="row" className={classes.week}>
              {WEEKDAYS.map((name) => (
                <span key={name} role="columnheader" className={`${textClasses.label} ${layoutClasses.railGround} ${classes.weekday}`}>
                  <span aria-hidden>{name.slice(0, isNarrow ? 1 : 3)}</span>
                  <VisuallyHidden component="span">{name}</VisuallyHidden>
                </span>
              ))}
            </div>
            {listWeeks(month).map((week) => (
              <div key={week[0]} role="row" className={classes.week}>
                {week.map((day) => (
                  <DayCell key={day} {...{ day, month, today, isNarrow }} isChosen={day === chosen} deadlines={byDay.get(day) ?? NONE} />
                ))}
              </div>
            ))}
          </div>
          <Legend />
        </div>
        <ChosenDay day={chosen} today={today} deadlines={byDay.get(chosen) ?? NONE} />
      </div>
    </>
  )
}

/** The deadlines of a month. The selected day is in the URL. */
export const MonthView = ({ filter }: { filter: DeadlinesFilter }) => {
  const today = getToday()
  const [{ day }, change] = useSearchParams()
  const chosen = day !== undefined && !Number.isNaN(Date.parse(day)) && /^\d{4}-\d\d-\d\d$/.test(day) ? day : today
  const weeks = listWeeks(getMonth(chosen))
  const { query, deadlines } = useDeadlinesBetween(filter, weeks[0]?.[0] ?? today, weeks.at(-1)?.at(-1) ?? today)
  return (
    <LoadedList query={query} skeleton={<RowSkeleton />}>
      {() => (
        <Month
          deadlines={deadlines}
          today={today}
          chosen={chosen}
          onChoose={(next) => change({ day: next === today ? undefined : next })}
        />
      )}
    </LoadedList>
  )
}
