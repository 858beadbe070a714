import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { EmptyState, EmptyStateActions } from '../../../platform/web/kit/EmptyState.tsx'
import type { CharterWithAffair } from '../contract.ts'

/** The notice for a charter without a charter affair; editors can create one. */
export const NoAffair = ({ charter, onCreate }: { charter: CharterWithAffair; onCreate: (() => void) | undefined }) => (
  <EmptyState icon={IconFileText} title="No charter affair on file">
    <p>
      There is no charter affair record for {charter.name}.{' '}
      {onCreate ? 'You can create one.' : 'Someone with access to edit charter affairs can create one.'}
    </p>
    <EmptyStateActions>
      {onCreate ? <Button onClick={onCreate}>Create charter affair record</Button> : null}
      <Button variant="default" renderRoot={(props) => <Link to="/charter/$id" params={{ id: charter.slug }} {...props} />}>
        View charter
      </Button>
    </EmptyStateActions>
  </EmptyState>
)
