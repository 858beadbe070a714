import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'

import type { Call } from '../../contract/call.ts'
import { callName } from '../../contract/call.ts'
import type { CallRequest } from './client.ts'
import { sendUntyped } from './client.ts'
import { showError } from './error-banner.ts'
import { isTransient, isSignedOut, errorMessage } from './failures.ts'
import { answerOffline, type AskedInputs, getCopy, isOffline, SHOW_COPY_AFTER_MS } from './offline.ts'
import { pastDay } from './past-day.ts'

type RequestInput<C extends Call> = Pick<CallRequest<C>, 'params' | 'query'>

/** The cache key of a read: its call, then its inputs. `[nameOf(call)]` alone matches all inputs. */
export const getQueryKey = <C extends Call>(call: C, inputs?: RequestInput<C>): readonly unknown[] =>
  inputs === undefined ? [callName(call)] : [callName(call), inputs]

/** Shows what the copy on this device says while the server has not answered yet. */
const showCopy = async (client: QueryClient, queryKey: readonly unknown[], call: Call, inputs: AskedInputs = {}): Promise<void> => {
  const isWaiting = (): boolean => client.getQueryState(queryKey)?.status === 'pending'
  const found = isWaiting() ? await answerOffline(call, inputs).catch(() => undefined) : undefined
  // Stale from the start, so that it is read again if the page is left before the server has answered.
  if (found && isWaiting()) client.setQueryData(queryKey, found.answer, { updatedAt: 0 })
}

/** Query options that read a call; features' `queries.ts` wrap them in hooks. */
export const callQueryOptions = <C extends Call>(call: C, inputs?: RequestInput<C>) =>
  queryOptions({
    queryKey: getQueryKey(call, inputs),
    queryFn: ({ signal, client, queryKey }) => {
      if (getCopy() !== null && pastDay === undefined && client.getQueryData(queryKey) === undefined)
        setTimeout(() => void showCopy(client, queryKey, call, inputs), SHOW_COPY_AFTER_MS)
      return sendUntyped(call, { ...inputs, signal })
    },
    meta: { shows: call.shows },
  })

/**
 * Responses stay fresh for half a minute; older ones are shown immediately and refetched, which usually ends in a 304. Only transient failures are
 * retried automatically; being offline counts as one, so that the page can say so. If an older response stays on the screen, the banner says that it
 * could not be refreshed.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.state.data !== undefined && !isSignedOut(error) && !isOffline()) showError(errorMessage(error))
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && isTransient(error) && !isOffline(),
      retryDelay: (failures) => 400 * 3 ** failures,
    },
    mutations: { networkMode: 'always' },
  },
})
