import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, moment, text, byUuid } from '../../../contract/fields.ts'
import { requiredLine } from '../../../contract/text-schemas.ts'
import { DeadlineSearch } from '../deadlines/contract.ts'
import { MAX_CALENDAR_NAME_LENGTH, MAX_REMINDER_DAYS } from './rules.ts'

/** A calendar feed of deadlines at a private URL. The URL is never included. */
export const Calendar = z.strictObject({
  _id: id,
  name: z.string(),
  filter: DeadlineSearch,
  /** How many days before each date the calendar reminds, at 9:00; null for no reminder. */
  reminderDays: z.int().nullable(),
  /** The current number of deadlines; null for someone else's calendar. */
  deadlines: z.int().nullable(),
  /** When its URL was created. */
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  /** The last program that read it, if known: 'Outlook'. */
  reader: text,
  /** False if nothing has read it for 14 days. */
  isInUse: z.boolean(),
  owner: z.strictObject({ _id: id, name: z.string() }),
  version: z.int(),
})
export type Calendar = z.infer<typeof Calendar>

const NewAddress = z.strictObject({
  _id: id,
  url: z.string(),
  /** The current number of deadlines. */
  deadlines: z.int(),
  version: z.int(),
})
export type NewAddress = z.infer<typeof NewAddress>

const ownAccess = { capability: 'browse the directory', sessionOnly: true } as const
export const listCalendars = call('GET', '/api/calendars', {
  ...ownAccess,
  summary: 'The caller’s calendar feeds, oldest first, without their addresses. With `all=true` level 1 gets everyone’s.',
  query: z.strictObject({ all: z.enum(['true', 'false']).optional() }),
  response: z.array(Calendar),
})

export const createCalendar = call('POST', '/api/calendars', {
  ...ownAccess,
  summary:
    'Creates a calendar feed of the deadlines that a filter finds. Its address is in this response and is never shown again; it gives what the caller may read at each moment.',
  body: z.strictObject({
    name: requiredLine(MAX_CALENDAR_NAME_LENGTH),
    /** The query of `GET /api/deadlines`. */
    filter: DeadlineSearch.default({}),
    reminderDays: z
      .int('Enter a number of days')
      .min(0, 'Enter a number of days')
      .max(MAX_REMINDER_DAYS, 'At most one year')
      .nullable()
      .default(null),
  }),
  response: NewAddress,
})

export const renewCalendarAddress = call('POST', '/api/calendars/:id/address', {
  ...ownAccess,
  summary: 'Gives one of the caller’s calendar feeds a new address. The old one ends with this response.',
  params: byUuid,
  response: NewAddress,
})

export const deleteCalendar = call('DELETE', '/api/calendars/:id', {
  ...ownAccess,
  summary: 'Removes a calendar feed of the caller, for level 1 anyone’s. Its address ends with this response.',
  params: byUuid,
  response: 'nothing',
})

export const readCalendar = call('GET', '/calendar/:secret.ics', {
  capability: 'no session',
  // Per network address: calendar programs of many people share those of their provider.
  rateLimit: { perMinute: 120 },
  summary: 'A calendar feed (RFC 5545) at its private address, for calendar programs: what its owner may read at that moment.',
  params: z.object({ secret: z.string().regex(/^[\w-]{43}$/) }),
  response: 'calendar',
})
