import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { CHECKED_KINDS, CheckIntervals } from '../../../contract/checks.ts'
import { checkFields, id, idOrSlug, MAX_RECORDS, moment, recordFields, recordIds } from '../../../contract/fields.ts'
import { RegionReference } from '../../../contract/references.ts'

const Kind = z.enum(CHECKED_KINDS)

/** When a record was last checked, and by whom. */
export const Check = z.strictObject({ kind: Kind, _id: id, ...checkFields })
export type Check = z.infer<typeof Check>

export const createCheck = call('POST', '/api/checks', {
  capability: 'browse the directory',
  summary:
    'Says that everything in a record is right, as of now. For people with a leadership role at the site, for the person themself, and for people who can edit the record.',
  body: z.strictObject({ kind: Kind, _id: idOrSlug }),
  response: Check,
})

export const createChecks = call('POST', '/api/checks/many', {
  capability: 'browse the directory',
  rateLimit: { perMinute: 60 },
  summary: 'Says that everything in many records is right, as of now: in all of them, or in none where the caller may not check one.',
  body: z.strictObject({ kind: Kind, ids: recordIds }),
  response: z.strictObject({ checked: z.int() }),
})

export const deleteCheck = call('DELETE', '/api/checks/:kind/:id', {
  capability: 'browse the directory',
  summary: 'Undoes the caller’s own check of the last hour; the one before it counts again. A 409 if anything has changed since.',
  params: z.object({ kind: Kind, id: idOrSlug }),
  response: Check,
})

/** A record that someone is responsible for. */
export const RecordToCheck = Check.extend({
  slug: z.string(),
  name: z.string(),
  /** The site's region; for people and charters the region with most of their sites. */
  region: RegionReference.nullable(),
  isDue: z.boolean(),
  /** Null if it is not due, or was never checked. */
  dueSince: moment.nullable(),
})
export type RecordToCheck = z.infer<typeof RecordToCheck>

export const listChecks = call('GET', '/api/checks', {
  capability: 'browse the directory',
  summary:
    'Records of the kinds that are checked, those never checked first and then those checked longest ago: all for level 6 and lower, for others the ones they are responsible for. With `due=true` just those that are due.',
  query: z.object({
    due: z.enum(['true', 'false']).optional(),
    region: idOrSlug.optional(),
    kind: Kind.optional(),
    limit: z.coerce.number().int().min(1).max(MAX_RECORDS).optional(),
  }),
  response: z.array(RecordToCheck),
})

export const CheckSettings = z.strictObject({ intervals: CheckIntervals, ...recordFields })
export type CheckSettings = z.infer<typeof CheckSettings>

export const readCheckSettings = call('GET', '/api/settings/checks', {
  capability: 'browse the directory',
  summary: 'After how many days the check of a record is due again, by kind; null where a kind is not checked.',
  response: CheckSettings,
})

export const saveCheckSettings = call('PUT', '/api/settings/checks', {
  capability: 'change the settings',
  summary: 'Sets after how many days the check of a record is due again. Kinds that are left out stay as they are.',
  body: z.strictObject({ intervals: CheckIntervals.partial() }),
  response: CheckSettings,
})
