import { z } from 'zod'

import { AUDIT_KINDS } from '../../../contract/audit.ts'
import { call } from '../../../contract/call.ts'
import { day, id, moment, text } from '../../../contract/fields.ts'

const values = z.record(z.string(), z.unknown()).nullable()

/** One event. The hash covers the previous row's hash and the other fields, so that a modified or missing row is detected. */
export const AuditEvent = z.strictObject({
  /** The position in the trail, without gaps. */
  sequence: z.int(),
  at: moment,
  kind: z.string(),
  account: id.nullable(),
  /** The work address of the actor; null if no one was signed in. */
  actor: text,
  name: text,
  /** The name of the API token or SCIM token. */
  token: text,
  /** The network address. */
  address: text,
  /** The request's id, as in the log and in the history. */
  request: text,
  /** The `_id` of the record that the event is about. */
  record: text,
  before: values,
  after: values,
  hash: z.string(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

/** The subject of a kind, before its dot. */
const SUBJECTS: ReadonlySet<string> = new Set(Object.keys(AUDIT_KINDS).map((kind) => kind.split('.')[0] ?? ''))
const isKind = (kind: string): boolean => Object.hasOwn(AUDIT_KINDS, kind) || SUBJECTS.has(kind)

const dayOrMoment = z.union([day, z.iso.datetime({ offset: true })], {
  error: 'Enter a day, such as 2026-11-20, or a moment, such as 2026-11-20T08:00:00Z',
})

/** Days are in the organization's time zone, with the last one included. A moment in `until` is exclusive. */
const AuditFilter = z.strictObject({
  since: dayOrMoment.optional(),
  until: dayOrMoment.optional(),
  kind: z.string().refine(isKind, 'Enter a kind of event, such as permission.granted, or what it is about, such as permission').optional(),
  actor: z.string().max(300).optional(),
  q: z.string().max(200).optional(),
})
export type AuditFilter = z.infer<typeof AuditFilter>

const MAX_LIMIT = 10_000

const AuditQuery = AuditFilter.extend({
  order: z.enum(['oldest', 'newest']).default('oldest'),
  cursor: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).optional(),
})
export type AuditQuery = z.output<typeof AuditQuery>

export const listAuditEvents = call('GET', '/api/audit', {
  capability: 'read the audit trail',
  summary:
    'The audit trail, oldest first: as a JSON array, or one object a line with `Accept: application/x-ndjson`. `kind` is a kind or what it is about (`permission`), `actor` an email address, an account or a name, `q` a part of any field. `cursor` is the `sequence` of the last event received, after which it continues. Without `limit` it gives all.',
  query: AuditQuery,
  response: z.array(AuditEvent),
})

/** An event, or what repeated reads by one person on one day have in common, with the position, moment and hash of the latest. */
export const AuditEntry = AuditEvent.extend({
  /** Null for a single event. */
  reads: z.strictObject({ count: z.int(), since: moment }).nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAuditEntries = call('GET', '/api/audit/entries', {
  capability: 'read the audit trail',
  summary:
    'The audit trail as its page shows it, newest first. Repeated reads of the same kind by one person on one day are one entry with their number, unless `each=true`; `GET /api/audit` always has every row. `cursor` of an answer continues it; null at the end.',
  query: AuditFilter.extend({ cursor: z.coerce.number().int().min(0).optional(), each: z.enum(['true', 'false']).optional() }),
  response: z.strictObject({ entries: z.array(AuditEntry), cursor: z.int().nullable() }),
})

export const listAuditActors = call('GET', '/api/audit/actors', {
  capability: 'read the audit trail',
  summary: 'The people of the latest events, at most 200, by name.',
  response: z.array(z.strictObject({ actor: z.string(), name: z.string() })),
})

export const downloadAudit = call('GET', '/api/audit/workbook', {
  capability: 'read the audit trail',
  rateLimit: { perMinute: 30 },
  summary: 'The audit trail as a workbook (.xlsx), newest first, with the filters of `GET /api/audit`. Each download is logged.',
  query: AuditFilter,
  response: 'workbook',
})
