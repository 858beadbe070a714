import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { day } from '../../../platform/contract/fields.ts'
import { findPagePattern } from './rules.ts'

/** The most days that can be asked for; how long page views are kept is a setting of the server. */
export const MAX_DAYS = 396

export const Usage = z.strictObject({
  /** Every day, those without a view as well; the oldest first. */
  days: z.array(z.strictObject({ day, views: z.int(), visitors: z.int() })),
  /** The pages that were looked at, the most viewed first; `daily` has the views of each of the days. */
  pages: z.array(z.strictObject({ page: z.string(), views: z.int(), daily: z.array(z.int()) })),
})
export type Usage = z.infer<typeof Usage>

export const readUsage = call({
  method: 'GET',
  path: '/api/usage',
  capability: 'see usage',
  summary: 'Page views by page and day, and how many people viewed pages each day, in the organization’s time zone.',
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(MAX_DAYS).default(30) }),
  response: Usage,
})

/** A page was looked at (D27): the pattern of its path (`/location/{id}`), never the path itself. */
export const recordPageView = call({
  method: 'POST',
  path: '/api/page-views',
  capability: 'browse the directory',
  summary: 'Counts a page view, under an anonymous ID that changes every day.',
  body: z.strictObject({
    page: z
      .string()
      .max(100)
      .transform((page, context) => {
        const known = findPagePattern(page)
        if (known === undefined) context.addIssue({ code: 'custom', message: 'Enter the pattern of a page, such as /location/{id}' })
        return known ?? z.NEVER
      }),
  }),
  response: 'nothing',
})
