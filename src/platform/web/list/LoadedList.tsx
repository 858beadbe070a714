import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { isSignedOut } from '../failures.ts'
import { RetryNotice } from '../kit/RetryNotice.tsx'
import { useHasElapsed } from '../use-has-elapsed.ts'

/** Responses faster than this show no skeleton. */
const SKELETON_DELAY_MS = 150

const Delayed = ({ children }: { children: ReactNode }) => (useHasElapsed(SKELETON_DELAY_MS) ? <div aria-hidden>{children}</div> : null)

/** A query, or what is already loaded. */
export type LoadingQuery<T> = Pick<UseQueryResult<T>, 'data'> & Partial<Pick<UseQueryResult<T>, 'error' | 'isFetching' | 'refetch'>>

interface LoadedListProps<T> {
  query: LoadingQuery<T>
  skeleton: ReactNode
  children: (records: T) => ReactNode
}

/** Loads the records of a list: a skeleton after a moment; a failed load offers Retry and stays. */
export const LoadedList = <T,>({ query, skeleton, children }: LoadedListProps<T>) => {
  const { data, error } = query
  if (data !== undefined) return <>{children(data)}</>
  if (!error || isSignedOut(error)) return <Delayed>{skeleton}</Delayed>
  return <RetryNotice query={query} />
}
