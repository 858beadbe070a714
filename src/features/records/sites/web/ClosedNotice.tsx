import { Notice } from '../../../../platform/web/kit/Notice.tsx'

/** The banner on the pages and forms of a closed site. */
export const ClosedNotice = () => (
  <Notice tone="off">
    <strong>This Location is Closed</strong>
  </Notice>
)
