import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'

import { ConnectionLost, errorMessage } from '../failures.ts'
import { useIsOffline } from '../offline.ts'
import { Notice } from './Notice.tsx'

import textClasses from './Text.module.css'

/** A failed load, with a button that repeats it. */
export const RetryNotice = ({ query }: { query: Partial<Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>> }) =>
  useIsOffline() && query.error instanceof ConnectionLost ? (
    <p className={textClasses.hint}>This needs a connection.</p>
  ) : (
    <Notice tone="bad" live>
      <span>{errorMessage(query.error)}</span>
      <Button size="compact-sm" variant="default" loading={query.isFetching} onClick={() => void query.refetch?.()}>
        Retry
      </Button>
    </Notice>
  )
