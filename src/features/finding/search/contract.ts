import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { moment } from '../../../platform/contract/fields.ts'
import { RecordHit, RecordKind } from '../../../platform/contract/records.ts'

/** A page of the app: of the route table, or a part of a site ('Lodi Resource Center - Enrollment'). */
export const PageHit = z.strictObject({
  kind: z.literal('page'),
  name: z.string(),
  detail: z.string(),
  to: z.string(),
})
export type PageHit = z.infer<typeof PageHit>

/** Something the app does at once, without a page of its own. */
export const ACTIONS = ['support', 'sign-out'] as const
export const ActionHit = z.strictObject({
  kind: z.literal('action'),
  name: z.string(),
  detail: z.string(),
  action: z.enum(ACTIONS),
})
export type ActionHit = z.infer<typeof ActionHit>

/** How a group's best hit was found; a hit's own is in `match`. */
export const MATCHES = ['exact', 'prefix', 'close'] as const
export const Match = z.enum(MATCHES)

export const FoundRecord = RecordHit.extend({
  /** Exact before prefix before close (a typo, a swap, a look-alike). */
  match: Match,
})
export type FoundRecord = z.infer<typeof FoundRecord>

const group = <K extends string, S extends z.ZodType>(kind: K, hit: S) =>
  z.strictObject({
    kind: z.literal(kind),
    /** How many there are of this kind; `more` says that there are more than were counted. */
    total: z.int(),
    more: z.boolean(),
    hits: z.array(hit),
  })

/** What was found: groups in the order in which they are shown, so that the very first hit is the best guess of all. */
export const SearchResponse = z.strictObject({
  query: z.string(),
  groups: z.array(
    z.discriminatedUnion('kind', [
      group('people', FoundRecord),
      group('sites', FoundRecord),
      group('charters', FoundRecord),
      group('brands', FoundRecord),
      group('regions', FoundRecord),
      group('pages', z.discriminatedUnion('kind', [PageHit, ActionHit])),
    ]),
  ),
  /** The words of the records that matched, in plain letters: what the page marks. 'bill' brings 'william'. */
  marks: z.array(z.string()),
  /** True where nothing matches as it was typed, so that the page says that these are the closest. */
  close: z.boolean(),
})
export type SearchResponse = z.infer<typeof SearchResponse>

/** Longer texts are no search. */
export const MAX_QUERY_LENGTH = 200

export const search = call({
  method: 'GET',
  path: '/api/search',
  capability: 'browse the directory',
  rateLimit: { perMinute: 30_000 },
  summary: 'Finds people, sites, charters, brands, regions, pages and actions by name, role, place, number or ID, best match first.',
  query: z.strictObject({
    q: z.string().max(MAX_QUERY_LENGTH).default(''),
    /** One kind alone, with up to 50 hits instead of a few. */
    kind: RecordKind.optional(),
  }),
  response: SearchResponse,
})

export const listFailedSearches = call({
  method: 'GET',
  path: '/api/search/misses',
  capability: 'see searches without results',
  summary: 'Searches of the last 90 days that had no results, most frequent first.',
  response: z.array(z.strictObject({ query: z.string(), count: z.int(), lastAt: moment })),
})
