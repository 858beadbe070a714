import { Button, Drawer, Skeleton } from '@mantine/core'
import { useState } from 'react'

import { dayOf, showDay } from '../../../../platform/contract/dates.ts'
import type { RecordHit } from '../../../../platform/contract/records.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { sayFailure } from '../../../../platform/web/failures.ts'
import { useCan } from '../../../access/session/web/queries.ts'
import { callsOf, type Change, type HistoryKind } from '../contract.ts'
import { ChangeRow } from './ChangeRow.tsx'
import { doneWords, type Wanted } from './changeWords.ts'
import { HistoryFilters } from './HistoryFilters.tsx'
import { type Narrowed, useHistory, usePutBack } from './queries.ts'

import classes from './HistoryDrawer.module.css'

interface HistoryDrawerProps extends Pick<RecordHit, '_id' | 'name'> {
  kind: HistoryKind
  onClose: () => void
}

interface DayProps {
  /** `2026-11-20`. */
  day: string
  changes: readonly Change[]
  /** The one field the history is narrowed to. */
  field: string | undefined
  onPutBack: ((change: Change, wanted: Wanted) => void) | undefined
}

const Day = ({ day, changes, field, onPutBack }: DayProps) => (
  <section aria-label={showDay(day)} className={classes.day}>
    <h3 className={classes.date}>
      <time dateTime={day}>{showDay(day)}</time>
    </h3>
    <ol className={classes.changes}>
      {changes.map((change) => (
        <ChangeRow key={change._id} change={change} field={field} onPutBack={onPutBack} />
      ))}
    </ol>
  </section>
)

const byDay = (changes: readonly Change[]): ReadonlyMap<string, Change[]> =>
  Map.groupBy(changes, ({ at }) => dayOf(at, configuration.timeZone))

const Bones = () => (
  <div aria-hidden className={classes.bones}>
    {[72, 104, 72].map((height, index) => (
      <Skeleton key={index} height={height} />
    ))}
  </div>
)

const Nothing = ({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) => (
  <div className={classes.nothing}>
    <p>{isNarrowed ? 'No changes match these filters.' : 'There are no changes so far.'}</p>
    {isNarrowed ? (
      <Button variant="default" onClick={onClear}>
        Clear Filters
      </Button>
    ) : null}
  </div>
)

/** Who changed a record and its parts, when, and which fields from what to what (D28); earlier values can be put back. */
export const HistoryDrawer = ({ kind, _id, name, onClose }: HistoryDrawerProps) => {
  const [narrowed, setNarrowed] = useState<Narrowed>({})
  const history = useHistory(kind, _id, narrowed)
  const puttingBack = usePutBack(kind, _id)
  const mayEdit = useCan(callsOf(kind).putBack.capability)
  const pages = history.data?.pages
  const changes = pages?.flatMap((page) => page.changes) ?? []
  const { people = [], fields = [] } = pages?.[0] ?? {}
  const { variables, error } = puttingBack
  const onPutBack = (change: Change, wanted: Wanted) => {
    if (!puttingBack.isPending) puttingBack.mutate({ change, wanted })
  }
  const days = [...byDay(changes)]

  return (
    <Drawer opened onClose={onClose} position="right" size={600} title={`History of ${name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <HistoryFilters people={people} fields={fields} narrowed={narrowed} onNarrow={setNarrowed} />
      {history.isPending ? <Bones /> : null}
      {history.isError && changes.length === 0 ? (
        <div className={classes.nothing} role="alert">
          <p>{sayFailure(history.error)}</p>
          <Button variant="default" onClick={() => void history.refetch()}>
            Retry
          </Button>
        </div>
      ) : null}
      {history.isSuccess && changes.length === 0 ? (
        <Nothing isNarrowed={Object.keys(narrowed).length > 0} onClear={() => setNarrowed({})} />
      ) : null}
      <div aria-busy={history.isPlaceholderData}>
        {days.map(([day, ofDay]) => (
          <Day
            key={day}
            day={day}
            changes={ofDay}
            field={history.isPlaceholderData ? undefined : narrowed.field}
            onPutBack={mayEdit ? onPutBack : undefined}
          />
        ))}
      </div>
      {history.hasNextPage ? (
        <Button variant="default" fullWidth loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          Show Earlier Changes
        </Button>
      ) : null}
      <div className={classes.said}>
        <div role="status">
          {puttingBack.isSuccess && variables ? <p className={classes.done}>{doneWords(variables.change, variables.wanted)}</p> : null}
        </div>
        {error ? (
          <p role="alert" className={classes.failed}>
            {sayFailure(error)}
          </p>
        ) : null}
      </div>
    </Drawer>
  )
}
