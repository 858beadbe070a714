import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'

import { isSignedOut, errorMessage } from '../failures.ts'
import { Notice } from '../kit/Notice.tsx'

/** Responses faster than this show no skeleton. */
const SKELETON_DELAY_MS = 150

const Delayed = ({ children }: { children: ReactNode }) => {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return shown ? <div aria-hidden>{children}</div> : null
}

interface LoadedListProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>
  skeleton: ReactNode
  children: (records: T) => ReactNode
}

/** Loads the records of a list: a skeleton after a moment; a failed load offers Retry and stays. */
export const LoadedList = <T,>({ query, skeleton, children }: LoadedListProps<T>) => {
  const { data, error } = query
  if (data !== undefined) return <>{children(data)}</>
  if (!error || isSignedOut(error)) return <Delayed>{skeleton}</Delayed>
  return (
    <Notice tone="bad" live>
      <span>{errorMessage(error)}</span>
      <Button size="compact-sm" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
        Retry
      </Button>
    </Notice>
  )
}
