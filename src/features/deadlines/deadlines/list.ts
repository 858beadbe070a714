import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { DEADLINE_OWNERS, KIND_NAMES } from '../../../contract/deadlines.ts'
import { day, id, idOrSlug } from '../../../contract/fields.ts'

// Apart from the other calls, since every page shows a count.

export const Named = z.strictObject({ _id: id, name: z.string() })

export const DeadlineState = z.enum(['open', 'handled', 'snoozed'])
export type DeadlineState = z.infer<typeof DeadlineState>

type OwnerKind = (typeof DEADLINE_OWNERS)[number]
/** Those that the list has no names of: a sentence says 'of this site'. */
export const LINKED_KINDS = DEADLINE_OWNERS.filter((kind) => kind !== 'region' && kind !== 'charter')

/** Filters for deadlines. Records are given by `_id` or slug; `responsible` is a person's `_id` or slug, `me` or `none`. */
export const DeadlineFilter = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  kind: z.enum(KIND_NAMES).optional(),
  ...(Object.fromEntries(DEADLINE_OWNERS.map((kind) => [kind, idOrSlug.optional()])) as Record<OwnerKind, z.ZodOptional<typeof idOrSlug>>),
  responsible: idOrSlug.optional(),
  state: DeadlineState.optional(),
})
export type DeadlineFilter = z.infer<typeof DeadlineFilter>

/** A filter and a search text: part of the title, the text or the name of the charter or site. */
export const DeadlineSearch = DeadlineFilter.extend({ q: z.string().max(200).optional() })
export type DeadlineSearch = z.infer<typeof DeadlineSearch>

export const DeadlineCounts = z.strictObject({
  /** Open ones, by due date; each is counted once. */
  overdue: z.int(),
  week: z.int(),
  days30: z.int(),
  days90: z.int(),
  days365: z.int(),
  later: z.int(),
  snoozed: z.int(),
  handled: z.int(),
  /** Open ones by responsible person, unassigned ones first. */
  responsible: z.array(z.strictObject({ person: Named.nullable(), count: z.int() })),
  /** Those with dates to confirm, which none of the numbers above contains. */
  proposed: z.int(),
  unread: z.int(),
  contradictions: z.int(),
  /** The caller in the directory; null for someone who is not in it. */
  me: id.nullable(),
})
export type DeadlineCounts = z.infer<typeof DeadlineCounts>

export const countDeadlines = call('GET', '/api/deadlines/counts', {
  shows: ['deadline'],
  capability: 'browse the directory',
  summary: 'How many deadlines a filter finds, by when they are due and who is responsible; `from`, `to` and `state` are not used.',
  query: DeadlineSearch,
  response: DeadlineCounts,
})
