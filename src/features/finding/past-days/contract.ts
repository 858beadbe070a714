import { z } from 'zod'

import { call, PastDay } from '../../../contract/call.ts'
import { byIdOrSlug, idOrSlug, text } from '../../../contract/fields.ts'
import { RecordKind } from '../../../contract/records.ts'

const daysCall = {
  query: z.object({ on: PastDay }),
  response: z.strictObject({
    /** The days on which the record or a part of it changed, oldest first, at most 1,000. */
    days: z.array(z.strictObject({ day: z.iso.date(), changes: z.int() })),
    /** The fields that have another value today than on the day; `name` if the value refers to a record. */
    today: z.array(z.strictObject({ path: z.string(), label: z.string(), value: z.unknown(), name: text })),
  }),
} as const

export const readPastDays = call('GET', '/api/past-days/:kind/:id', {
  capability: 'browse the directory',
  summary: 'The days on which a record changed, and with `on` how that day differs from today.',
  params: z.object({ kind: RecordKind, id: idOrSlug }),
  ...daysCall,
})

export const readAffairPastDays = call('GET', '/api/past-days/charter_affair/:id', {
  capability: 'read a charter affair',
  summary: 'The days on which a charter affair changed, and with `on` how that day differs from today.',
  params: byIdOrSlug,
  ...daysCall,
})
