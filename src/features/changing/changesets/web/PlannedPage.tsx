import { Button } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useMemo } from 'react'

import { formatDay } from '../../../../contract/dates.ts'
import { formatCount } from '../../../../contract/format.ts'
import { EmptyLinks } from '../../../../platform/web/kit/EmptyLinks.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Chips, Filters, FilterToggle } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { PlannedChange } from '../contract.ts'
import { groupBy, PlannedRows } from './PlannedRows.tsx'
import { useAllPlannedChanges } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './public/PlannedChangesCard.module.css'

type State = PlannedChange['state']

const PLAN_STATES: Readonly<Record<State, { label: string; none: string }>> = {
  waiting: { label: 'Waiting', none: 'No changes are planned. To plan one, use Save for Later in a form, or Reorganize.' },
  failed: { label: 'Not saved', none: 'Every change could be saved on its day.' },
  saved: { label: 'Saved', none: 'No planned change has been saved.' },
  canceled: { label: 'Canceled', none: 'No planned change has been canceled.' },
}
const Days = ({ plans, state }: { plans: readonly PlannedChange[]; state: State }) => {
  const days = useMemo(() => groupBy(plans, 'day'), [plans])
  return days.map(([day, ofDay]) => (
    <section key={day} className={`${layoutClasses.framed} ${layoutClasses.topMargin16} ${classes.section}`} aria-labelledby={`day-${day}`}>
      <h2 id={`day-${day}`} className={`${layoutClasses.row} ${layoutClasses.bottomMargin8} ${textClasses.bodyFont} ${classes.title}`}>
        <IconCalendarEvent size={18} stroke={1.75} aria-hidden />
        {state === 'waiting' ? `From ${formatDay(day)}` : formatDay(day)}
        <span className={`${textClasses.count} ${textClasses.note} ${classes.count}`}>{formatCount(ofDay.length, 'change')}</span>
      </h2>
      <PlannedRows plans={ofDay} hasDay={false} />
    </section>
  ))
}

const formatSummary = (count: number, hasMore: boolean): string =>
  `${hasMore ? 'The first ' : ''}${formatCount(count, 'change')}, saved at 12:01 AM on their day`

/** `/planned`: all pending planned changes, and those that ended. */
export const PlannedPage = () => {
  const [address, change] = useSearchParams()
  const states = Object.keys(PLAN_STATES) as State[]
  const state = states.find((one) => one === address['state']) ?? 'waiting'
  const query = useAllPlannedChanges(state)
  return (
    <>
      <ListHead
        title="Planned Changes"
        summary={query.data && formatSummary(query.data.length, query.hasNextPage)}
        failed={query.isError}
      />
      <Filters>
        <Chips label="Filters">
          {states.map((one) => (
            <FilterToggle
              key={one}
              label={PLAN_STATES[one].label}
              on={state === one}
              onToggle={() => change({ state: one === 'waiting' ? undefined : one })}
            />
          ))}
        </Chips>
      </Filters>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(plans) =>
          plans.length === 0 ? (
            <EmptyState icon={IconCalendarEvent} title="No changes to display">
              <p>{PLAN_STATES[state].none}</p>
              <EmptyLinks links={[{ label: 'Open Resource Centers', to: '/locations' }]} />
            </EmptyState>
          ) : (
            <>
              <Days key={state} plans={plans} state={state} />
              {query.hasNextPage ? (
                <Button variant="default" mt="md" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Show More
                </Button>
              ) : null}
            </>
          )
        }
      </LoadedList>
    </>
  )
}
