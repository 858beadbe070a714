import type { ComponentProps } from 'react'

import { ChangeRequestModal } from '../features/changing/requests/web/ChangeRequestModal.tsx'
import { RequestsPage } from '../features/changing/requests/web/RequestsPage.tsx'
import { CurrentValues } from '../records/sites/web/CurrentValues.tsx'

/** `/requests`, with the current values of the site that a request is about. */
export const Requests = () => <RequestsPage CurrentValues={CurrentValues} />

/** The change request window, with the current values of its site. */
export const RequestChange = (props: Omit<ComponentProps<typeof ChangeRequestModal>, 'CurrentValues'>) => (
  <ChangeRequestModal {...props} CurrentValues={CurrentValues} />
)
