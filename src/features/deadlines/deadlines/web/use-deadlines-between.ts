import { useMemo } from 'react'

import type { Deadline } from '../contract.ts'
import { getShownDate, sortDeadlines } from './agenda.ts'
import { useDeadlines } from './queries.ts'
import type { DeadlinesFilter } from './use-deadline-filter.ts'

const NONE: readonly Deadline[] = []

/** The deadlines listed between two days; snoozed ones count at their snooze day. */
export const useDeadlinesBetween = ({ query, state }: DeadlinesFilter, from: string, to: string) => {
  const dated = useDeadlines({ ...query, from, to, ...(state === 'all' || state === 'open' ? {} : { state }) })
  const snoozed = useDeadlines({ ...query, state: 'snoozed' }, { isEnabled: state !== 'handled' })
  const deadlines = useMemo(
    () =>
      sortDeadlines([...(dated.data ?? NONE), ...((state !== 'handled' && snoozed.data) || NONE)]).filter((deadline) => {
        const shown = getShownDate(deadline)
        return shown >= from && shown <= to && (state !== 'open' || deadline.state !== 'handled')
      }),
    [dated.data, snoozed.data, state, from, to],
  )
  return { query: dated, deadlines }
}
