import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { EmptyState, WaysOut } from '../../../platform/web/kit/EmptyState.tsx'
import type { CharterWithAffair } from '../contract.ts'

/** The notice for a charter without a record (section 2); whose level allows it is told that it can be created (D32). */
export const NoAffair = ({ charter, onCreate }: { charter: CharterWithAffair; onCreate: (() => void) | undefined }) => (
  <EmptyState icon={IconFileText} title="No charter affair on file">
    <p>
      Nothing has been recorded for {charter.name} yet.{' '}
      {onCreate ? 'Your access lets you create its first record.' : 'Somebody who may edit charter affairs can create the first record.'}
    </p>
    <WaysOut>
      {onCreate ? <Button onClick={onCreate}>Create the first record</Button> : null}
      <Button variant="default" renderRoot={(props) => <Link to="/charter/$id" params={{ id: charter.slug }} {...props} />}>
        Open the charter
      </Button>
    </WaysOut>
  </EmptyState>
)
