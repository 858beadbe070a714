import { Button } from '@mantine/core'
import { IconDownload, IconListSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useRef } from 'react'

import { AUDIT_KINDS } from '../../../../contract/audit.ts'
import { formatDay, toIsoDay } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { EmptyState, EmptyStateActions } from '../../../../platform/web/kit/EmptyState.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { type SearchParams, useSearchParams } from '../../../../platform/web/search-params.ts'
import type { AuditEvent, AuditFilter } from '../contract.ts'
import { AuditFilters } from './AuditFilters.tsx'
import { AuditRow } from './AuditRow.tsx'
import { useAuditDownload, useAuditEvents } from './queries.ts'

import classes from './AuditPage.module.css'

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
    <div ref={end} className={classes.more}>
      <Button variant="default" loading={isLoading} onClick={onMore}>
        Show Earlier Events
      </Button>
    </div>
  )
}

const NO_CHANGE = { kind: undefined, actor: undefined, since: undefined, until: undefined }

/** `/audit`: who did what, by day, newest first. */
export const AuditPage = () => {
  const [params, change] = useSearchParams()
  const typed = useListSearch()
  const filter = useMemo(() => toFilter(params), [params])
  const query = useAuditEvents(filter)
  const download = useAuditDownload()
  const { data, hasNextPage, isFetchingNextPage, isPlaceholderData } = query
  const events = data?.pages.flat() ?? []
  const days = [...Map.groupBy(events, ({ at }) => toIsoDay(at, configuration.timeZone))]
  const isFiltered = Object.keys(filter).length > 0
  const renderRow = (event: AuditEvent) => (
    <AuditRow
      key={event.sequence}
      event={event}
      isOpen={params['open'] === String(event.sequence)}
      onToggle={(isOpen) => change({ open: isOpen ? String(event.sequence) : undefined })}
      onActor={(actor) => change({ actor })}
    />
  )
  return (
    <div className={classes.page}>
      <ListHead
        title="Audit Trail"
        summary="Who did what, the newest first."
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
      <AuditFilters filter={filter} typed={typed} onChange={change} />
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {() =>
          events.length === 0 ? (
            <EmptyState icon={IconListSearch} title="No events to display">
              <p>{isFiltered ? 'No events match your search and filters.' : 'Nothing has been recorded so far.'}</p>
              {isFiltered ? (
                <EmptyStateActions>
                  <Button
                    variant="default"
                    onClick={() => {
                      typed.setText('')
                      change({ ...NO_CHANGE, q: undefined })
                    }}
                  >
                    Clear search and filters
                  </Button>
                </EmptyStateActions>
              ) : null}
            </EmptyState>
          ) : (
            <div className={classes.days} aria-busy={isPlaceholderData}>
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
    </div>
  )
}
