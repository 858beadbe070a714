import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { DEADLINE_RECORDS, KIND_NAMES, MAX_LEAD_DAYS } from '../../../contract/deadlines.ts'
import { day, id, moment, recordFields, text, byId, byIdOrSlug } from '../../../contract/fields.ts'
import { RegionReference } from '../../../contract/references.ts'
import { optionalId, optionalMultiline, requiredLine } from '../../../contract/text-schemas.ts'
import { historyCall } from '../../changing/history/contract.ts'
import { DeadlineSearch, DeadlineState, Named } from './list.ts'

export { countDeadlines, DeadlineCounts, DeadlineFilter, DeadlineSearch, DeadlineState, LINKED_KINDS } from './list.ts'

const NamedRecord = z.strictObject({ _id: id, slug: z.string(), name: z.string() })

/** The field that a deadline was extracted from; `custom` for one that people added. */
export const DeadlineOrigin = z.strictObject({
  record: z.enum([...DEADLINE_RECORDS, 'custom']),
  /** The section of the charter affair; the table of a row, such as a board member. */
  section: text,
  field: text,
  /** The `_id` of the board member. */
  row: text,
  /** The text of the field. */
  text,
  /** Whether the date was set by hand. */
  isByHand: z.boolean(),
})

/** A date that a text gives without being certain. */
const ProposedDate = z.strictObject({ date: day, precision: z.enum(['day', 'month']) })

/** A date that must not be missed. */
export const Deadline = z.strictObject({
  _id: id,
  kind: z.enum(KIND_NAMES),
  title: z.string(),
  /** The likeliest date of a proposed one. */
  date: day,
  /** `month` if the text names only a month, which counts as its last day. */
  precision: z.enum(['day', 'month']),
  /** Whether its date is not certain: it is in no reminder, calendar, count or download until someone confirms it. */
  proposed: z.boolean(),
  /** Of a proposed one, the likeliest first; empty for others. */
  proposedDates: z.array(ProposedDate),
  /** Why the date is not certain, in a few words. */
  why: text,
  /** The date that an earlier version read from the same text, if it is no longer certain. */
  formerDate: day.nullable(),
  /** A snoozed one is open again from its day on. */
  state: DeadlineState,
  snoozedUntil: day.nullable(),
  responsible: Named.nullable(),
  /** What determines the responsible person: the deadline itself, or the settings for the kind in the region or everywhere. */
  responsibleFrom: z.enum(['deadline', 'region', 'kind']).nullable(),
  note: text,
  yearly: z.boolean(),
  /** False for a handled one whose field now has another date. */
  isCurrent: z.boolean(),
  source: DeadlineOrigin.nullable(),
  charter: NamedRecord.nullable(),
  site: NamedRecord.nullable(),
  region: RegionReference.nullable(),
  ...recordFields,
})
export type Deadline = z.infer<typeof Deadline>

/** A text that should contain a date but does not. */
export const UnreadText = z.strictObject({
  _id: id,
  kind: z.enum(KIND_NAMES),
  title: z.string(),
  charter: NamedRecord.nullable(),
  site: NamedRecord.nullable(),
  section: text,
  field: z.string(),
  row: text,
  text: z.string(),
  /** The reason, in a few words. */
  why: z.string(),
  /** The date that an earlier version read from the same text. */
  formerDate: day.nullable(),
  responsible: Named.nullable(),
  version: z.int(),
})
export type UnreadText = z.infer<typeof UnreadText>

export const CONTRADICTION_KINDS = [
  'petition after expiration',
  'expired but active',
  'sections disagree',
  'board term over',
  'lease over',
] as const

/** One of the conflicting values. */
const ContradictionValue = z.strictObject({
  label: z.string(),
  text,
  date: day.nullable(),
  section: text,
  field: text,
  row: text,
  /** The deadline of the field. */
  deadline: id.nullable(),
  /** When the text got its date, and by whom: typed or set by hand. */
  changedAt: moment.nullable(),
  changedBy: text,
})

/** Conflicting values of a record. */
export const Contradiction = z.strictObject({
  kind: z.enum(CONTRADICTION_KINDS),
  message: z.string(),
  charter: NamedRecord.nullable(),
  site: NamedRecord.nullable(),
  region: RegionReference.nullable(),
  /** Of the first value. */
  responsible: Named.nullable(),
  values: z.array(ContradictionValue),
})
export type Contradiction = z.infer<typeof Contradiction>

export const listDeadlines = call('GET', '/api/deadlines', {
  shows: ['deadline'],
  capability: 'browse the directory',
  summary:
    'Deadlines by date, of all states unless one is named: those of charters for levels 6 and lower, those of sites for everyone. Those whose text gives no certain date are `proposed`; `proposed=false` leaves them out, and `proposed=true` lists only them. `responsible` is a person, `me` or `none`; `q` a part of the title, the text or the name of the charter or site; `limit` gives the first ones.',
  query: DeadlineSearch.extend({
    proposed: z.enum(['true', 'false'], 'Enter true or false').optional(),
    limit: z.coerce.number().int().min(1).max(10_000).optional(),
  }),
  response: z.array(Deadline),
})

export const listUnreadTexts = call('GET', '/api/deadlines/unread', {
  shows: ['deadline'],
  capability: 'read a charter affair',
  summary: 'Texts of charter affairs that should have a date and have none. A date is set by `PATCH /api/deadlines/{_id}`.',
  response: z.array(UnreadText),
})

export const listContradictions = call('GET', '/api/deadlines/contradictions', {
  shows: ['deadline'],
  capability: 'read a charter affair',
  summary: 'Dates of charters and leases that do not go together.',
  response: z.array(Contradiction),
})

/** The text of a field that has a deadline, with or without a date. */
export const DeadlineText = z.strictObject({
  _id: id,
  /** The same as in the source of a deadline. */
  section: text,
  field: z.string(),
  row: text,
  text: z.string(),
  date: day.nullable(),
  /** Dates to confirm, the likeliest first. */
  proposedDates: z.array(ProposedDate),
  /** Why it has no certain date, in a few words. */
  why: text,
  isByHand: z.boolean(),
  /** Marked as not being a deadline. */
  isIgnored: z.boolean(),
  state: DeadlineState,
  snoozedUntil: day.nullable(),
  responsible: Named.nullable(),
  ...recordFields,
})
export type DeadlineText = z.infer<typeof DeadlineText>

export const listDeadlineTexts = call('GET', '/api/deadlines/charters/:id/texts', {
  shows: ['deadline'],
  capability: 'read a charter affair',
  summary: 'Texts of a charter’s affair that have a deadline or should have one, as they are now.',
  params: byIdOrSlug,
  response: z.array(DeadlineText),
})

export const readDeadline = call('GET', '/api/deadlines/:id', {
  capability: 'browse the directory',
  summary: 'One deadline.',
  params: byId,
  response: Deadline,
})

export const readDeadlineHistory = call('GET', '/api/history/deadline/:id', {
  capability: 'browse the directory',
  summary:
    'Who added, handled, put off, assigned or noted a deadline, set its date or changed its text, and when, as for any record: for people who can read the deadline, and for levels 6 and lower after it was deleted.',
  params: byId,
  ...historyCall,
})

export const MAX_NOTE_LENGTH = 2000

const NewDeadlineFields = z.strictObject({
  title: requiredLine(200),
  date: day,
  kind: z.enum(KIND_NAMES),
  charter: optionalId().optional(),
  site: optionalId().optional(),
  yearly: z.boolean().optional(),
  responsible: optionalId().optional(),
  note: optionalMultiline(MAX_NOTE_LENGTH).optional(),
})
export const EXACTLY_ONE_RECORD = 'Choose a charter or a site'
export const NewDeadline = NewDeadlineFields.refine(({ charter = null, site = null }) => (charter === null) !== (site === null), {
  message: EXACTLY_ONE_RECORD,
  path: ['charter'],
})

export const createDeadline = call('POST', '/api/deadlines', {
  capability: 'manage deadlines',
  summary: 'Adds a deadline to a charter or a site.',
  body: NewDeadline,
  response: Deadline,
})

/**
 * What can be changed: title and yearly only for deadlines that people added. A `date` for a text is set by hand; null restores the date in the text.
 */
export const DeadlineChange = z
  .strictObject({
    state: DeadlineState,
    snoozedUntil: day.nullable(),
    responsible: optionalId(),
    note: optionalMultiline(MAX_NOTE_LENGTH),
    date: day.nullable(),
    /** Makes a proposed date certain until its text changes: the given `date`, or the likeliest. */
    confirmed: z.literal(true),
    /** "Not a deadline" removes a text from the list of texts without a date until it changes. */
    isIgnored: z.boolean(),
    title: requiredLine(200),
    yearly: z.boolean(),
    kind: z.enum(KIND_NAMES),
  })
  .partial()
export type DeadlineChange = z.infer<typeof DeadlineChange>

export const updateDeadline = call('PATCH', '/api/deadlines/:id', {
  capability: 'browse the directory',
  summary:
    'Changes a deadline: levels 5 and lower everything; its responsible person the state, the day until which it is put off, the note, and which of its proposed dates is confirmed. `confirmed` makes a proposed date certain. A yearly one that is handled returns a year later.',
  params: byId,
  body: DeadlineChange,
  /** Null for a text that no longer has a date. */
  response: Deadline.nullable(),
})

export const deleteDeadline = call('DELETE', '/api/deadlines/:id', {
  capability: 'manage deadlines',
  summary: 'Deletes a deadline that people added. One that comes from a text is a 409.',
  params: byId,
  response: 'nothing',
})

const MAX_LEAD_TIMES = 8

const LEAD_DAYS_MESSAGE = `Enter a number of days from 0 to ${MAX_LEAD_DAYS}`
const leadDay = z.int(LEAD_DAYS_MESSAGE).min(0, LEAD_DAYS_MESSAGE).max(MAX_LEAD_DAYS, LEAD_DAYS_MESSAGE)

/** Days before a deadline, in descending order, without duplicates. */
export const LeadDays = z
  .array(leadDay)
  .max(MAX_LEAD_TIMES, `At most ${MAX_LEAD_TIMES} lead times`)
  .check(({ value, issues }) => {
    for (const [at, days] of value.entries()) {
      const before = value[at - 1]
      if (before === undefined || days < before) continue
      const message = value.indexOf(days) < at ? 'This lead time is listed twice' : 'Enter the longest lead time first'
      issues.push({ code: 'custom', input: value, path: [at], message })
    }
  })

const KindSettings = z.strictObject({
  kind: z.enum(KIND_NAMES),
  leadDays: z.array(z.int()),
  /** For regions without their own responsible person. */
  responsible: Named.nullable(),
  regions: z.array(z.strictObject({ region: RegionReference, responsible: Named })),
})
export type KindSettings = z.infer<typeof KindSettings>

/** Who is responsible for unassigned deadlines, and when they are reminded. People who left are not shown. */
export const DeadlineSettings = z.strictObject({ kinds: z.array(KindSettings), ...recordFields })
export type DeadlineSettings = z.infer<typeof DeadlineSettings>

export const DeadlineSettingsChange = z.strictObject({
  kinds: z
    .array(
      z.strictObject({
        kind: z.enum(KIND_NAMES),
        leadDays: LeadDays,
        responsible: optionalId(),
        regions: z.array(z.strictObject({ region: z.string().max(200), responsible: z.string().max(200) })).max(100, 'At most 100 regions'),
      }),
    )
    .max(KIND_NAMES.length, 'Name each kind once'),
})
export type DeadlineSettingsChange = z.infer<typeof DeadlineSettingsChange>

export const readDeadlineSettings = call('GET', '/api/settings/deadlines', {
  capability: 'change the settings',
  summary: 'Responsible people and lead times by kind of deadline, and responsible people by region.',
  response: DeadlineSettings,
})

export const saveDeadlineSettings = call('PUT', '/api/settings/deadlines', {
  capability: 'change the settings',
  summary: 'Changes the settings of the given kinds of deadlines. A new lead time counts from now on.',
  body: DeadlineSettingsChange,
  response: DeadlineSettings,
})
