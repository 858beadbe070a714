import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'

/** A page was looked at (D27): the pattern of its path (`/location/{id}`), never the path itself. */
export const recordPageView = call({
  method: 'POST',
  path: '/api/page-views',
  needs: 'browse the directory',
  does: 'Counts a page view under a pseudonym that changes every day.',
  body: z.strictObject({ page: z.string().regex(/^\/[a-z_/{}$0-9]{0,100}$/i, 'A path pattern such as /location/{id}') }),
  answer: 'nothing',
})
