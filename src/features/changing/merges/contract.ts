import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, idOrSlug, moment, text } from '../../../contract/fields.ts'
import { DuplicateKind, RecordHit } from '../../../contract/records.ts'

/** A record by its `_id` or slug, or as a list responds with it. */
const Named = z.union([idOrSlug, z.object({ _id: idOrSlug }).transform(({ _id }) => _id)])
const Pair = z.strictObject({ kind: DuplicateKind, keep: Named, merge: Named })

const MAX_FIELDS = 500
const Values = z
  .record(z.string().min(1).max(200), z.unknown())
  .refine((values) => Object.keys(values).length <= MAX_FIELDS, `At most ${MAX_FIELDS} fields`)

const Side = z.strictObject({
  record: RecordHit,
  /** When it was added and by whom; null if the history does not say. */
  addedAt: moment.nullable(),
  addedBy: text,
  /** How many changes its history has. */
  changes: z.int(),
})

const Choice = z.enum(['keep', 'merge'])
export type Choice = z.infer<typeof Choice>

/** A field that one of the records has, with both values. */
const MergedField = z.strictObject({
  path: z.string(),
  label: z.string(),
  keep: z.unknown(),
  keepName: text,
  merge: z.unknown(),
  mergeName: text,
  isSame: z.boolean(),
  /** Both lists as one, where the field is a list. */
  united: z.array(z.unknown()).nullable(),
  unitedName: text,
  /** The value that was saved last, and the one that says more; null if that is not known. */
  newer: Choice.nullable(),
  fuller: Choice.nullable(),
  /** What the record has without a choice. */
  suggested: Choice,
})
export type MergedField = z.infer<typeof MergedField>

const MergePreview = z.strictObject({
  /** Why they are probably one; empty if only the caller says so. */
  reasons: z.array(z.string()),
  keep: Side,
  merge: Side,
  fields: z.array(MergedField),
  /** What refers to the merged record, and will refer to the other one: `['role', 'roles']`, 2. */
  moves: z.array(z.strictObject({ noun: z.tuple([z.string(), z.string()]), count: z.int() })),
})
export type MergePreview = z.infer<typeof MergePreview>

export const previewMerge = call('POST', '/api/merges/preview', {
  capability: 'manage the network',
  summary: 'What a merge of two records would choose from, and how many rows would refer to the one that stays. Nothing is saved.',
  body: Pair,
  response: MergePreview,
})

export const mergeRecords = call('POST', '/api/merges', {
  capability: 'manage the network',
  rateLimit: { perMinute: 60 },
  summary:
    'Merges a record into another one of its kind, as one changeset. `values` has the fields that were chosen or typed, by path; empty fields of the record that stays are filled from the other, and lists are united. Everything that referred to the merged record refers to the other one, also its old address and `_id`. No one’s access changes. `version` and `mergedVersion` are those of both records: a 412 if one was saved since.',
  body: Pair.extend({ values: Values.default({}), version: z.int(), mergedVersion: z.int() }),
  response: z.strictObject({ changeset: z.strictObject({ _id: id }) }),
})
