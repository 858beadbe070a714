import { VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactNode } from 'react'

import { Problem } from '../../../contract/problem.ts'
import { isTransient, isSignedOut, formatRequestId } from '../failures.ts'
import { useHasElapsed } from '../use-has-elapsed.ts'
import { Notice } from './Notice.tsx'
import { RetryNotice } from './RetryNotice.tsx'

import layoutClasses from './Layout.module.css'
import classes from './LoadedRecord.module.css'

/** Responses faster than this show no skeleton. */
const SKELETON_DELAY_MS = 150
/** The delay after which a failed load goes to /404. */
const NOT_FOUND_DELAY_MS = 2000

interface LoadedRecordProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** The noun: 'site', 'person', 'charter'. */
  what: string
  /** The page's back link, shown while loading. The loaded page has its own. */
  back?: ReactNode
  /** The page's placeholder. */
  skeleton: ReactNode
  children: (record: NonNullable<T>) => ReactNode
}

const Loading = ({ skeleton }: { skeleton: ReactNode }) =>
  useHasElapsed(SKELETON_DELAY_MS) ? (
    <>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      <div aria-hidden>{skeleton}</div>
    </>
  ) : null

/** For a missing record: says so immediately, and goes to /404 after two seconds. */
export const LoadFailed = ({ words }: { words: string }) => {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: '/404', replace: true }), NOT_FOUND_DELAY_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <Notice tone="off" live>
      <strong>{words}</strong> Redirecting…
    </Notice>
  )
}

/**
 * Loads the record of a detail page: shows a skeleton, then the page. A failed load shows a notice and goes to /404 after two seconds; a lost
 * connection offers Retry and stays; an expired session is already being redirected to the login page. A null response shows a notice.
 */
export const LoadedRecord = <T,>({ query, what, back, skeleton, children }: LoadedRecordProps<T>) => {
  const { data, error } = query
  const isNotFound = error instanceof Problem && error.status === 404
  if (data !== undefined && data !== null && !isNotFound) return <>{children(data)}</>

  const state = () => {
    if (data === null) return <Notice tone="off">{`There is no record for this ${what}.`}</Notice>
    if (!error || isSignedOut(error)) return <Loading skeleton={skeleton} />
    if (!isTransient(error))
      return <LoadFailed words={`This ${what} could not be ${isNotFound ? 'found' : 'loaded'}${formatRequestId(error)}.`} />
    return <RetryNotice query={query} />
  }
  return (
    <>
      {back ? <div className={`${layoutClasses.bottomMargin12} ${classes.back}`}>{back}</div> : null}
      {state()}
    </>
  )
}
