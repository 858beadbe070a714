import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useEffect } from 'react'

import { EmptyState, EmptyStateActions } from '../../../../platform/web/kit/EmptyState.tsx'
import { useTitle } from '../../../../platform/web/title.ts'

/** The last page of the window that SignInAgain opens; it closes itself if the browser allows that. */
export const SignedInPage = () => {
  useTitle('Signed in')
  useEffect(() => window.close(), [])
  return (
    <main id="main">
      <EmptyState icon={IconCircleCheck} title="You are signed in again" isPage>
        <p>Close this window and continue where you left off.</p>
        <EmptyStateActions>
          <Button onClick={() => window.close()}>Close This Window</Button>
        </EmptyStateActions>
      </EmptyState>
    </main>
  )
}
