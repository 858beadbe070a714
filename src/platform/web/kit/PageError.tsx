import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'

import { errorMessage } from '../failures.ts'
import { EmptyState, EmptyStateActions } from './EmptyState.tsx'

/** Shown when rendering a page throws. */
export const PageError = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter()
  return (
    <EmptyState icon={IconAlertTriangle} title={`Error: ${errorMessage(error)}`} isPage>
      <p>The problem has been reported. Try again, or go to the home page.</p>
      <EmptyStateActions>
        <Button
          onClick={() => {
            reset()
            void router.invalidate()
          }}
        >
          Try Again
        </Button>
        <Button variant="default" component="a" href="/">
          Home
        </Button>
      </EmptyStateActions>
    </EmptyState>
  )
}
