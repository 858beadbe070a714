import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { ADDRESS_FORM, INVALID_EMAIL, LONGEST_EMAIL } from '../../platform/contract/emails.ts'
import { id, moment, recordFields, text } from '../../platform/contract/fields.ts'
import { MailState } from '../../platform/contract/mail.ts'
import { REQUIRED } from '../../platform/contract/written.ts'

export const LONGEST_REQUEST = 5000
const LONGEST_NAME = 200
const LONGEST_WORD = 2000
const atMost = (most: number) => `At most ${most.toLocaleString('en-US')} characters`

/** What would break a line of a mail or of a list, or hide in one. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/u
const oneLine = (error?: string) =>
  z
    .string(error === undefined ? undefined : { error })
    .trim()
    .max(LONGEST_NAME, atMost(LONGEST_NAME))
    .refine((value) => !BREAKS.test(value), 'Please write this on one line')
const claimed = oneLine().optional()
/** An address of the right form that a mail server takes as well. */
export const isMailAddress = (address: string): boolean =>
  address.length <= LONGEST_EMAIL && ADDRESS_FORM.test(address) && z.email().safeParse(address).success
const asked = (says: string) => z.string({ error: says }).trim().min(1, says).max(LONGEST_REQUEST, atMost(LONGEST_REQUEST))

/** What somebody asks Information Services for. Name and address count only without a session. */
export const SupportRequest = z.strictObject({
  request: asked('Please say what you need'),
  name: claimed,
  email: claimed,
})

/** The same without a session: nobody could answer it without a name and an address that a mail can go to. */
export const AnonymousSupportRequest = SupportRequest.extend({
  name: oneLine(REQUIRED).refine((name) => /[\p{L}\p{N}]/u.test(name), REQUIRED),
  email: oneLine(REQUIRED)
    .min(1, REQUIRED)
    .refine((address) => address === '' || isMailAddress(address), INVALID_EMAIL),
})

const WHICH = 'Please say which location it is about'

/** What should be different about a site (D45). `site` (its `_id` or slug) counts before `location`, which is its name, or that of a charter or brand. */
export const ChangeRequest = z
  .strictObject({
    location: oneLine(WHICH).optional(),
    site: oneLine().nullish(),
    correctText: asked('Please say what should be different'),
    name: claimed,
    email: claimed,
  })
  .refine(({ location, site }) => Boolean(location) || Boolean(site), { path: ['location'], message: WHICH })

/** A request that was kept: how it stands with its mail, when this was answered. */
export const KeptRequest = z.strictObject({
  _id: id,
  mail: MailState,
  /** What the sender should know besides: that no site, or more than one, has the name that was given as `location`. */
  notice: text,
})
export type KeptRequest = z.infer<typeof KeptRequest>

export const RequestKind = z.enum(['change', 'support'])
export const RequestState = z.enum(['open', 'done', 'declined'])
export type RequestState = z.infer<typeof RequestState>

/** How it stands with a mail about a request; who it goes to and why it failed are told to those who answer requests. */
const RequestMail = z.strictObject({
  state: MailState,
  sentAt: moment.nullable(),
  recipients: z.array(z.string()),
  problem: text,
})
export type RequestMail = z.infer<typeof RequestMail>

/** A request with its answer, and how it stands with the mails about it. */
export const RequestRecord = z.strictObject({
  _id: id,
  kind: RequestKind,
  state: RequestState,
  text: z.string(),
  /** What it is about, as it was called then; null for a support request. */
  location: text,
  site: z.strictObject({ _id: id, slug: z.string(), displayName: z.string() }).nullable(),
  name: text,
  email: text,
  /** False where name and address are only what somebody without a session said. */
  isSignedIn: z.boolean(),
  createdAt: moment,
  /** What whoever answered it said to it. */
  word: text,
  answeredBy: text,
  answeredAt: moment.nullable(),
  mail: RequestMail.nullable(),
  /** Of the last answer, where the sender has an address. */
  answerMail: RequestMail.nullable(),
  ...recordFields,
})
export type RequestRecord = z.infer<typeof RequestRecord>

/** A request with every answer it has had, the newest first. */
const RequestDetail = RequestRecord.extend({
  history: z.array(z.strictObject({ at: moment, by: text, state: RequestState, word: text })),
})
export type RequestDetail = z.infer<typeof RequestDetail>

/** The most that a list answers with; more are found by searching. */
export const MOST_REQUESTS = 200

const RequestList = z.strictObject({
  requests: z.array(RequestRecord),
  /** How many match, those beyond the list's end included. */
  matching: z.int(),
  counts: z.strictObject({ open: z.int(), done: z.int(), declined: z.int() }),
})
export type RequestList = z.infer<typeof RequestList>

/** What a request is answered with. */
export const RequestAnswer = z
  .strictObject({
    state: RequestState,
    word: z
      .string()
      .trim()
      .max(LONGEST_WORD, atMost(LONGEST_WORD))
      .nullish()
      .transform((word) => word || null),
  })
  .refine(({ state, word }) => state !== 'declined' || word !== null, { path: ['word'], message: REQUIRED })

export const sendChangeRequest = call({
  method: 'POST',
  path: '/locations-api/site_send_change',
  needs: 'browse the directory',
  does: 'Asks for a change of a site; it is stored first and mailed after to whoever gets those of its region (D25, D45).',
  body: ChangeRequest,
  answer: KeptRequest,
})

export const sendSupportRequest = call({
  method: 'POST',
  path: '/locations-api/is_support',
  needs: 'no session',
  does: 'Sends an IT support request to Information Services; it is stored first and mailed after. Without a session it needs a name and an e-mail address.',
  body: SupportRequest,
  answer: KeptRequest,
})

export const listRequests = call({
  method: 'GET',
  path: '/api/requests',
  needs: 'answer requests',
  does: `Requests, the newest first, at most ${MOST_REQUESTS}; filtered by state, kind and words.`,
  query: z.strictObject({ state: RequestState.optional(), kind: RequestKind.optional(), q: z.string().trim().max(200).optional() }),
  answer: RequestList,
})

export const listOwnRequests = call({
  method: 'GET',
  path: '/api/requests/mine',
  needs: 'browse the directory',
  does: 'The caller’s own requests, the newest first.',
  answer: z.array(RequestRecord),
})

export const readRequest = call({
  method: 'GET',
  path: '/api/requests/:id',
  needs: 'browse the directory',
  does: 'A request with its answers: of the caller’s own, or any for level 6 or lower.',
  params: z.object({ id: z.string().min(1).max(200) }),
  answer: RequestDetail,
})

export const answerRequest = call({
  method: 'PATCH',
  path: '/api/requests/:id',
  needs: 'answer requests',
  does: 'Answers a request: done, or declined with a word, which the sender is told by mail where an address is known; or opens it again, which nobody is told.',
  params: z.object({ id: z.string().min(1).max(200) }),
  body: RequestAnswer,
  answer: RequestRecord,
})

export const mailRequestAgain = call({
  method: 'POST',
  path: '/api/requests/:id/mail',
  needs: 'answer requests',
  does: 'Tries the mails of a request that were not sent once more, to whoever is set to get them now.',
  params: z.object({ id: z.string().min(1).max(200) }),
  answer: RequestRecord,
})
