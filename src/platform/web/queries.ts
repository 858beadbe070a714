import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'

import type { ResponseOf, Call } from '../../contract/call.ts'
import { callName } from '../../contract/call.ts'
import type { CallRequest } from './client.ts'
import { sendUntyped } from './client.ts'
import { showError } from './error-banner.ts'
import { isTransient, isSignedOut, errorMessage } from './failures.ts'

type RequestInput<C extends Call> = Pick<CallRequest<C>, 'params' | 'query'>

/** What a read is remembered under: its call, then what it was asked with. `[nameOf(call)]` alone covers every asking of it. */
export const getQueryKey = <C extends Call>(call: C, asked?: RequestInput<C>): readonly unknown[] =>
  asked === undefined ? [callName(call)] : [callName(call), asked]

/** Options of the query that reads a call; features' `queries.ts` wrap it in hooks. */
export const callQueryOptions = <C extends Call>(call: C, asked?: RequestInput<C>) =>
  queryOptions({
    queryKey: getQueryKey(call, asked),
    queryFn: ({ signal }) => sendUntyped(call, { ...asked, signal }) as Promise<ResponseOf<C>>,
  })

/**
 * Answers stay fresh for half a minute; older ones show at once and are asked for again, which mostly ends in a 304. Only a
 * passing failure is tried again by itself; offline counts as one, so that the page can say so. Where an older answer
 * stays on the screen, the banner says that it could not be refreshed.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.state.data !== undefined && !isSignedOut(error)) showError(errorMessage(error))
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      networkMode: 'always',
      retry: (tries, error) => tries < 2 && isTransient(error),
      retryDelay: (tries) => 400 * 3 ** tries,
    },
    mutations: { networkMode: 'always' },
  },
})
