import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { idOrSlug } from '../../../contract/fields.ts'
import { DuplicateKind, RecordHit } from '../../../contract/records.ts'

/** Two records that are probably one. */
const Duplicate = z.strictObject({
  kind: DuplicateKind,
  a: RecordHit,
  b: RecordHit,
  /** Up to 100; less probable pairs than 60 are not listed. */
  score: z.int(),
  /** 'Same phone', 'Names differ by ‘St.’' */
  reasons: z.array(z.string()),
})
export type Duplicate = z.infer<typeof Duplicate>

/** The maximum number of pairs in one response. */
export const MAX_DUPLICATES = 500

export const listDuplicates = call('GET', '/api/duplicates', {
  capability: 'manage the network',
  summary: `Pairs of records that are probably one, best first, at most ${MAX_DUPLICATES}; with \`kind\` those of one kind. Pairs that were dismissed are left out.`,
  query: z.strictObject({ kind: DuplicateKind.optional() }),
  response: z.array(Duplicate),
})

/** A record by its `_id` or slug, or as a list responds with it. */
const Named = z.union([idOrSlug, z.object({ _id: idOrSlug }).transform(({ _id }) => _id)])

export const dismissDuplicate = call('POST', '/api/duplicates/dismiss', {
  capability: 'manage the network',
  summary: 'Remembers that two records are not the same, so that they are no longer listed as duplicates, in either order.',
  body: z.strictObject({ kind: DuplicateKind, a: Named, b: Named }),
  response: 'nothing',
})

/** How many records a form names. */
export const MAX_FOUND = 3

export const findDuplicates = call('POST', '/api/duplicates/find', {
  capability: 'manage the network',
  summary: `The records that a new one with these values would probably duplicate, best first, at most ${MAX_FOUND}. \`values\` are those of the call that creates it, by path.`,
  body: z.strictObject({ kind: DuplicateKind, values: z.record(z.string().max(200), z.unknown()) }),
  response: z.array(Duplicate.pick({ score: true, reasons: true }).extend({ record: RecordHit })),
})
