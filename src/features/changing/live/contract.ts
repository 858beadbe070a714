import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id } from '../../../contract/fields.ts'
import { EDITABLE_KINDS, ROW_KINDS } from '../../../contract/records.ts'

/** Longest gap between the first read of a page and its stream that is bridged by sending the changes since; after a longer one it reads everything again. */
export const MAX_AGE_SECONDS = 600

export const streamChanges = call('GET', '/api/live', {
  capability: 'browse the directory',
  summary:
    'Which records changed, as they do, as server-sent events that do not end. After `Last-Event-ID` it continues where another stream ended.',
  query: z.strictObject({
    /** How many seconds ago the first records were read: changes since then are sent first. */
    age: z.coerce.number().int().min(0).max(MAX_AGE_SECONDS).optional(),
  }),
  response: 'events',
  allowCookieOnly: true,
  isBackground: true,
})

/** A change of one record. */
export const LiveChange = z.strictObject({
  /** A kind of record, or `request`, `deadline`, `permission`, `role`, `program_type`. */
  kind: z.string(),
  _id: z.string(),
  action: z.enum(['created', 'changed', 'deleted']),
  at: z.string(),
  by: z.string().nullable(),
  /** The changed fields, for readers of the history. */
  changed: z.array(z.string()).optional(),
  /** Whether the receiver made it. */
  own: z.literal(true).optional(),
})
export type LiveChange = z.infer<typeof LiveChange>

/** The events of the stream by name, and their data. */
export const LIVE_EVENTS = {
  /** The stream is complete from here on. */
  open: z.strictObject({}),
  changes: z.strictObject({ changes: z.array(LiveChange) }),
  /** More changes of these kinds than are named one by one. */
  many: z.strictObject({ kinds: z.array(z.string()) }),
  /** Something changed that has no history, such as a comment: what shows these kinds has to be read again. */
  kinds: z.strictObject({ kinds: z.array(z.string()) }),
  /** Changes were missed: everything has to be read again. */
  reset: z.strictObject({}),
  /** The others who have a form of the receiver open, by its key. */
  editors: z.strictObject({ form: z.uuid(), editors: z.array(z.string()) }),
  /** The receiver's open forms have to be announced again. */
  announce: z.strictObject({}),
} as const
export type LiveEvents = { readonly [Name in keyof typeof LIVE_EVENTS]: z.infer<(typeof LIVE_EVENTS)[Name]> }

const params = z.object({ form: z.uuid() })

export const announceForm = call('PUT', '/api/live/forms/:form', {
  capability: 'browse the directory',
  summary: 'Says that the caller has the form of a record open; repeated every few seconds. The answer says who else has.',
  params,
  body: z.strictObject({ kind: z.enum([...EDITABLE_KINDS, ...ROW_KINDS]), _id: id }),
  response: z.strictObject({ editors: z.array(z.string()) }),
  sessionOnly: true,
  isBackground: true,
})

export const leaveForm = call('DELETE', '/api/live/forms/:form', {
  capability: 'browse the directory',
  summary: 'Says that the caller has closed a form.',
  params,
  response: 'nothing',
  sessionOnly: true,
  isBackground: true,
})
