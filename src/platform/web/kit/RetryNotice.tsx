import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'

import { errorMessage } from '../failures.ts'
import { Notice } from './Notice.tsx'

/** A failed load, with a button that repeats it. */
export const RetryNotice = ({ query }: { query: Partial<Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>> }) => (
  <Notice tone="bad" live>
    <span>{errorMessage(query.error)}</span>
    <Button size="compact-sm" variant="default" loading={query.isFetching} onClick={() => void query.refetch?.()}>
      Retry
    </Button>
  </Notice>
)
