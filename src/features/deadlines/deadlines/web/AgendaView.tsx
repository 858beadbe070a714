import { Button } from '@mantine/core'
import { IconCalendarDue } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'

import { DEADLINE_KINDS } from '../../../../contract/deadlines.ts'
import { RECORD_NOUNS } from '../../../../contract/records.ts'
import { EmptyLinks } from '../../../../platform/web/kit/EmptyLinks.tsx'
import { EmptyState, EmptyStateActions } from '../../../../platform/web/kit/EmptyState.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useIsNarrow } from '../../../../platform/web/narrow.ts'
import type { SearchParams } from '../../../../platform/web/search-params.ts'
import { getToday } from '../../../../platform/web/today.ts'
import { LINKED_KINDS, type Deadline, type DeadlineCounts } from '../contract.ts'
import { addDays } from '../rules.ts'
import { countOpenInGroup, GROUP_NAMES, type GroupName, groupDeadlines } from './agenda.ts'
import { AgendaGroup } from './AgendaGroup.tsx'
import { AgendaRow } from './AgendaRow.tsx'
import { useDeadlineActions } from './deadline-actions.ts'
import { useDeadlineRecords } from './deadline-records.ts'
import { useDeadlines } from './queries.ts'
import type { DeadlinesFilter } from './use-deadline-filter.ts'
import { useRowKeys } from './use-row-keys.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AgendaView.module.css'

/** The number of upcoming deadlines loaded with the page; longer groups load the rest on request. */
const FIRST_LIMIT = 200
const YEAR = 365
/** The number of dates to confirm in the agenda; the others are in the view of dates to sort out. */
const MAX_PROPOSED = 3
const NONE: readonly Deadline[] = []

/** The open deadlines that are overdue or due within a year, and snoozed or handled ones if requested. */
const useAgenda = ({ query, state }: DeadlinesFilter, today: string) => {
  const open = useDeadlines(
    { ...query, state: 'open', to: addDays(today, YEAR), limit: FIRST_LIMIT },
    { isEnabled: state === 'open' || state === 'all' },
  )
  const snoozed = useDeadlines({ ...query, state: 'snoozed' }, { isEnabled: state !== 'handled' })
  const handled = useDeadlines(
    { ...query, state: 'handled', from: addDays(today, -YEAR) },
    { isEnabled: state === 'handled' || state === 'all' },
  )
  const proposed = useDeadlines({ ...query, proposed: 'true', limit: MAX_PROPOSED + 1 }, { isEnabled: state === 'open' || state === 'all' })
  const queries = [open, snoozed, handled, proposed].filter(({ fetchStatus, data }) => fetchStatus !== 'idle' || data !== undefined)
  return { open, snoozed, handled, proposed, waiting: queries.find(({ data }) => data === undefined) }
}

interface AgendaProps {
  readonly filter: DeadlinesFilter
  readonly counts: DeadlineCounts
  readonly contradicted: ReadonlySet<string>
  readonly deadlines: readonly Deadline[]
  readonly proposed: readonly Deadline[]
  readonly today: string
}

/** The number of deadlines in a group: the counted open ones, and those snoozed to it. */
const countGroup = (name: GroupName, { counts, filter: { state } }: AgendaProps, rows: readonly Deadline[]): number => {
  if (name === 'Handled') return state === 'handled' || state === 'all' ? counts.handled : 0
  const putOff = rows.filter((row) => row.state === 'snoozed').length
  return putOff + (state === 'open' || state === 'all' ? countOpenInGroup(counts, name) : 0)
}

interface ToConfirmProps {
  readonly rows: readonly Deadline[]
  readonly count: number
  readonly filter: DeadlinesFilter
  readonly today: string
  readonly isNarrow: boolean
  readonly isFirst: boolean
  readonly known: Map<string, Deadline>
}

/** The first dates to confirm, after the certain ones; those to sort out beside the agenda include them. */
const ToConfirm = ({ rows, count, filter, today, isNarrow, isFirst, known }: ToConfirmProps) => {
  useEffect(() => {
    for (const deadline of rows) known.set(deadline._id, deadline)
  }, [known, rows])
  const { charter, kind, responsible } = filter.query
  const search: SearchParams = {
    view: 'sort-out',
    show: 'to-confirm',
    ...(charter === undefined ? {} : { charter }),
    ...(kind === undefined ? {} : { kind }),
    ...(responsible === 'me' ? { responsible } : {}),
  }
  return rows.length === 0 ? null : (
    <section className={`${layoutClasses.sectionEnd} ${classes.group}`} aria-labelledby="dates-to-confirm">
      <h2 id="dates-to-confirm" className={`${textClasses.sectionTitle} ${layoutClasses.lineBelow} ${classes.heading}`}>
        Dates to confirm <span className={textClasses.count}>{count.toLocaleString('en-US')}</span>
      </h2>
      <ul aria-labelledby="dates-to-confirm">
        {rows.map((deadline, at) => (
          <AgendaRow
            key={deadline._id}
            deadline={deadline}
            today={today}
            isContradiction={false}
            isNarrow={isNarrow}
            isFirst={isFirst && at === 0}
          />
        ))}
      </ul>
      {count > rows.length ? (
        <Link to="/deadlines" search={search} className={`${textClasses.link} ${classes.all}`} data-print="no">
          All {count.toLocaleString('en-US')} dates to confirm
        </Link>
      ) : null}
    </section>
  )
}

const Agenda = (props: AgendaProps) => {
  const { filter, counts, contradicted, deadlines, proposed, today } = props
  const isNarrow = useIsNarrow()
  const { changedHere } = useDeadlineActions()
  const list = useRef<HTMLDivElement>(null)
  const all = useMemo(() => {
    const fresh = new Map(deadlines.map((deadline) => [deadline._id, deadline]))
    for (const deadline of changedHere.values())
      if ((fresh.get(deadline._id)?.version ?? 0) < deadline.version) fresh.set(deadline._id, deadline)
    return fresh
  }, [deadlines, changedHere])
  const groups = useMemo(() => groupDeadlines(all.values(), changedHere, today), [all, changedHere, today])
  const [known] = useState(() => new Map<string, Deadline>())
  useRowKeys(list, known)
  const shown = GROUP_NAMES.map((name) => {
    const rows = groups.get(name) ?? NONE
    return { name, rows, count: countGroup(name, props, rows) }
  }).filter(({ rows, count }) => rows.length > 0 || count > 0)
  const [first] = shown
  return (
    <div ref={list}>
      {shown.map((group) => (
        <AgendaGroup
          key={`${group.name} ${JSON.stringify(filter.query)} ${filter.state}`}
          {...group}
          filter={filter}
          today={today}
          isFirst={group === first}
          isNarrow={isNarrow}
          contradicted={contradicted}
          known={known}
        />
      ))}
      <ToConfirm
        rows={proposed}
        count={Math.max(counts.proposed, proposed.length)}
        isFirst={shown.length === 0}
        {...{ filter, today, isNarrow, known }}
      />
      {shown.length + proposed.length === 0 ? <NoDeadlines filter={filter} counts={props.counts} /> : null}
    </div>
  )
}

const STATE_WORDS = { open: 'open ', snoozed: 'put-off ', handled: 'handled ', all: '' } as const

/** 'No open deadlines of the kind Petition in Ohio match “renewal”.': names the filters that hide others. */
const useFilterSentence = ({ query, state }: DeadlinesFilter): string => {
  const { regions, charters } = useDeadlineRecords().choices
  const nameOf = (records: typeof regions, chosen: string) =>
    records.find(({ _id, slug }) => slug === chosen || _id === chosen)?.name ?? chosen
  const { kind, region, charter, responsible, q } = query
  const parts = [
    kind && `of the kind ${DEADLINE_KINDS[kind].name}`,
    charter && `of ${nameOf(charters, charter)}`,
    ...LINKED_KINDS.map((linked) => query[linked] && `of this ${RECORD_NOUNS[linked][0]}`),
    region && `in ${nameOf(regions, region)}`,
    responsible && { me: 'of yours', none: 'with nobody responsible' }[responsible as 'me' | 'none'],
    q && `match “${q}”`,
  ]
  return `${['No', `${STATE_WORDS[state]}deadlines`, ...parts].filter(Boolean).join(' ')}.`
}

/** Where dates are written. */
export const DATE_SOURCES = [{ label: 'Open Charters', to: '/charters', capability: 'read a charter affair' }] as const

const NoDeadlines = ({ filter, counts }: { filter: DeadlinesFilter; counts: DeadlineCounts }) => {
  const sentence = useFilterSentence(filter)
  const isHidden = filter.isFiltered || counts.handled > 0
  return (
    <EmptyState icon={IconCalendarDue} title={isHidden ? 'No deadlines match' : 'No dates yet'}>
      <p>{isHidden ? sentence : 'Dates are read from the charter affairs and leases.'}</p>
      {isHidden ? (
        <EmptyStateActions>
          <Button variant="default" onClick={filter.isFiltered ? filter.clear : () => filter.change({ state: 'all' })}>
            Show all deadlines
          </Button>
        </EmptyStateActions>
      ) : (
        <EmptyLinks links={DATE_SOURCES} />
      )}
    </EmptyState>
  )
}

interface AgendaViewProps {
  readonly filter: DeadlinesFilter
  readonly counts: DeadlineCounts | undefined
  readonly contradicted: ReadonlySet<string>
}

/** Deadlines as a list. */
export const AgendaView = ({ filter, counts, contradicted }: AgendaViewProps) => {
  const today = getToday()
  const { open, snoozed, handled, proposed, waiting } = useAgenda(filter, today)
  const isOpen = filter.state === 'open' || filter.state === 'all'
  const deadlines = useMemo(
    () => [
      ...((isOpen && open.data) || NONE),
      ...((filter.state !== 'handled' && snoozed.data) || NONE),
      ...((filter.state !== 'open' && filter.state !== 'snoozed' && handled.data) || NONE),
    ],
    [isOpen, filter.state, open.data, snoozed.data, handled.data],
  )
  // One that was confirmed a moment ago is in its group already.
  const toConfirm = useMemo(
    () => ((isOpen && proposed.data) || NONE).filter((deadline) => deadline.proposed).slice(0, MAX_PROPOSED),
    [isOpen, proposed.data],
  )
  const query = waiting ?? { ...open, data: counts === undefined ? undefined : deadlines }
  return (
    <div className={`${layoutClasses.shrinkable} ${classes.agenda}`}>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {() => (counts ? <Agenda {...{ filter, counts, contradicted, today, deadlines, proposed: toConfirm }} /> : null)}
      </LoadedList>
    </div>
  )
}
