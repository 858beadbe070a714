import { Button } from '@mantine/core'
import { IconDownload, IconListSearch } from '@tabler/icons-react'
import { useEffect, useId, useMemo, useRef } from 'react'

import { AUDIT_KINDS } from '../../../../contract/audit.ts'
import { formatDay, toIsoDay } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { EmptyState, EmptyStateActions } from '../../../../platform/web/kit/EmptyState.tsx'
import { Chips, FilterChoice, Filters, FilterToggle, SearchField } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { type ListSearch, useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { type SearchParams, useSearchParams } from '../../../../platform/web/search-params.ts'
import type { AuditEntry, AuditFilter } from '../contract.ts'
import { AuditRow } from './AuditRow.tsx'
import { getKindLabel } from './format-event.ts'
import { useAuditActors, useAuditDownload, useAuditEntries } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AuditPage.module.css'

const SORTED_KINDS = Object.keys(AUDIT_KINDS).toSorted((one, other) => getKindLabel(one).localeCompare(getKindLabel(other)))

interface DayFieldProps {
  readonly label: string
  readonly day: string | undefined
  readonly onDay: (day: string | undefined) => void
}

const DayField = ({ label, day, onDay }: DayFieldProps) => {
  const id = useId()
  return (
    <span className={`${layoutClasses.inlineRow} ${layoutClasses.rigid} ${textClasses.smallFont} ${classes.day}`}>
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={day ?? ''} onChange={({ currentTarget: { value } }) => onDay(value || undefined)} />
    </span>
  )
}

interface AuditFiltersProps {
  readonly filter: AuditFilter
  readonly typed: ListSearch
  /** Whether reads by one person on one day are listed one by one. */
  readonly isEach: boolean
  readonly onChange: (change: Partial<Record<'kind' | 'actor' | 'since' | 'until' | 'each', string | undefined>>) => void
}

/** Search and filters of the audit trail. */
const AuditFilters = ({ filter: { kind, actor, since, until }, typed, isEach, onChange }: AuditFiltersProps) => {
  const { data: actors = [] } = useAuditActors()
  const people = actors.map((one) => ({ value: one.actor, label: one.name === one.actor ? one.name : `${one.name} (${one.actor})` }))
  const person = actor === undefined ? undefined : (people.find(({ value }) => value === actor)?.label ?? actor)
  const kindLabel = kind === undefined ? undefined : getKindLabel(kind)
  return (
    <Filters>
      <SearchField label="Person, record, address or value" typed={typed} />
      <Chips label="Filters">
        <FilterChoice
          label="Event"
          all="All events"
          choices={SORTED_KINDS.map(getKindLabel)}
          chosen={kindLabel}
          onChoose={(label) => onChange({ kind: SORTED_KINDS.find((one) => getKindLabel(one) === label) })}
          remove={`Remove event ${kindLabel}`}
        />
        <FilterChoice
          label="Person"
          all="Anyone"
          choices={people.map(({ label }) => label)}
          chosen={person}
          onChoose={(label) => onChange({ actor: people.find((one) => one.label === label)?.value })}
          remove={`Remove person ${person}`}
        />
        <DayField label="From" day={since} onDay={(day) => onChange({ since: day })} />
        <DayField label="To" day={until} onDay={(day) => onChange({ until: day })} />
        <FilterToggle label="Show every read" on={isEach} onToggle={(on) => onChange({ each: on ? 'true' : undefined })} />
      </Chips>
    </Filters>
  )
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The filters in the URL, as the server takes them. */
const toFilter = ({ kind, actor, since, until, q }: SearchParams): AuditFilter => ({
  ...(kind !== undefined && Object.hasOwn(AUDIT_KINDS, kind) ? { kind } : {}),
  ...(actor === undefined ? {} : { actor }),
  ...(since !== undefined && DAY.test(since) ? { since } : {}),
  ...(until !== undefined && DAY.test(until) ? { until } : {}),
  ...(q === undefined || q.trim() === '' ? {} : { q: q.trim() }),
})

/** Loads more when the end of the list is near, and through a button. */
const MoreEvents = ({ isLoading, onMore }: { isLoading: boolean; onMore: () => void }) => {
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  useEffect(() => {
    more.current = onMore
  }, [onMore])
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current(), { rootMargin: '600px' })
    if (end.current) observer.observe(end.current)
    return () => observer.disconnect()
    // The loaded part may be shorter than the screen.
  }, [isLoading])
  return (
    <div ref={end} className={`${layoutClasses.flex} ${layoutClasses.justifyCenter} ${classes.more}`}>
      <Button variant="default" loading={isLoading} onClick={onMore}>
        Show Earlier Events
      </Button>
    </div>
  )
}

const NO_FILTER = { kind: undefined, actor: undefined, since: undefined, until: undefined }

/** `/audit`: who did what, by day, newest first. */
export const AuditPage = () => {
  const [params, change] = useSearchParams()
  const typed = useListSearch()
  const filter = useMemo(() => toFilter(params), [params])
  const isEach = params['each'] === 'true'
  const query = useAuditEntries(filter, isEach)
  const download = useAuditDownload()
  const { data, hasNextPage, isFetchingNextPage, isPlaceholderData } = query
  const events = data?.pages.flatMap(({ entries }) => entries) ?? []
  const days = [...Map.groupBy(events, ({ at }) => toIsoDay(at, configuration.timeZone))]
  const isFiltered = Object.keys(filter).length > 0
  const renderRow = (event: AuditEntry) => (
    <AuditRow
      key={event.sequence}
      event={event}
      isOpen={params['open'] === String(event.sequence)}
      onToggle={(isOpen) => change({ open: isOpen ? String(event.sequence) : undefined })}
      onActor={(actor) => change({ actor })}
      onEach={({ kind, actor, at }) => {
        const day = toIsoDay(at, configuration.timeZone)
        change({ kind, actor: actor ?? undefined, since: day, until: day, each: 'true', open: undefined })
      }}
    />
  )
  return (
    <>
      <ListHead
        title="Audit Trail"
        summary="Who did what, newest first."
        aside={
          <Button
            variant="default"
            leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
            loading={download.isPending}
            disabled={data !== undefined && events.length === 0}
            onClick={() => download.mutate(filter)}
          >
            Download Workbook
          </Button>
        }
      />
      <AuditFilters filter={filter} typed={typed} isEach={isEach} onChange={change} />
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {() =>
          events.length === 0 ? (
            <EmptyState icon={IconListSearch} title="No events to display">
              <p>{isFiltered ? 'No events match your search and filters.' : 'Nothing has been recorded yet.'}</p>
              {isFiltered ? (
                <EmptyStateActions>
                  <Button
                    variant="default"
                    onClick={() => {
                      typed.setText('')
                      change({ ...NO_FILTER, q: undefined })
                    }}
                  >
                    Clear search and filters
                  </Button>
                </EmptyStateActions>
              ) : null}
            </EmptyState>
          ) : (
            <div className={`${layoutClasses.topMargin20} ${classes.days}`} aria-busy={isPlaceholderData}>
              {days.map(([day, ofDay]) => (
                <section key={day} aria-label={formatDay(day)}>
                  <h2 className={classes.date}>
                    <time dateTime={day}>{formatDay(day)}</time>
                  </h2>
                  <ol>{ofDay.map(renderRow)}</ol>
                </section>
              ))}
              {hasNextPage ? <MoreEvents isLoading={isFetchingNextPage} onMore={() => void query.fetchNextPage()} /> : null}
            </div>
          )
        }
      </LoadedList>
    </>
  )
}
