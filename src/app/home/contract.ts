import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { RECORD_KINDS, RECORD_NOUNS } from '../../contract/records.ts'
import { Home } from './response.ts'

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

/** The number of items listed in each section. */
export const LISTED_PER_PART = 3

export const readHome = call('GET', '/api/home', {
  shows: [...RECORD_KINDS, 'request', 'deadline', 'comment'],
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
