import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'

import type { ResponseOf, Call } from '../contract/call.ts'
import { callName } from '../contract/call.ts'
import { showError } from './banner.ts'
import type { Sent } from './client.ts'
import { transmit } from './client.ts'
import { isPassing, isSignedOut, sayFailure } from './failures.ts'

type Asked<C extends Call> = Pick<Sent<C>, 'params' | 'query'>

/** What a read is remembered under: its call, then what it was asked with. `[nameOf(call)]` alone covers every asking of it. */
export const keyOf = <C extends Call>(call: C, asked?: Asked<C>): readonly unknown[] =>
  asked === undefined ? [callName(call)] : [callName(call), asked]

/** Options of the query that reads a call; features' `queries.ts` wrap it in hooks. */
export const reading = <C extends Call>(call: C, asked?: Asked<C>) =>
  queryOptions({
    queryKey: keyOf(call, asked),
    queryFn: ({ signal }) => transmit(call, { ...asked, signal }) as Promise<ResponseOf<C>>,
  })

/**
 * Answers stay fresh for half a minute; older ones show at once and are asked for again, which mostly ends in a 304. Only a
 * passing failure is tried again by itself; offline counts as one, so that the page can say so (D36). Where an older answer
 * stays on the screen, the banner says that it could not be refreshed.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.state.data !== undefined && !isSignedOut(error)) showError(sayFailure(error))
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      networkMode: 'always',
      retry: (tries, error) => tries < 2 && isPassing(error),
      retryDelay: (tries) => 400 * 3 ** tries,
    },
    mutations: { networkMode: 'always' },
  },
})
