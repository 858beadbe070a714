import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { day, id, idOrSlug, moment, text } from '../../../contract/fields.ts'
import { ChangesetKind } from '../../../contract/history.ts'
import { RECORD_NOUNS } from '../../../contract/records.ts'
import { Change } from '../../changing/history/contract.ts'
import { ACTIVITY_RECORD_KINDS, ACTS } from './rules.ts'

/** A changed record. Without a slug it has no page, or was deleted. */
export const ActivityRecord = z.strictObject({
  kind: z.enum(ACTIVITY_RECORD_KINDS),
  _id: id,
  /** For a charter affair, the slug of its charter. */
  slug: text,
  name: z.string(),
})
export type ActivityRecord = z.infer<typeof ActivityRecord>

/** One change of an entry, as in the history of its record. */
export const ActivityChange = Change.extend({
  /** The `_id` of the record whose page shows it. */
  record: id,
})
export type ActivityChange = z.infer<typeof ActivityChange>

/** Changes, newest first, grouped into one entry: what one person did to one record within ten minutes, or to many records together. */
export const ActivityEntry = z.strictObject({
  /** The `_id` of its newest change. */
  _id: id,
  at: moment,
  /** Null for imports and automatic changes. */
  by: text,
  /** The person's record, if they are in the directory. */
  person: z.strictObject({ _id: id, slug: z.string(), name: z.string() }).nullable(),
  act: z.enum(ACTS),
  /** The changeset, if many changes were saved together: its kind and name. */
  changeset: z.strictObject({ _id: id, kind: ChangesetKind, title: z.string(), isUndone: z.boolean() }).nullable(),
  /** The suggestion that was accepted, for people who may decide on it. */
  suggestion: id.nullable(),
  /** How many records of each kind were added, changed, removed and checked. */
  counts: z.array(z.strictObject({ kind: z.enum(ACTIVITY_RECORD_KINDS), action: Change.shape.action, records: z.int() })),
  /** The first of these records. */
  records: z.array(ActivityRecord),
  /** The newest changes, and their total number. */
  changes: z.array(ActivityChange),
  changeCount: z.int(),
})
export type ActivityEntry = z.infer<typeof ActivityEntry>

/** The first records and newest changes of an entry in a list; an entry requested separately has more. */
export const MAX_LISTED_RECORDS = 10
export const MAX_LISTED_CHANGES = 20
export const MAX_CHANGES = 500

export const ActivityFilter = z.object({
  /** A record by its `_id` or slug. */
  record: idOrSlug.optional(),
  /** A person: the name in the entries, or the `_id` or slug of a person; `me`. */
  actor: z.string().min(1).max(200).optional(),
  region: idOrSlug.optional(),
  /** The type of action, or the kind of record. */
  kind: z.enum([...ACTS, ...ACTIVITY_RECORD_KINDS]).optional(),
  day: day.optional(),
  /** A part of the name of a record or of a person who changed something. */
  q: z.string().trim().min(1).max(200).optional(),
})
export type ActivityFilter = z.infer<typeof ActivityFilter>

const cursor = z.string().regex(/^\d{1,18}(-\d{1,18})?$/, 'Enter the `before` of an answer, or the `_id` of an entry')

export const ENTRIES_PER_PAGE = 50

export const readActivity = call('GET', '/api/activity', {
  capability: 'browse the directory',
  summary: `What changed in the network, newest first, ${ENTRIES_PER_PAGE} entries at a time: for levels 6 and lower all that they may read, for everyone else their own sites and favorites. \`before\` of an answer leads to the next one, whatever is saved in between; \`kind\` is what was done (${ACTS.join(', ')}) or a kind of record.`,
  query: ActivityFilter.extend({ before: cursor.optional() }),
  response: z.strictObject({
    entries: z.array(ActivityEntry),
    /** Refers to earlier entries; null if there are none. */
    before: text,
    /** The last change in this list: later ones are new. */
    upTo: z.string(),
    /** Everyone who changed something; empty on pages after the first. */
    people: z.array(z.string()),
  }),
})

export const countNewActivity = call('GET', '/api/activity/new', {
  shows: Object.keys(RECORD_NOUNS),
  capability: 'browse the directory',
  summary: `How many entries are new since \`upTo\` of an answer, at most ${ENTRIES_PER_PAGE}.`,
  query: ActivityFilter.extend({ since: z.string().regex(/^\d{1,18}$/, 'Enter the `upTo` of an answer') }),
  response: z.strictObject({ entries: z.int() }),
})

export const COUNTED_DAYS = 30

export const countActivity = call('GET', '/api/activity/counts', {
  capability: 'browse the directory',
  summary: `How many entries there are on each of the last ${COUNTED_DAYS} days that has some, newest first, with the filters and for the readers of \`GET /api/activity\`.`,
  query: ActivityFilter,
  response: z.array(z.strictObject({ day, entries: z.int() })),
})

/** The maximum number of changes in a workbook, newest first. */
export const MAX_WORKBOOK_CHANGES = 100_000

export const downloadActivity = call('GET', '/api/activity/workbook', {
  capability: 'browse the directory',
  rateLimit: { perMinute: 30 },
  summary: `What changed in the network as a workbook (.xlsx), a row for each value, newest first, with the filters and for the readers of \`GET /api/activity\`: the newest ${MAX_WORKBOOK_CHANGES.toLocaleString('en-US')} changes. Each download is logged.`,
  query: ActivityFilter,
  response: 'workbook',
})

export const readActivityEntry = call('GET', '/api/activity/:id', {
  capability: 'browse the directory',
  summary: `One entry with up to ${MAX_CHANGES} of its changes.`,
  params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
  query: ActivityFilter,
  response: ActivityEntry,
})
