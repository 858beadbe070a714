import { z } from 'zod'

import { call, PastDay } from '../../../contract/call.ts'
import { moment } from '../../../contract/fields.ts'
import { RECORD_KINDS, RECORD_NOUNS, RecordHit, RecordKind } from '../../../contract/records.ts'

/** A page of the app, or of a site ('Lodi Resource Center - Enrollment'). */
export const PageHit = z.strictObject({
  kind: z.literal('page'),
  name: z.string(),
  detail: z.string(),
  to: z.string(),
})
export type PageHit = z.infer<typeof PageHit>

/** Actions without a page of their own. */
export const ACTIONS = ['support', 'sign-out'] as const
export const ActionHit = z.strictObject({
  kind: z.literal('action'),
  name: z.string(),
  detail: z.string(),
  action: z.enum(ACTIONS),
})
export type ActionHit = z.infer<typeof ActionHit>

/** How a hit matched. */
export const MATCHES = ['exact', 'prefix', 'close'] as const
export const Match = z.enum(MATCHES)

export const FoundRecord = RecordHit.extend({
  /** Exact, prefix or close (typos and similar spellings). */
  match: Match,
})
export type FoundRecord = z.infer<typeof FoundRecord>

const group = <K extends z.ZodType, S extends z.ZodType>(kind: K, hit: S) =>
  z.strictObject({
    kind,
    /** The number of matches of this kind; `more` if there are more than were counted. */
    total: z.int(),
    more: z.boolean(),
    hits: z.array(hit),
  })

/** The results in groups, in display order: the very first hit is the best. */
export const SearchResponse = z.strictObject({
  query: z.string(),
  groups: z.array(
    z.discriminatedUnion('kind', [
      group(z.enum(RECORD_KINDS.map((kind) => RECORD_NOUNS[kind][1])), FoundRecord),
      group(z.literal('pages'), z.discriminatedUnion('kind', [PageHit, ActionHit])),
    ]),
  ),
  /** The matched words of the records, normalized, for highlighting: 'bill' matches 'william'. */
  marks: z.array(z.string()),
  /** True if there are only close matches. */
  close: z.boolean(),
  /** The past day that the query names, as of which the records are shown. */
  on: z.iso.date().nullable(),
})
export type SearchResponse = z.infer<typeof SearchResponse>

/** Longer queries are refused. */
export const MAX_QUERY_LENGTH = 200

export const search = call('GET', '/api/search', {
  capability: 'browse the directory',
  rateLimit: { perMinute: 30_000 },
  summary: `Finds ${RECORD_KINDS.map((kind) => RECORD_NOUNS[kind][1]).join(', ')}, pages and actions by name, role, place, number or ID, best match first; with a past day or month in the query, as of its end.`,
  query: z.strictObject({
    q: z.string().max(MAX_QUERY_LENGTH).default(''),
    /** Only one kind, with up to 50 hits. */
    kind: RecordKind.optional(),
    on: PastDay,
  }),
  response: SearchResponse,
})

export const listFailedSearches = call('GET', '/api/search/misses', {
  capability: 'see searches without results',
  summary: 'Searches of the last 90 days that had no results, most frequent first.',
  response: z.array(z.strictObject({ query: z.string(), count: z.int(), lastAt: moment })),
})
