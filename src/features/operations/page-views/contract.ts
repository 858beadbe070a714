import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { day } from '../../../contract/fields.ts'
import { findPagePattern } from './rules.ts'

/** The longest period that can be requested. The retention period is a setting of the server. */
export const MAX_USAGE_DAYS = 396

export const Usage = z.strictObject({
  /** Every day, also those without views, oldest first. */
  days: z.array(z.strictObject({ day, views: z.int(), visitors: z.int() })),
  /** The viewed pages, most viewed first; `daily` has the views of each day. */
  pages: z.array(z.strictObject({ page: z.string(), views: z.int(), daily: z.array(z.int()) })),
})
export type Usage = z.infer<typeof Usage>

export const readUsage = call('GET', '/api/usage', {
  capability: 'see usage',
  summary: 'Page views by page and day, and how many people viewed pages each day, in the organization’s time zone.',
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(MAX_USAGE_DAYS).default(30) }),
  response: Usage,
})

/** Takes the pattern of a path (`/location/{id}`), never the path itself, so that no one's visits can be reconstructed. */
export const recordPageView = call('POST', '/api/page-views', {
  capability: 'browse the directory',
  summary: 'Counts a page view, under an anonymous ID that changes every day.',
  body: z.strictObject({
    page: z
      .string()
      .max(100)
      .transform((page, context) => {
        const pattern = findPagePattern(page)
        if (pattern === undefined) context.addIssue({ code: 'custom', message: 'Enter the pattern of a page, such as /location/{id}' })
        return pattern ?? z.NEVER
      }),
  }),
  response: 'nothing',
})
