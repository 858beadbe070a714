import { useEffect, useId, useMemo, useState } from 'react'

import { errorMessage } from '../../../../platform/web/failures.ts'
import { useIsPrinting } from '../../../../platform/web/print.ts'
import type { Deadline } from '../contract.ts'
import { getGroupRange, type GroupName, sortDeadlines } from './agenda.ts'
import { AgendaRow } from './AgendaRow.tsx'
import { useDeadlines } from './queries.ts'
import type { DeadlinesFilter } from './use-deadline-filter.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AgendaView.module.css'

/** The number of rows shown initially; more are shown on request. */
const FIRST_ROWS = 10
const MORE_ROWS = 200

interface AgendaGroupProps {
  readonly name: GroupName
  readonly rows: readonly Deadline[]
  /** The total number, including those not loaded. */
  readonly count: number
  readonly filter: DeadlinesFilter
  readonly today: string
  readonly isFirst: boolean
  readonly isNarrow: boolean
  readonly contradicted: ReadonlySet<string>
  /** The rows of the page by `_id`, for keyboard shortcuts. */
  readonly known: Map<string, Deadline>
}

const useMoreRows = (name: GroupName, { query }: DeadlinesFilter, today: string, limit: number, isEnabled: boolean) => {
  return useDeadlines(
    name === 'Handled' ? { ...query, state: 'handled' } : { ...query, ...getGroupRange(name, today), state: 'open', limit },
    { isEnabled },
  )
}

/** A group of similarly distant deadlines, with their number; a long group ends with 'Show 161 more'. */
export const AgendaGroup = (props: AgendaGroupProps) => {
  const { name, rows: loaded, count, filter, today, isFirst, isNarrow, contradicted, known } = props
  const id = useId()
  const [shown, setShown] = useState(FIRST_ROWS)
  const isIncomplete = loaded.length < count
  const more = useMoreRows(name, filter, today, shown + MORE_ROWS, isIncomplete && shown > FIRST_ROWS)
  const all = useMemo(() => {
    const sorted = sortDeadlines([...(more.data ?? []), ...loaded])
    // The most recently handled ones come first.
    return name === 'Handled' ? sorted.toReversed() : sorted
  }, [name, more.data, loaded])
  useEffect(() => {
    for (const deadline of all) known.set(deadline._id, deadline)
  }, [known, all])
  const isPrinting = useIsPrinting()
  const rows = isPrinting ? all : all.slice(0, shown)
  const rest = Math.max(count, all.length) - rows.length
  const next = Math.min(rest, MORE_ROWS)
  return (
    <section className={`${layoutClasses.sectionEnd} ${classes.group}`} aria-labelledby={id}>
      <h2
        id={id}
        className={`${textClasses.sectionTitle} ${layoutClasses.lineBelow} ${classes.heading}`}
        data-overdue={name === 'Overdue' || undefined}
      >
        {name} <span className={textClasses.count}>{count.toLocaleString('en-US')}</span>
      </h2>
      <ul aria-labelledby={id}>
        {rows.map((deadline, at) => (
          <AgendaRow
            key={deadline._id}
            deadline={deadline}
            today={today}
            isContradiction={contradicted.has(deadline._id)}
            isNarrow={isNarrow}
            isFirst={isFirst && at === 0}
          />
        ))}
      </ul>
      {isPrinting && rest > 0 ? (
        <p className={`${textClasses.dimmed} ${layoutClasses.topMargin8}`}>and {rest.toLocaleString('en-US')} more</p>
      ) : null}
      {rest > 0 ? (
        <button
          type="button"
          className={`${textClasses.link} ${classes.more}`}
          disabled={more.isFetching}
          data-print="no"
          onClick={() => setShown(rows.length + MORE_ROWS)}
        >
          {more.isFetching ? 'Loading…' : `Show ${next.toLocaleString('en-US')} more`}
        </button>
      ) : null}
      <div role="alert">
        {more.error ? <p className={`${textClasses.required} ${layoutClasses.topMargin8}`}>Error: {errorMessage(more.error)}</p> : null}
      </div>
    </section>
  )
}
