import { useQuery } from '@tanstack/react-query'

import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { countDeadlines, type DeadlineSearch } from '../../deadlines/contract.ts'
import { listCalendars } from '../contract.ts'

/** The user's own feeds; those of another account for level 1. */
export const useCalendars = (account: string | null) =>
  useQuery({
    ...callQueryOptions(listCalendars, { query: account === null ? {} : { all: 'true' } }),
    // A calendar program may read one at any time.
    staleTime: 0,
    select: (calendars) => (account === null ? calendars : calendars.filter(({ owner }) => owner._id === account)),
  })

export const invalidateCalendars = (): void => void queryClient.invalidateQueries({ queryKey: getQueryKey(listCalendars) })

/** The number of deadlines that a filter matches. */
export const useFoundCount = ({ state, ...filter }: DeadlineSearch) =>
  useQuery({
    ...callQueryOptions(countDeadlines, { query: filter }),
    select: ({ overdue, week, days30, days90, days365, later, snoozed, handled }) => {
      const counts = { open: overdue + week + days30 + days90 + days365 + later, snoozed, handled }
      return state === undefined ? counts.open + snoozed + handled : counts[state]
    },
  })
