import { IconCalendar, IconCalendarPlus, IconListDetails, IconPlus, IconTimeline } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { openCalendarWindow } from '../../../../platform/web/calendar-window.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { usePageKeys } from '../../../../platform/web/keyboard.ts'
import { HeadAction, HeadActions } from '../../../../platform/web/kit/HeadAction.tsx'
import { PrintButton } from '../../../../platform/web/kit/PrintButton.tsx'
import { type ViewChoice, ViewSwitch } from '../../../../platform/web/kit/ViewSwitch.tsx'
import { MatchCount } from '../../../../platform/web/list/Filters.tsx'
import { useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { useListedShortcuts } from '../../../../platform/web/shortcuts.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { ViewMenu } from '../../../finding/saved-views/web/public/ViewMenu.tsx'
import type { DeadlineCounts, DeadlineSearch } from '../contract.ts'
import { countOpen } from './agenda.ts'
import { AgendaView } from './AgendaView.tsx'
import { isOfTwoDates } from './contradictions.ts'
import { DEADLINES_GROUP, VIEW_KEYS } from './deadline-keys.ts'
import { type DeadlineRecords, DeadlineRecordsContext } from './deadline-records.ts'
import { DeadlineActionsProvider } from './DeadlineActionsProvider.tsx'
import { NewDeadlineDialog } from './DeadlineDialog.tsx'
import { DeadlineFilters } from './DeadlineFilters.tsx'
import { DeadlinesAside } from './DeadlinesAside.tsx'
import { MonthView } from './MonthView.tsx'
import { useContradictions } from './queries.ts'
import { SortOutView } from './SortOutView.tsx'
import { useDeadlineCounts } from './use-deadline-counts.ts'
import { type DeadlinesFilter, type DeadlinesView, toCalendar, useDeadlineFilter } from './use-deadline-filter.ts'
import { YearView } from './YearView.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DeadlinesPage.module.css'

const VIEWS: readonly ViewChoice<DeadlinesView>[] = [
  { view: 'agenda', label: 'Agenda', title: 'Agenda (1)', icon: IconListDetails },
  { view: 'month', label: 'Month', title: 'Month (2)', icon: IconCalendar },
  { view: 'year', label: 'Year', title: 'Year (3)', icon: IconTimeline },
]

/** Agenda, month or year, also by the keys 1, 2 and 3. */
const DeadlineViewSwitch = ({ filter: { view, change } }: { filter: DeadlinesFilter }) => {
  const choose = (chosen: DeadlinesView) => change({ view: chosen === 'agenda' ? undefined : chosen })
  usePageKeys(VIEW_KEYS, choose)
  return <ViewSwitch legend="View" choices={VIEWS} view={view} onChange={choose} />
}

const NO_CONTRADICTIONS: ReadonlySet<string> = new Set()

/** Snoozed deadlines are not done, so they count as open, as they are shown. */
const countNotHandled = (counts: DeadlineCounts): number => countOpen(counts) + counts.snoozed

const Summary = ({ counts }: { counts: DeadlineCounts }) => {
  const unassigned = counts.responsible.find(({ person }) => person === null)?.count ?? 0
  const show = (count: number) => count.toLocaleString('en-US')
  return (
    <>
      {show(countNotHandled(counts))} open:{' '}
      <strong data-tone={counts.overdue > 0 ? 'bad' : undefined}>{show(counts.overdue)} overdue</strong>, {show(counts.week)} this week
      {unassigned > 0 ? (
        <>
          , <strong data-tone="wait">{show(unassigned)} with nobody responsible</strong>
        </>
      ) : null}
    </>
  )
}

const countMatches = (counts: DeadlineCounts, { state }: DeadlinesFilter): number => {
  if (state === 'snoozed' || state === 'handled') return counts[state]
  return countNotHandled(counts) + (state === 'all' ? counts.handled : 0)
}

/** The filter without the responsible person, for the counts per person. */
const withoutPerson = ({ responsible: _responsible, ...query }: DeadlineSearch): DeadlineSearch => query

const Page = () => {
  useTitle('Deadlines')
  const filter = useDeadlineFilter()
  const typed = useListSearch()
  const mayReadAffairs = useCan('read a charter affair')
  const mayManage = useCan('manage deadlines')
  const { data: all, isError } = useDeadlineCounts()
  const { data: counts } = useDeadlineCounts(filter.query)
  const { data: ofPeople } = useDeadlineCounts(withoutPerson(filter.query))
  const { data: contradictions } = useContradictions(mayReadAffairs)
  const contradicted = useMemo(
    () =>
      contradictions
        ? new Set(contradictions.filter(isOfTwoDates).flatMap(({ values }) => values.flatMap(({ deadline }) => deadline ?? [])))
        : NO_CONTRADICTIONS,
    [contradictions],
  )
  const [isAdding, setAdding] = useState(false)
  useListedShortcuts(DEADLINES_GROUP)

  return (
    <>
      <div className={layoutClasses.pageHead} data-print={filter.view === 'year' ? 'no' : undefined}>
        <div className={`${layoutClasses.shrinkable} ${classes.text}`}>
          <h1 tabIndex={-1}>Deadlines</h1>
          <p className={`${textClasses.dimmed} ${layoutClasses.topMargin4} ${classes.summary}`}>
            {all ? <Summary counts={all} /> : isError ? '\u00a0' : 'Loading...'}
          </p>
        </div>
        <div className={layoutClasses.toolbar} data-print="no">
          <ViewMenu />
          <HeadActions>
            {mayManage ? (
              <HeadAction icon={IconPlus} opensDialog onClick={() => setAdding(true)}>
                Add a deadline
              </HeadAction>
            ) : null}
            <HeadAction icon={IconCalendarPlus} isBrief opensDialog onClick={() => openCalendarWindow(toCalendar(filter))}>
              Calendar feed
            </HeadAction>
            <PrintButton />
          </HeadActions>
        </div>
      </div>
      <div className={classes.tools}>
        <div className={classes.filters}>
          <DeadlineFilters filter={filter} typed={typed} counts={ofPeople} mayReadAffairs={mayReadAffairs} />
        </div>
        <div className={`${layoutClasses.spreadRow} ${classes.line}`}>
          {filter.view === 'agenda' ? (
            <MatchCount matching={counts && countMatches(counts, filter)} all={all && countNotHandled(all) + all.handled} />
          ) : (
            <span />
          )}
          <span className={`${layoutClasses.inlineRow} ${classes.actions}`}>
            {filter.isFiltered ? (
              <button
                type="button"
                className={`${textClasses.link} ${textClasses.smallFont} ${layoutClasses.targetHeight} ${classes.clear}`}
                data-print="no"
                onClick={filter.clear}
              >
                Clear filters
              </button>
            ) : null}
            <DeadlineViewSwitch filter={filter} />
          </span>
        </div>
      </div>
      {filter.view === 'month' ? (
        <MonthView filter={filter} />
      ) : filter.view === 'year' ? (
        <YearView filter={filter} />
      ) : (
        <div className={classes.columns}>
          {ofPeople ? <DeadlinesAside counts={ofPeople} filter={filter} /> : <div />}
          <AgendaView filter={filter} counts={counts} contradicted={contradicted} />
        </div>
      )}
      {isAdding ? <NewDeadlineDialog onClose={() => setAdding(false)} /> : null}
    </>
  )
}

const Views = () => {
  const { view } = useDeadlineFilter()
  return useCan('read a charter affair') && view === 'sort-out' ? <SortOutView /> : <Page />
}

/** `/deadlines`: all deadlines with their dates and responsible people. */
export const DeadlinesPage = ({ records }: { records: DeadlineRecords }) => (
  <DeadlineRecordsContext value={records}>
    <DeadlineActionsProvider>
      <Views />
    </DeadlineActionsProvider>
  </DeadlineRecordsContext>
)
