import { Button, NativeSelect } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCalendarDue } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { DEADLINE_OWNERS } from '../../../../contract/deadlines.ts'
import { EmptyLinks } from '../../../../platform/web/kit/EmptyLinks.tsx'
import { EmptyState, EmptyStateActions } from '../../../../platform/web/kit/EmptyState.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useIsPrinting } from '../../../../platform/web/print.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { getToday } from '../../../../platform/web/today.ts'
import { addDays } from '../rules.ts'
import { getShownDate } from './agenda.ts'
import { DATE_SOURCES } from './AgendaView.tsx'
import { useDeadlineRecords } from './deadline-records.ts'
import { Legend } from './Legend.tsx'
import { useDeadlines } from './queries.ts'
import { StepButton } from './StepButton.tsx'
import type { DeadlinesFilter } from './use-deadline-filter.ts'
import { useDeadlinesBetween } from './use-deadlines-between.ts'
import {
  buildYearRows,
  formatYearRange,
  getQuarterStart,
  getYearRange,
  isOverdue,
  listMonths,
  sortYearRows,
  YEAR_ORDERS,
  type YearOrder,
  type YearRange,
  type YearRow,
} from './year-layout.ts'
import { YearGrid } from './YearGrid.tsx'
import { YearSheets } from './YearSheets.tsx'
import { YearStrips } from './YearStrips.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './YearView.module.css'

const YEAR = 365
/** The number of rows shown initially; more are shown on request. */
const ROWS_AT_ONCE = 100

const isOrder = (text: string | undefined): text is YearOrder => text !== undefined && Object.hasOwn(YEAR_ORDERS, text)

/** The deadlines of the year, overdue ones, the next ones, and all ends of terms. */
const useYearRows = (filter: DeadlinesFilter, range: YearRange, today: string) => {
  const { query: filters, state } = filter
  const nextYear = addDays(today, YEAR)
  const [from, to] = [range.start < today ? range.start : today, range.end > nextYear ? addDays(range.end, -1) : nextYear]
  const { query, deadlines } = useDeadlinesBetween(filter, from, to)
  const overdue = useDeadlines({ ...filters, state: 'open', to: addDays(today, -1) }, { isEnabled: state === 'all' || state === 'open' })
  const terms = useDeadlines({
    ...Object.fromEntries(DEADLINE_OWNERS.flatMap((kind) => (filters[kind] === undefined ? [] : [[kind, filters[kind]]]))),
    kind: 'charter_term',
  })
  const { charterOfSite, chartersQuery } = useDeadlineRecords()
  const rows = useMemo(() => {
    const all = new Map(
      [...deadlines, ...((state === 'all' || state === 'open') && overdue.data ? overdue.data : [])].map((one) => [one._id, one]),
    )
    return buildYearRows({ deadlines: [...all.values()], terms: terms.data ?? [], charterOfSite })
  }, [deadlines, overdue.data, state, terms.data, charterOfSite])
  // Without the charters, each site would have a row of its own for a moment.
  const waiting = [query, overdue, terms, chartersQuery].find(({ data, fetchStatus }) => data === undefined && fetchStatus !== 'idle')
  return { query: waiting ?? query, rows }
}

const countDates = (rows: readonly YearRow[], { start, end }: YearRange): number =>
  rows.reduce((sum, { deadlines }) => sum + deadlines.filter((one) => getShownDate(one) >= start && getShownDate(one) < end).length, 0)

/** '137 dates at 55 charters, Oct 2026 – Sep 2027: 3 overdue' */
const formatSummary = (rows: readonly YearRow[], range: YearRange, today: string): string => {
  const overdue = rows.reduce((sum, { deadlines }) => sum + deadlines.filter((one) => isOverdue(one, today)).length, 0)
  const dates = countDates(rows, range)
  const sites = rows.filter(({ isSite }) => isSite).length
  const charters = rows.length - sites
  const locations = [
    `${charters} ${charters === 1 ? 'charter' : 'charters'}`,
    ...(sites > 0 ? [`${sites} ${sites === 1 ? 'site' : 'sites'}`] : []),
  ].join(' and ')
  return `${dates} ${dates === 1 ? 'date' : 'dates'} at ${locations}, ${formatYearRange(range)}: ${overdue} overdue`
}

/** The year of all charters. Its first quarter and sort order are in the URL. */
export const YearView = ({ filter }: { filter: DeadlinesFilter }) => {
  const today = getToday()
  const [{ start, sort }, change] = useSearchParams()
  const first = getQuarterStart(today)
  const range = useMemo(
    () =>
      getYearRange(
        start !== undefined && /^\d{4}-\d\d-\d\d$/.test(start) && !Number.isNaN(Date.parse(start)) ? getQuarterStart(start) : first,
      ),
    [start, first],
  )
  const months = useMemo(() => listMonths(range), [range])
  const order: YearOrder = isOrder(sort) ? sort : 'next'
  const { query, rows } = useYearRows(filter, range, today)
  const sorted = useMemo(() => sortYearRows(rows, order), [rows, order])
  const isNarrow = useMediaQuery('(max-width: 960px)', false, { getInitialValueInEffect: false })
  const isPrinting = useIsPrinting()
  const [limit, setLimit] = useState(ROWS_AT_ONCE)
  const shown = isPrinting ? sorted : sorted.slice(0, limit)
  const step = (quarters: number) => {
    const next = getQuarterStart(range.start, quarters)
    change({ start: next === first ? undefined : next })
  }
  const setOrder = (next: YearOrder) => change({ sort: next === 'next' ? undefined : next })
  const props = { rows: shown, range, months, today }
  return (
    <LoadedList query={query} skeleton={<RowSkeleton />}>
      {() => (
        <>
          <div className={`${layoutClasses.spreadRow} ${layoutClasses.gap4By16}`} data-print="no">
            <p className={textClasses.dimmed} role="status">
              {formatSummary(rows, range, today)}
            </p>
            <div className={`${layoutClasses.row} ${layoutClasses.gap8} ${classes.stepper}`}>
              <StepButton direction="back" label="A quarter earlier" onClick={() => step(-1)} />
              <h2
                className={`${textClasses.strong} ${textClasses.bodyFont} ${textClasses.centeredText} ${classes.range}`}
                aria-live="polite"
              >
                {formatYearRange(range)}
              </h2>
              <StepButton direction="forward" label="A quarter later" onClick={() => step(1)} />
            </div>
          </div>
          {isPrinting ? (
            <YearSheets {...props} order={order} summary={formatSummary(rows, range, today)} />
          ) : rows.length === 0 ? (
            <NoRows filter={filter} />
          ) : (
            <>
              <Legend hasLines />
              {isNarrow ? (
                <>
                  <NativeSelect
                    label="Sorted by"
                    className={layoutClasses.bottomMargin12}
                    value={order}
                    onChange={(event) => setOrder(event.currentTarget.value as YearOrder)}
                    data={Object.entries(YEAR_ORDERS).map(([value, label]) => ({
                      value,
                      label: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
                    }))}
                  />
                  <YearStrips {...props} />
                </>
              ) : (
                <YearGrid {...props} order={order} onSort={setOrder} />
              )}
              {sorted.length > shown.length ? (
                <Button variant="default" mt="md" onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
                  Show {Math.min(ROWS_AT_ONCE, sorted.length - shown.length)} more of {sorted.length}
                </Button>
              ) : null}
            </>
          )}
        </>
      )}
    </LoadedList>
  )
}

const NoRows = ({ filter }: { filter: DeadlinesFilter }) => (
  <EmptyState icon={IconCalendarDue} title={filter.isFiltered ? 'No deadlines match' : 'No dates yet'}>
    {filter.isFiltered ? (
      <EmptyStateActions>
        <Button variant="default" onClick={filter.clear}>
          Show all deadlines
        </Button>
      </EmptyStateActions>
    ) : (
      <>
        <p>Dates are read from the charter affairs and leases.</p>
        <EmptyLinks links={DATE_SOURCES} />
      </>
    )}
  </EmptyState>
)
