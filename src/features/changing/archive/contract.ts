import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { keysOf } from '../../../contract/field-definitions.ts'
import { Archived, id, idOrSlug, text } from '../../../contract/fields.ts'
import { RECORD_NOUNS, RecordKind } from '../../../contract/records.ts'
import { requiredLine } from '../../../contract/text-schemas.ts'

export const MAX_REASON_LENGTH = 300
/** How many records a reason names. */
export const MAX_NAMED = 100

const Kind = z.enum(keysOf(RECORD_NOUNS))
const anyRecord = z.object({ kind: Kind, id: idOrSlug })

/** Something in use that needs a record. */
const Need = z.strictObject({
  /** '2 sites that are not closed' */
  text: z.string(),
  /** Those records by name, at most 100. */
  records: z.array(z.strictObject({ kind: RecordKind, _id: id, slug: z.string(), name: z.string() })),
  /** The page where it is given away, if it is not one of these records. */
  path: text,
})
export type Need = z.infer<typeof Need>

const ArchiveState = z.strictObject({
  kind: Kind,
  _id: id,
  /** Null if the record is in use. */
  archived: Archived.nullable(),
  /** What has to be given away before the record can be archived. */
  needs: z.array(Need),
})
export type ArchiveState = z.infer<typeof ArchiveState>

export const readArchiveState = call('GET', '/api/archive/:kind/:id', {
  capability: 'archive a record',
  summary: 'Whether a record is archived, and what in use still needs it.',
  params: anyRecord,
  response: ArchiveState,
})

export const archiveRecord = call('POST', '/api/archive', {
  capability: 'archive a record',
  summary:
    'Archives a record: it is in no list, search, feed or export, and its page stays. A 409 lists what in use still needs it. A SIS site, board member or district, which has no page, is deleted and can be restored in the same way; a charter affair is archived with its charter.',
  body: z.strictObject({ kind: Kind, _id: idOrSlug, reason: requiredLine(MAX_REASON_LENGTH) }),
  response: ArchiveState,
})

export const restoreRecord = call('DELETE', '/api/archive/:kind/:id', {
  capability: 'archive a record',
  summary: 'Restores an archived record, which is then in lists again. A 409 if it belongs to a record that is archived.',
  params: anyRecord,
  response: ArchiveState,
})
