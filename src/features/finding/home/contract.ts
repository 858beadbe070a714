import { z } from 'zod'

import { call } from '../../../contract/call.ts'

/** The counts on the tiles of the home page. */
export const readCounts = call({
  method: 'GET',
  path: '/api/counts',
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'How many regions, brands, charters, sites and people there are.',
  response: z.strictObject({
    regions: z.int(),
    brands: z.int(),
    charters: z.int(),
    sites: z.int(),
    leadership: z.int(),
    studentSupport: z.int(),
  }),
})
