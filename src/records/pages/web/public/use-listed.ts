import { usePrefetchQuery, useQuery } from '@tanstack/react-query'

import type { Call, ResponseOf } from '../../../../contract/call.ts'
import type { CallRequest } from '../../../../platform/web/client.ts'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'

/** Whether the page lists archived records instead of the others (`?archived=1`). */
export const useIsListArchived = (): boolean => useSearchParams()[0]['archived'] === '1'

/** The records of a list page: all, or those that are archived; `select` chooses among them. */
export const useListed = <C extends Call>(
  call: C,
  inputs?: Pick<CallRequest<C>, 'params'>,
  select?: (records: ResponseOf<C>) => ResponseOf<C>,
) => {
  const given = useIsListArchived() ? { ...inputs, query: { archived: '1' } } : inputs
  const options = callQueryOptions(call, given as Pick<CallRequest<C>, 'params' | 'query'> | undefined)
  // While the page is rendered for the first time, which takes a phone as long as the answer.
  usePrefetchQuery(options)
  return useQuery(select ? { ...options, select } : options)
}
