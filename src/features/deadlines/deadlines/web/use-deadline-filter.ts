import { useMemo } from 'react'

import { DEADLINE_OWNERS } from '../../../../contract/deadlines.ts'
import type { CalendarTarget } from '../../../../platform/web/calendar-window.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { DeadlineFilter, type DeadlineSearch } from '../contract.ts'
import { STATE_LABELS } from '../rules.ts'

export const DEADLINE_VIEWS = ['agenda', 'month', 'year', 'sort-out'] as const
export type DeadlinesView = (typeof DEADLINE_VIEWS)[number]

/** `open` includes snoozed deadlines, because they are not done. */
export type StateFilter = keyof typeof STATE_LABELS | 'all'

const FILTER_NAMES = ['kind', ...DEADLINE_OWNERS, 'responsible'] as const
type FilterName = (typeof FILTER_NAMES)[number]

export interface DeadlinesFilter {
  readonly view: DeadlinesView
  readonly state: StateFilter
  /** The state shown by the view if the URL has none. */
  readonly defaultState: StateFilter
  /** The query for calls, without the state. */
  readonly query: DeadlineSearch
  /** Whether any filter other than the state Open is set. */
  readonly isFiltered: boolean
  readonly change: (changes: Partial<Record<FilterName | 'view' | 'state' | 'q', string | undefined>>) => void
  readonly clear: () => void
}

/** The filter of a new calendar feed: that of the page, or without one the user's own deadlines. Only open ones, unless another state was chosen. */
export const toCalendar = ({ query, state, defaultState }: Pick<DeadlinesFilter, 'query' | 'state' | 'defaultState'>): CalendarTarget => {
  const chosen = state === defaultState ? 'open' : state
  return {
    filter: {
      ...(Object.keys(query).length === 0 ? { responsible: 'me' } : query),
      ...(chosen === 'all' ? {} : { state: chosen }),
    },
  }
}

/** The view and filters of the page, stored in its URL. */
export const useDeadlineFilter = (): DeadlinesFilter => {
  const [address, change] = useSearchParams()
  const query = useMemo((): DeadlineSearch => {
    const filter: Record<string, string> = {}
    for (const name of FILTER_NAMES) {
      const value = address[name]
      if (value && DeadlineFilter.shape[name].safeParse(value).success) filter[name] = value
    }
    return { ...filter, ...(address['q']?.trim() ? { q: address['q'].trim().slice(0, 200) } : {}) }
  }, [address])
  const view = DEADLINE_VIEWS.find((one) => one === address['view']) ?? 'agenda'
  // Month and year show handled deadlines, too.
  const defaultState = view === 'month' || view === 'year' ? 'all' : 'open'
  const state =
    Object.hasOwn(STATE_LABELS, address['state'] ?? '') || address['state'] === 'all' ? (address['state'] as StateFilter) : defaultState
  return {
    view,
    state,
    defaultState,
    query,
    isFiltered: Object.keys(query).length > 0 || state !== defaultState,
    change,
    clear: () => change({ ...Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])), state: undefined, q: undefined }),
  }
}
