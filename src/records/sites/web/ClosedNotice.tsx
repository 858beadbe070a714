import { Notice } from '../../../platform/web/kit/Notice.tsx'

/** The banner on the pages of a closed site, and on the form of its overview. */
export const ClosedNotice = () => (
  <Notice tone="off">
    <strong>This Location is Closed</strong>
  </Notice>
)
