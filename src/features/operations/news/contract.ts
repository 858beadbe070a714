import { z } from 'zod'

import { call } from '../../../contract/call.ts'

export const readNews = call('GET', '/api/news', {
  capability: 'browse the directory',
  summary:
    'What is new in this version for the caller, in a few lines; none after an account has closed them, or if it began with this version.',
  response: z.strictObject({ version: z.string(), lines: z.array(z.strictObject({ text: z.string(), to: z.string().nullable() })) }),
})

export const closeNews = call('PUT', '/api/news/closed', {
  capability: 'browse the directory',
  summary: 'Closes the news of this version for the account of the caller.',
  response: 'nothing',
})
