import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { id, moment, text } from '../../contract/fields.ts'
import { RECORD_KINDS, RECORD_NOUNS } from '../../contract/records.ts'
import { RecordToCheck } from '../../features/changing/checks/contract.ts'
import { CommentWithSubject } from '../../features/changing/comments/contract.ts'
import { Proposal, RequestRecord } from '../../features/changing/requests/contract.ts'
import { Deadline } from '../../features/deadlines/deadlines/contract.ts'
import { ActivityEntry } from '../../features/finding/activity/contract.ts'

/** The kinds that are counted as a whole; people are counted by their roles. */
export const COUNTED_KINDS = RECORD_KINDS.toReversed().filter((kind) => kind !== 'person')
type CountedNoun = (typeof RECORD_NOUNS)[(typeof COUNTED_KINDS)[number]][1]
const countedNouns: readonly CountedNoun[] = COUNTED_KINDS.map((kind) => RECORD_NOUNS[kind][1])

/** The counts on the tiles of the home page. */
export const readCounts = call('GET', '/api/counts', {
  shows: RECORD_KINDS,
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: `How many ${countedNouns.join(', ')} and people there are.`,
  response: z.strictObject({
    ...(Object.fromEntries(countedNouns.map((noun) => [noun, z.int()])) as Record<CountedNoun, z.ZodInt>),
    leadership: z.int(),
    studentSupport: z.int(),
  }),
})

/** The site facts that a check asks to confirm. */
const SiteFacts = z.strictObject({
  phone: text,
  fax: text,
  address: z.array(z.string()),
  hours: text,
  leaders: z.array(z.strictObject({ role: z.string(), people: z.array(z.string()) })),
})
export type SiteFacts = z.infer<typeof SiteFacts>

/** A vacant role at a site. */
export const VacantPosition = z.strictObject({
  role: z.string(),
  site: z.strictObject({ _id: id, slug: z.string(), name: z.string() }),
  /** When the last person in the role was removed; null if it is not known that anyone had it. */
  since: moment.nullable(),
})
export type VacantPosition = z.infer<typeof VacantPosition>

/** The total number, and the first items. */
const countedList = <T extends z.ZodType>(item: T) => z.strictObject({ count: z.int(), first: z.array(item) })

/** The number of items listed in each section. */
export const LISTED_PER_PART = 3

/** Everything that needs the caller's attention. */
export const Home = z.strictObject({
  /** Records that they are responsible for and that are due for a check; with `facts` for sites. */
  checks: countedList(RecordToCheck.extend({ facts: SiteFacts.nullable() })),
  /** Suggested changes that they may decide, longest waiting first. */
  suggestions: countedList(Proposal),
  /** Requests in free text that they may answer. */
  requests: z.strictObject({ count: z.int() }),
  /** Answers of the last two weeks to their own requests. */
  answers: countedList(RequestRecord),
  /** Comments for them that they have not seen, newest first. */
  comments: countedList(CommentWithSubject),
  /** Deadlines of the next 30 days that they are responsible for; `next` is the first one after that. */
  deadlines: countedList(Deadline).extend({ overdue: z.int(), next: Deadline.nullable() }),
  /** Vacant roles at their sites and in their regions. */
  positions: countedList(VacantPosition),
  /** The latest changes: at their own sites and favorites, or everywhere for someone who has none and may see it. */
  changes: z.strictObject({ isOwn: z.boolean(), entries: z.array(ActivityEntry) }),
})
export type Home = z.infer<typeof Home>

export const readHome = call('GET', '/api/home', {
  shows: [...RECORD_KINDS, 'request', 'deadline'],
  capability: 'browse the directory',
  summary: `What needs the caller, and what changed lately at their sites and favorites: of each part the number and the first ${LISTED_PER_PART}.`,
  response: Home,
})

export const countWaitingRequests = call('GET', '/api/home/waiting', {
  shows: ['request'],
  capability: 'browse the directory',
  summary: 'How many requests and suggested changes wait for a decision of the caller.',
  response: z.strictObject({ requests: z.int() }),
})
