import { z } from 'zod'

import { id, moment, text } from '../../contract/fields.ts'
import { RecordToCheck } from '../../features/changing/checks/contract.ts'
import { CommentWithSubject } from '../../features/changing/comments/contract.ts'
import { Proposal, RequestRecord } from '../../features/changing/requests/contract.ts'
import { Deadline } from '../../features/deadlines/deadlines/contract.ts'
import { ActivityEntry } from '../../features/finding/activity/contract.ts'

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
