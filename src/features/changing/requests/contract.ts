import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, moment, recordFields, text, byId } from '../../../contract/fields.ts'
import { MailState } from '../../../contract/mail.ts'
import { REQUIRED } from '../../../contract/messages.ts'
import { EditableKind, PARTS } from '../../../contract/records.ts'
import { optionalLine, optionalMultiline, requiredEmail, requiredLine, requiredMultiline } from '../../../contract/text-schemas.ts'

export const MAX_REQUEST_LENGTH = 5000
const MAX_NAME_LENGTH = 200
const MAX_MESSAGE_LENGTH = 2000

const requestText = (message: string) => requiredMultiline(MAX_REQUEST_LENGTH, message)

/** A support request to Information Services. `name` and `email` count only without a session. */
export const SupportRequest = z.strictObject({
  request: requestText('Please describe what you need'),
  name: optionalLine(MAX_NAME_LENGTH).optional(),
  email: optionalLine(MAX_NAME_LENGTH).optional(),
})

/** Without a session a name and a valid email address are required, so that the request can be answered. */
export const AnonymousSupportRequest = SupportRequest.extend({
  name: requiredLine(MAX_NAME_LENGTH).refine((name) => /[\p{L}\p{N}]/u.test(name), REQUIRED),
  email: requiredEmail(),
})

const DESCRIBE = 'Please describe what should change'
const MAX_FIELDS = 300
/** Values by the paths of a record's edit call: `{'address.phone': '555-555-0100'}`. */
export const FieldValues = z
  .record(z.string().min(1).max(200), z.unknown())
  .refine((values) => Object.keys(values).length <= MAX_FIELDS, `Suggest at most ${MAX_FIELDS} fields at a time`)

export const SITE_REQUIRED = 'Please say which site this is about'

/** A change request for a site. `site` (its `_id` or slug) takes precedence over `location`, the name of a site, or of what it belongs to. */
export const ChangeRequest = z
  .strictObject({
    location: optionalLine(MAX_NAME_LENGTH).optional(),
    site: optionalLine(MAX_NAME_LENGTH).optional(),
    correctText: optionalMultiline(MAX_REQUEST_LENGTH).optional(),
    name: optionalLine(MAX_NAME_LENGTH).optional(),
    email: optionalLine(MAX_NAME_LENGTH).optional(),
    /** New values for fields of the site, in the format of its edit call: the request is then decided field by field. */
    changes: FieldValues.optional(),
  })
  .refine(({ correctText, changes }) => Boolean(correctText) || changes !== undefined, { path: ['correctText'], message: DESCRIBE })
  .refine(({ location, site }) => Boolean(location) || Boolean(site), { path: ['location'], message: SITE_REQUIRED })

/** A saved request, with the state of its email at the time of the response. */
export const SavedRequest = z.strictObject({
  _id: id,
  mail: MailState,
  /** A message for the sender: no site, or more than one, has the name given as `location`. */
  notice: text,
})
export type SavedRequest = z.infer<typeof SavedRequest>

export const RequestKind = z.enum(['change', 'support'])
export const RequestState = z.enum(['open', 'done', 'declined'])
export type RequestState = z.infer<typeof RequestState>

/** The state of an email about a request. Recipients and problem are visible only to people who answer requests. */
const RequestMail = z.strictObject({
  state: MailState,
  sentAt: moment.nullable(),
  recipients: z.array(z.string()),
  problem: text,
})
export type RequestMail = z.infer<typeof RequestMail>

/** A request with its answer and the state of its emails. */
export const RequestRecord = z.strictObject({
  _id: id,
  kind: RequestKind,
  state: RequestState,
  text: z.string(),
  /** The name of the subject when the request was sent; null for a support request. */
  location: text,
  site: z.strictObject({ _id: id, slug: z.string(), displayName: z.string() }).nullable(),
  name: text,
  email: text,
  /** False if name and email were entered without a session. */
  isSignedIn: z.boolean(),
  createdAt: moment,
  /** For a proposal, how many fields wait for a decision; null for a request in free text. */
  openFields: z.int().nullable(),
  /** The message of the last answer. */
  word: text,
  answeredBy: text,
  answeredAt: moment.nullable(),
  mail: RequestMail.nullable(),
  /** The email of the last answer; null if the sender has no email address. */
  answerMail: RequestMail.nullable(),
  ...recordFields,
})
export type RequestRecord = z.infer<typeof RequestRecord>

/** A request with all its answers, newest first. */
const RequestDetail = RequestRecord.extend({
  history: z.array(z.strictObject({ at: moment, by: text, state: RequestState, word: text })),
})
export type RequestDetail = z.infer<typeof RequestDetail>

/** Maximum length of a list; older requests are found by searching. */
export const MAX_REQUESTS = 2000

const RequestList = z.strictObject({
  requests: z.array(RequestRecord),
  /** The number of all matches, including those beyond the end of the list. */
  matching: z.int(),
  counts: z.strictObject({ open: z.int(), done: z.int(), declined: z.int() }),
})
export type RequestList = z.infer<typeof RequestList>

/** An answer to a request. */
export const RequestAnswer = z
  .strictObject({
    state: RequestState,
    word: optionalMultiline(MAX_MESSAGE_LENGTH).default(null),
  })
  .refine(({ state, word }) => state !== 'declined' || word !== null, { path: ['word'], message: REQUIRED })

export const sendChangeRequest = call('POST', '/locations-api/site_send_change', {
  capability: 'browse the directory',
  rateLimit: { perMinute: 60 },
  summary:
    'Requests a change to a site. The request is saved first, then emailed to the people who receive change requests for its region.',
  body: ChangeRequest,
  response: SavedRequest,
})

export const sendSupportRequest = call('POST', '/locations-api/is_support', {
  capability: 'no session',
  rateLimit: { perMinute: 20 },
  summary:
    'Sends a support request to Information Services. The request is saved first, then emailed. Without a session, a name and an email address are required.',
  body: SupportRequest,
  response: SavedRequest,
})

export const listRequests = call('GET', '/api/requests', {
  shows: ['request'],
  capability: 'answer requests',
  summary: `Requests, newest first, at most ${MAX_REQUESTS}, filtered by state, kind and text.`,
  query: z.strictObject({ state: RequestState.optional(), kind: RequestKind.optional(), q: z.string().trim().max(200).optional() }),
  response: RequestList,
})

export const listOwnRequests = call('GET', '/api/requests/mine', {
  shows: ['request'],
  capability: 'browse the directory',
  summary: 'The caller’s own requests, newest first.',
  response: z.array(RequestRecord),
})

export const readRequest = call('GET', '/api/requests/:id', {
  capability: 'browse the directory',
  summary: 'A request with its answers: one of the caller’s own, or any request for level 6 or lower.',
  params: z.object({ id: z.string().min(1).max(200) }),
  response: RequestDetail,
})

export const answerRequest = call('PATCH', '/api/requests/:id', {
  capability: 'answer requests',
  // Each call sends an email.
  rateLimit: { perMinute: 120 },
  summary:
    'Answers a request as done, or as declined with a reason; the sender is notified by email if an address is known. Or reopens it, without an email.',
  params: z.object({ id: z.string().min(1).max(200) }),
  body: RequestAnswer,
  response: RequestRecord,
})

export const retryRequestMail = call('POST', '/api/requests/:id/mail', {
  capability: 'answer requests',
  // Each call sends an email.
  rateLimit: { perMinute: 120 },
  summary: 'Tries to send the unsent emails of a request again, to the people who receive them now.',
  params: z.object({ id: z.string().min(1).max(200) }),
  response: RequestRecord,
})

export const ProposedFieldState = z.enum(['open', 'accepted', 'declined', 'withdrawn'])
export type ProposedFieldState = z.infer<typeof ProposedFieldState>

/** A value in the format of the edit call, and its name if it refers to another record. */
const names = { beforeName: text, suggestedName: text, presentName: text }

/** Another open suggestion for the same field. */
const RivalSuggestion = z.strictObject({ _id: id, sender: z.string(), createdAt: moment, suggested: z.unknown(), suggestedName: text })

/** One field of a proposal. `before` is its value in the version that the sender saw, `present` its current value. */
export const ProposedField = z.strictObject({
  path: z.string(),
  label: z.string(),
  before: z.unknown(),
  suggested: z.unknown(),
  present: z.unknown(),
  ...names,
  state: ProposedFieldState,
  /** The saved value, if it was edited before it was accepted; null otherwise. */
  value: z.unknown(),
  /** Why it was declined. */
  word: text,
  decidedBy: text,
  decidedAt: moment.nullable(),
  /**
   * The last change of an open field since the suggestion was sent; null if it still has the value that its sender saw, or if the history does not
   * show it.
   */
  changed: z.strictObject({ by: text, at: moment }).nullable(),
  /** Why it can no longer be applied; null while it can. */
  problem: text,
  /** Other open suggestions for the field, the oldest 50. */
  rivals: z.array(RivalSuggestion),
})
export type ProposedField = z.infer<typeof ProposedField>

/** The record of a proposal; a charter affair has the slug and name of its charter. */
export const ProposedRecord = z.strictObject({ kind: EditableKind, _id: id, slug: z.string(), name: z.string() })
export type ProposedRecord = z.infer<typeof ProposedRecord>

/** A change that waits for a decision, field by field. It is also a request, with the same `_id`. */
export const Proposal = z.strictObject({
  _id: id,
  record: ProposedRecord,
  state: RequestState,
  /** `person` if the sender is in the directory. */
  sender: z.strictObject({
    name: text,
    email: text,
    person: z.strictObject({ slug: z.string(), roles: z.array(z.string()) }).nullable(),
  }),
  note: text,
  /** The version of the record that it is based on; null if the sender gave none. */
  basedOn: z.int().nullable(),
  fields: z.array(ProposedField),
  isMine: z.boolean(),
  canDecide: z.boolean(),
  createdAt: moment,
  ...recordFields,
})
export type Proposal = z.infer<typeof Proposal>

export const MAX_NOTE_LENGTH = 500

export const NewProposal = z.strictObject({
  record: z.strictObject({ kind: EditableKind, _id: z.string().min(1).max(200) }),
  /** The version of the record that the sender saw. */
  basedOn: z.int().min(0).optional(),
  changes: FieldValues,
  note: optionalMultiline(MAX_NOTE_LENGTH).optional(),
})
export type NewProposal = z.infer<typeof NewProposal>

const Reasons = z.record(z.string(), requiredMultiline(MAX_MESSAGE_LENGTH, REQUIRED))

/**
 * Decisions on fields: `accept` takes the suggested value (`true`), that of another suggestion, or any other; `decline` gives the reason. All others
 * stay open.
 */
export const ProposalDecision = z
  .strictObject({
    accept: z
      .record(z.string(), z.union([z.literal(true), z.strictObject({ suggestion: id }), z.strictObject({ value: z.unknown() })]))
      .default({}),
    decline: Reasons.default({}),
    /** Fields of other open suggestions for the same record that are declined along with it, by the `_id` of each suggestion. */
    declineOthers: z.record(id, Reasons).default({}),
    note: optionalMultiline(MAX_MESSAGE_LENGTH).default(null),
    /** The current values that were shown: a field whose value has changed since causes a 409. */
    seen: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(
    ({ accept, decline, declineOthers }) =>
      [accept, decline, ...Object.values(declineOthers)].some((fields) => Object.keys(fields).length > 0),
    { path: ['accept'], message: 'Accept or decline at least one field' },
  )
export type ProposalDecision = z.infer<typeof ProposalDecision>

/** What paths of parts with a form begin with, and those of rows in the form of their record. */
const PREFIXES = Object.entries(PARTS).flatMap(([table, { field, page }]) =>
  page ? [`\`${field}.\``] : table === field ? [`\`${field}.{_id}.\``] : [],
)

export const createProposal = call('POST', '/api/proposals', {
  capability: 'browse the directory',
  // Each call sends an email.
  rateLimit: { perMinute: 240 },
  summary: `Suggests new values for fields of a record, by the paths of its edit call (\`address.phone\`; parts and rows begin with ${PREFIXES.join(', ')}; \`new\` in place of a row’s \`_id\` is a new row as a whole). What that call would refuse is a 422.`,
  body: NewProposal,
  response: SavedRequest,
})

export const listProposals = call('GET', '/api/proposals', {
  shows: ['request'],
  capability: 'browse the directory',
  summary: `Suggestions, newest first, at most ${MAX_REQUESTS}: open or decided ones that the caller may decide, or the caller’s own.`,
  query: z.strictObject({
    state: z.enum(['open', 'decided', 'mine']).default('open'),
    kind: EditableKind.optional(),
    record: z.string().max(200).optional(),
  }),
  response: z.array(Proposal),
})

/** A field with an open suggestion by someone else. Who suggested it, when and what is null for users who may not decide. */
const ContestedField = z.strictObject({
  path: z.string(),
  sender: text,
  createdAt: moment.nullable(),
  suggested: z.unknown(),
  suggestedName: text,
})
export type ContestedField = z.infer<typeof ContestedField>

export const listContestedFields = call('GET', '/api/proposals/fields', {
  shows: ['request'],
  capability: 'browse the directory',
  summary:
    'The fields of a record for which others have suggested changes that are not decided yet. Only people who can decide learn who suggested what. Roles of people are left out.',
  query: z.strictObject({ kind: EditableKind, record: z.string().min(1).max(200) }),
  response: z.array(ContestedField),
})

export const readProposal = call('GET', '/api/proposals/:id', {
  capability: 'browse the directory',
  summary: 'A suggestion with its fields: one of the caller’s own, or one that the caller may decide.',
  params: byId,
  response: Proposal,
})

export const updateProposal = call('POST', '/api/proposals/:id/changes', {
  capability: 'browse the directory',
  rateLimit: { perMinute: 240 },
  summary: 'Replaces the open fields of the caller’s own suggestion, or its note. Fields that are decided stay.',
  params: byId,
  body: NewProposal.pick({ changes: true, note: true }).partial(),
  response: Proposal,
})

export const withdrawProposal = call('DELETE', '/api/proposals/:id', {
  capability: 'browse the directory',
  summary: 'Withdraws the open fields of the caller’s own suggestion. If there are none, this is a 409.',
  params: byId,
  response: Proposal,
})

export const decideProposal = call('POST', '/api/proposals/:id/decision', {
  capability: 'browse the directory',
  // Each call sends an email.
  rateLimit: { perMinute: 120 },
  summary:
    'Accepts and declines fields of a suggestion. All accepted fields are saved in one transaction, by the rules of the record’s edit call. A field that is decided already is a 409. Takes the capability to save those fields.',
  params: byId,
  body: ProposalDecision,
  response: Proposal,
})
