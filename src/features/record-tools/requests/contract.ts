import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, moment, recordFields, text } from '../../../contract/fields.ts'
import { MailState } from '../../../contract/mail.ts'
import { REQUIRED } from '../../../contract/messages.ts'
import { optionalLine, optionalMultiline, requiredEmail, requiredLine, requiredMultiline } from '../../../contract/text-schemas.ts'

export const MAX_REQUEST_LENGTH = 5000
const MAX_NAME_LENGTH = 200
const MAX_MESSAGE_LENGTH = 2000

const asked = (says: string) => requiredMultiline(MAX_REQUEST_LENGTH, says)

/** A support request to Information Services. `name` and `email` count only without a session. */
export const SupportRequest = z.strictObject({
  request: asked('Please describe what you need'),
  name: optionalLine(MAX_NAME_LENGTH).optional(),
  email: optionalLine(MAX_NAME_LENGTH).optional(),
})

/** Without a session a name and a valid email address are required, so that the request can be answered. */
export const AnonymousSupportRequest = SupportRequest.extend({
  name: requiredLine(MAX_NAME_LENGTH).refine((name) => /[\p{L}\p{N}]/u.test(name), REQUIRED),
  email: requiredEmail(),
})

const WHICH = 'Please say which site this is about'

/** A change request for a site. `site` (its `_id` or slug) takes precedence over `location`, the name of a site, charter or brand. */
export const ChangeRequest = z
  .strictObject({
    location: optionalLine(MAX_NAME_LENGTH).optional(),
    site: optionalLine(MAX_NAME_LENGTH).optional(),
    correctText: asked('Please describe what should change'),
    name: optionalLine(MAX_NAME_LENGTH).optional(),
    email: optionalLine(MAX_NAME_LENGTH).optional(),
  })
  .refine(({ location, site }) => Boolean(location) || Boolean(site), { path: ['location'], message: WHICH })

/** A saved request, with the state of its mail at the time of the response. */
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

/** The state of a mail about a request. Recipients and problem are visible only to those who answer requests. */
const RequestMail = z.strictObject({
  state: MailState,
  sentAt: moment.nullable(),
  recipients: z.array(z.string()),
  problem: text,
})
export type RequestMail = z.infer<typeof RequestMail>

/** A request with its answer and the state of its mails. */
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
  /** False where name and email were entered without a session. */
  isSignedIn: z.boolean(),
  createdAt: moment,
  /** The message of the last answer. */
  word: text,
  answeredBy: text,
  answeredAt: moment.nullable(),
  mail: RequestMail.nullable(),
  /** The mail of the last answer; null where the sender has no email address. */
  answerMail: RequestMail.nullable(),
  ...recordFields,
})
export type RequestRecord = z.infer<typeof RequestRecord>

/** A request with all its answers, the newest first. */
const RequestDetail = RequestRecord.extend({
  history: z.array(z.strictObject({ at: moment, by: text, state: RequestState, word: text })),
})
export type RequestDetail = z.infer<typeof RequestDetail>

/** Maximum length of a list; older requests are found by searching. */
export const MAX_REQUESTS = 200

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

export const sendChangeRequest = call({
  method: 'POST',
  path: '/locations-api/site_send_change',
  capability: 'browse the directory',
  rateLimit: { perMinute: 60 },
  summary:
    'Requests a change to a site. The request is saved first, then emailed to the people who receive change requests for its region.',
  body: ChangeRequest,
  response: SavedRequest,
})

export const sendSupportRequest = call({
  method: 'POST',
  path: '/locations-api/is_support',
  capability: 'no session',
  rateLimit: { perMinute: 20 },
  summary:
    'Sends an IT support request to Information Services. The request is saved first, then emailed. Without a session, a name and an email address are required.',
  body: SupportRequest,
  response: SavedRequest,
})

export const listRequests = call({
  method: 'GET',
  path: '/api/requests',
  capability: 'answer requests',
  summary: `Requests, newest first, at most ${MAX_REQUESTS}, filtered by state, kind and text.`,
  query: z.strictObject({ state: RequestState.optional(), kind: RequestKind.optional(), q: z.string().trim().max(200).optional() }),
  response: RequestList,
})

export const listOwnRequests = call({
  method: 'GET',
  path: '/api/requests/mine',
  capability: 'browse the directory',
  summary: 'The caller’s own requests, newest first.',
  response: z.array(RequestRecord),
})

export const readRequest = call({
  method: 'GET',
  path: '/api/requests/:id',
  capability: 'browse the directory',
  summary: 'A request with its answers: one of the caller’s own, or any request for level 6 or lower.',
  params: z.object({ id: z.string().min(1).max(200) }),
  response: RequestDetail,
})

export const answerRequest = call({
  method: 'PATCH',
  path: '/api/requests/:id',
  capability: 'answer requests',
  // It sends mail.
  rateLimit: { perMinute: 120 },
  summary:
    'Answers a request as done, or as declined with a reason; the sender is told by email if an address is known. Or reopens it, without an email.',
  params: z.object({ id: z.string().min(1).max(200) }),
  body: RequestAnswer,
  response: RequestRecord,
})

export const retryRequestMail = call({
  method: 'POST',
  path: '/api/requests/:id/mail',
  capability: 'answer requests',
  // It sends mail.
  rateLimit: { perMinute: 120 },
  summary: 'Tries to send the unsent emails of a request again, to the people who receive them now.',
  params: z.object({ id: z.string().min(1).max(200) }),
  response: RequestRecord,
})
