import { Button } from '@mantine/core'
import { IconActivity, IconArrowUp, IconDownload } from '@tabler/icons-react'

import { formatDay, toIsoDay } from '../../../../contract/dates.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { EmptyState, EmptyStateActions } from '../../../../platform/web/kit/EmptyState.tsx'
import { Chips, FilterChoice, Filters, FilterToggle, SearchField } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { getToday } from '../../../../platform/web/today.ts'
import { ViewMenu } from '../../saved-views/web/public/ViewMenu.tsx'
import { type ActivityEntry, ActivityFilter, COUNTED_DAYS } from '../contract.ts'
import { ACTIVITY_RECORD_KINDS, ACTIVITY_KIND_LABELS, SEE_EVERYTHING } from '../rules.ts'
import { type ActivityRecords, ActivityRecordsContext, useActivityRecords } from './activity-records.ts'
import { formatActivityDay } from './describe-entry.ts'
import { EntryRow } from './EntryRow.tsx'
import { useActivity, useActivityCounts, useActivityDownload, useNewActivity } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import chips from '../../../../platform/web/list/Filters.module.css'
import classes from './ActivityPage.module.css'

const ACT_LABELS = { change: 'Changes', suggestion: 'Suggestions', check: 'Checks' } as const
const ACT_CHOICES = Object.entries(ACT_LABELS)

/** The filters in the URL; invalid ones are ignored. */
const useActivityFilter = () => {
  const [search, change] = useSearchParams()
  const filter: ActivityFilter = Object.fromEntries(
    Object.entries(ActivityFilter.shape).flatMap(([name, rule]) => {
      const value = search[name]
      return value !== undefined && rule.safeParse(value).success ? [[name, value]] : []
    }),
  )
  return { filter, change }
}
type Change = ReturnType<typeof useActivityFilter>['change']

const DayFilter = ({ day, onChoose }: { day: string | undefined; onChoose: (day: string | undefined) => void }) => (
  <label
    className={`${layoutClasses.inlineRow} ${layoutClasses.outlined} ${textClasses.small} ${chips.chip}`}
    data-on={day !== undefined || undefined}
  >
    <span aria-hidden>{day === undefined ? 'Day' : `Day: ${formatDay(day)}`}</span>
    <input
      type="date"
      aria-label="Day"
      className={`${layoutClasses.stretched} ${layoutClasses.pressable} ${classes.day}`}
      value={day ?? ''}
      max={getToday()}
      onChange={({ currentTarget: { value } }) => onChoose(value || undefined)}
      onClick={({ currentTarget }) => currentTarget.showPicker()}
    />
  </label>
)

const ActivityFilters = ({ filter, change, people }: { filter: ActivityFilter; change: Change; people: readonly string[] }) => {
  const { regions } = useActivityRecords()
  const seesEverything = useCan(SEE_EVERYTHING)
  const typed = useListSearch()
  const kind = ACTIVITY_RECORD_KINDS.find((one) => one === filter.kind)
  return (
    <Filters>
      <SearchField label="Person or record" typed={typed} />
      <Chips label="Filters">
        <FilterToggle label="Everything" on={filter.kind === undefined} onToggle={() => change({ kind: undefined })} />
        {ACT_CHOICES.filter(([act]) => seesEverything || act !== 'suggestion').map(([act, label]) => (
          <FilterToggle key={act} label={label} on={filter.kind === act} onToggle={(isOn) => change({ kind: isOn ? act : undefined })} />
        ))}
        <FilterChoice
          label="Kind"
          all="All kinds"
          choices={ACTIVITY_RECORD_KINDS.map((one) => ACTIVITY_KIND_LABELS[one])}
          chosen={kind && ACTIVITY_KIND_LABELS[kind]}
          onChoose={(label) => change({ kind: ACTIVITY_RECORD_KINDS.find((one) => ACTIVITY_KIND_LABELS[one] === label) })}
        />
        <FilterChoice
          label="Person"
          all="Everyone"
          choices={people}
          chosen={filter.actor}
          onChoose={(actor) => change({ actor })}
          remove="Remove the person"
        />
        <FilterChoice
          label="Region"
          all="All regions"
          choices={regions.map(({ name }) => name)}
          chosen={filter.region && (regions.find(({ slug }) => slug === filter.region)?.name ?? filter.region)}
          onChoose={(name) => change({ region: regions.find((region) => region.name === name)?.slug })}
          remove="Remove the region"
        />
        <DayFilter day={filter.day} onChoose={(day) => change({ day })} />
        {filter.record === undefined ? null : <FilterToggle label="One record" on onToggle={() => change({ record: undefined })} />}
      </Chips>
    </Filters>
  )
}

interface DayProps {
  day: string
  entries: readonly ActivityEntry[]
  /** The total number, including hidden ones; undefined if they are not counted. */
  count: number | undefined
  filter: ActivityFilter
}

const Day = ({ day, entries, count, filter }: DayProps) => {
  const title = formatActivityDay(day, configuration.timeZone)
  const notes = [title === formatDay(day) ? null : formatDay(day), count?.toLocaleString('en-US')].filter(Boolean)
  return (
    <section aria-label={formatDay(day)}>
      <h2 className={`${layoutClasses.lineBelow} ${layoutClasses.spaced} ${classes.heading}`}>
        <time dateTime={day}>{title}</time>
        {notes.length > 0 ? <span className={`${textClasses.caption} ${textClasses.regular}`}>{notes.join(' · ')}</span> : null}
      </h2>
      <ol className={layoutClasses.bottomMargin28}>
        {entries.map((entry) => (
          <EntryRow key={entry._id} entry={entry} filter={filter} />
        ))}
      </ol>
    </section>
  )
}

const NoActivity = ({ isFiltered, isOwn, onClear }: { isFiltered: boolean; isOwn: boolean; onClear: () => void }) => (
  <EmptyState icon={IconActivity} title={isFiltered ? 'No activity matches' : 'No activity to display'}>
    <p>
      {isFiltered
        ? 'Nothing that changed fits these filters.'
        : isOwn
          ? 'What changes at your sites and favorites is listed here.'
          : 'What people change is listed here.'}
    </p>
    {isFiltered ? (
      <EmptyStateActions>
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      </EmptyStateActions>
    ) : null}
  </EmptyState>
)

const Page = () => {
  const { filter, change } = useActivityFilter()
  const seesEverything = useCan(SEE_EVERYTHING)
  const query = useActivity(filter)
  const pages = query.data?.pages
  const upTo = pages?.[0]?.upTo
  const { data: counts } = useActivityCounts(filter)
  const download = useActivityDownload()
  const { data: more } = useNewActivity(filter, query.isPlaceholderData ? undefined : upTo)
  const clear = () => change(Object.fromEntries(Object.keys(filter).map((name) => [name, undefined])))
  return (
    <div className={layoutClasses.narrowPage}>
      <ListHead
        title="Activity"
        summary={seesEverything ? 'What people changed, suggested and checked.' : 'What changed at your sites and favorites.'}
        aside={
          <div className={layoutClasses.spaced}>
            <ViewMenu />
            <Button
              variant="default"
              leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
              loading={download.isPending}
              onClick={() => download.mutate(filter)}
            >
              Download Workbook
            </Button>
          </div>
        }
      />
      <ActivityFilters filter={filter} change={change} people={pages?.[0]?.people ?? []} />
      <p className={`${textClasses.note} ${layoutClasses.topMargin12} ${classes.total}`}>
        {counts && filter.day === undefined
          ? `${[...counts.values()].reduce((sum, count) => sum + count, 0).toLocaleString('en-US')} in the last ${COUNTED_DAYS} days`
          : null}
      </p>
      <div role="status" className={`${layoutClasses.flex} ${layoutClasses.justifyCenter} ${classes.news}`}>
        {more && more.entries > 0 ? (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconArrowUp size={17} stroke={1.75} aria-hidden />}
            onClick={() => {
              void query.refetch()
              window.scrollTo({ top: 0 })
            }}
          >
            {more.entries} new
          </Button>
        ) : null}
      </div>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {({ pages: loaded }) => {
          const entries = loaded.flatMap((page) => page.entries)
          const days = Map.groupBy(entries, ({ at }) => toIsoDay(at, configuration.timeZone))
          return entries.length === 0 ? (
            <NoActivity isFiltered={Object.keys(filter).length > 0} isOwn={!seesEverything} onClear={clear} />
          ) : (
            <div aria-busy={query.isPlaceholderData}>
              {[...days].map(([day, ofDay]) => (
                <Day key={day} day={day} entries={ofDay} count={counts?.get(day)} filter={filter} />
              ))}
              {query.hasNextPage ? (
                <Button
                  variant="default"
                  fullWidth
                  className={layoutClasses.bottomMargin28}
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Show more
                </Button>
              ) : null}
            </div>
          )
        }}
      </LoadedList>
    </div>
  )
}

/** `/activity`: all changes in the network, newest first, by day. */
export const ActivityPage = ({ records }: { records: ActivityRecords }) => (
  <ActivityRecordsContext value={records}>
    <Page />
  </ActivityRecordsContext>
)
