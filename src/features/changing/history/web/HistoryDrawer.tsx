import { Button, Drawer, NativeSelect, Skeleton } from '@mantine/core'
import { useState } from 'react'

import { formatDay, toIsoDay } from '../../../../contract/dates.ts'
import { type HistoryParts } from '../../../../contract/history.ts'
import { compareTexts } from '../../../../contract/lists.ts'
import type { RecordHit } from '../../../../contract/records.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { type Change, type FieldOfPart, getHistoryCalls, type HistoryComment, type HistoryKind } from '../contract.ts'
import { formatRestored, getFieldLabel, getPartTitle, type RestoreTarget } from '../rules.ts'
import { ChangeRow, HistoryCommentRow } from './ChangeRow.tsx'
import { type HistoryFilter, useHistory, useRestore } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './HistoryDrawer.module.css'

interface HistoryFiltersProps {
  parts: HistoryParts
  /** Everyone who changed something, and every field that was changed. */
  people: readonly string[]
  fields: readonly FieldOfPart[]
  filter: HistoryFilter
  onFilter: (filter: HistoryFilter) => void
}

const toOptionValue = ({ part, field }: Partial<FieldOfPart>): string => (part === undefined ? '' : `${part} ${field}`)

/** The fields grouped by part, sorted by label. */
const groupFields = (parts: HistoryParts, fields: readonly FieldOfPart[]) =>
  [...Map.groupBy(fields, ({ part }) => part)].map(([part, partFields]) => ({
    group: getPartTitle(parts, part),
    items: partFields
      .map((one) => ({ value: toOptionValue(one), label: getFieldLabel(parts, part, one.field) }))
      .toSorted((a, b) => compareTexts(a.label, b.label)),
  }))

/** Filters a history by person and by field. */
const HistoryFilters = ({ parts, people, fields, filter, onFilter }: HistoryFiltersProps) => {
  const { by, ...field } = filter
  return (
    <div className={`${layoutClasses.bottomMargin20} ${layoutClasses.grid} ${classes.filters}`}>
      <NativeSelect
        label="Changed by"
        data={[{ value: '', label: 'Anyone' }, ...people]}
        value={by ?? ''}
        onChange={({ currentTarget: { value } }) => onFilter({ ...field, ...(value ? { by: value } : {}) })}
      />
      <NativeSelect
        label="Field"
        data={[{ value: '', label: 'Any field' }, ...groupFields(parts, fields)]}
        value={toOptionValue(field)}
        onChange={({ currentTarget: { value } }) =>
          onFilter({ ...(by === undefined ? {} : { by }), ...fields.find((one) => toOptionValue(one) === value) })
        }
      />
    </div>
  )
}

interface HistoryDrawerProps extends Pick<RecordHit, '_id' | 'name'> {
  kind: HistoryKind
  parts: HistoryParts
  onClose: () => void
}

interface DayProps {
  /** `2026-11-20`. */
  day: string
  parts: HistoryParts
  entries: readonly (Change | HistoryComment)[]
  /** The one field the history is filtered by. */
  field: string | undefined
  onRestore: ((change: Change, target: RestoreTarget) => void) | undefined
}

const Day = ({ day, parts, entries, field, onRestore }: DayProps) => (
  <section aria-label={formatDay(day)} className={layoutClasses.bottomMargin24}>
    <h3 className={`${textClasses.label} ${layoutClasses.lineBelow} ${textClasses.figures} ${classes.date}`}>
      <time dateTime={day}>{formatDay(day)}</time>
    </h3>
    <ol>
      {entries.map((entry) =>
        'text' in entry ? (
          <HistoryCommentRow key={entry._id} comment={entry} />
        ) : (
          <ChangeRow key={entry._id} parts={parts} change={entry} field={field} onRestore={onRestore} />
        ),
      )}
    </ol>
  </section>
)

const groupByDay = <Entry extends Change | HistoryComment>(entries: readonly Entry[]): ReadonlyMap<string, Entry[]> =>
  Map.groupBy(
    entries.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)),
    ({ at }) => toIsoDay(at, configuration.timeZone),
  )

const HistorySkeleton = () => (
  <div aria-hidden className={layoutClasses.grid}>
    {[72, 104, 72].map((height, index) => (
      <Skeleton key={index} height={height} />
    ))}
  </div>
)

const EmptyHistory = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => (
  <div className={`${textClasses.dimmed} ${classes.nothing}`}>
    <p>{isFiltered ? 'No changes match these filters.' : 'There are no changes yet.'}</p>
    {isFiltered ? (
      <Button variant="default" onClick={onClear}>
        Clear Filters
      </Button>
    ) : null}
  </div>
)

/** The changes of a record and its parts, and comments on it, by day; earlier values can be restored. */
export const HistoryDrawer = ({ kind, parts, _id, name, onClose }: HistoryDrawerProps) => {
  const [filter, setFilter] = useState<HistoryFilter>({})
  const history = useHistory(kind, _id, filter)
  const restore = useRestore(kind, _id)
  const canRestore = useCan(getHistoryCalls(kind).restore.capability)
  const pages = history.data?.pages
  const entries = pages?.flatMap((page) => [...page.changes, ...page.comments]) ?? []
  const { people = [], fields = [] } = pages?.[0] ?? {}
  const { variables, error } = restore
  const onRestore = (change: Change, target: RestoreTarget) => {
    if (!restore.isPending) restore.mutate({ change, target })
  }
  const days = [...groupByDay(entries)]

  return (
    <Drawer opened onClose={onClose} position="right" size={600} title={`History of ${name}`}>
      <HistoryFilters parts={parts} people={people} fields={fields} filter={filter} onFilter={setFilter} />
      {history.isPending ? <HistorySkeleton /> : null}
      {history.isError && entries.length === 0 ? (
        <div className={`${textClasses.dimmed} ${classes.nothing}`} role="alert">
          <p>{errorMessage(history.error)}</p>
          <Button variant="default" onClick={() => void history.refetch()}>
            Retry
          </Button>
        </div>
      ) : null}
      {history.isSuccess && entries.length === 0 ? (
        <EmptyHistory isFiltered={Object.keys(filter).length > 0} onClear={() => setFilter({})} />
      ) : null}
      <div aria-busy={history.isPlaceholderData}>
        {days.map(([day, dayEntries]) => (
          <Day
            key={day}
            day={day}
            parts={parts}
            entries={dayEntries}
            field={history.isPlaceholderData ? undefined : filter.field}
            // Versions under the previous filter may be outdated, and a restore would be refused.
            onRestore={canRestore && !history.isPlaceholderData ? onRestore : undefined}
          />
        ))}
      </div>
      {history.hasNextPage ? (
        <Button variant="default" fullWidth loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          Show Earlier Changes
        </Button>
      ) : null}
      <div className={`${layoutClasses.topMargin16} ${classes.messages}`}>
        <div role="status">
          {restore.isSuccess && variables ? (
            <p className={layoutClasses.okGround}>{formatRestored(parts, variables.change, variables.target, configuration.timeZone)}</p>
          ) : null}
        </div>
        {error ? (
          <p role="alert" className={layoutClasses.badGround}>
            {errorMessage(error)}
          </p>
        ) : null}
      </div>
    </Drawer>
  )
}
