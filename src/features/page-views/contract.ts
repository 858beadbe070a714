import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'

/** One part of a path pattern: a word of the route table (section 2) or a parameter, whose name says nothing of whom it stands for. */
const PART =
  /^(\{(id|slug)\}|login|downloads|add_staff|permissions|add_location|regions?|charters?|charterview|charter_affair|addcharter|brands?|brandview|addbrand|locations?|fac|enrollment|staff|sis|leadership|support|404|settings|coverage|org|calls|account|searches|requests)$/
const isPattern = (page: string): boolean =>
  page === '/' ||
  page === '/$' ||
  (page.startsWith('/') &&
    page
      .slice(1)
      .split('/')
      .every((part) => PART.test(part)))

/** A page was looked at (D27): the pattern of its path (`/location/{id}`), never the path itself. */
export const recordPageView = call({
  method: 'POST',
  path: '/api/page-views',
  needs: 'browse the directory',
  does: 'Counts a page view under a pseudonym that changes every day.',
  body: z.strictObject({ page: z.string().max(100).refine(isPattern, 'A path pattern such as /location/{id}') }),
  answer: 'nothing',
})
