import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, moment, text } from '../../../contract/fields.ts'
import { PERSONAL_KINDS } from '../../../contract/records.ts'
import { requiredMultiline } from '../../../contract/text-schemas.ts'

export const MAX_REASON_LENGTH = 500
const PersonalKind = z.enum(PERSONAL_KINDS)
const mayErase = { capability: 'erase personal data' } as const

/** How many rows of a table hold personal data of someone. */
const RemovedRows = z.strictObject({ table: z.string(), rows: z.int() })

/**
 * What backups still hold: `until` is the day on which this server deletes the last daily backup that may have it, or null if it makes none.
 */
export const BackupsOfErased = z.strictObject({ until: text, kept: z.int() })
export type BackupsOfErased = z.infer<typeof BackupsOfErased>

export const ErasurePreview = z.strictObject({
  kind: PersonalKind,
  _id: id,
  /** What has to be typed to confirm. */
  name: z.string(),
  version: z.int(),
  removed: z.array(RemovedRows),
  /** Names and numbers that something else has too, so that they stay where only the text says whose they are. */
  shared: z.array(z.string()),
  /** Why this cannot be erased now, or null. */
  refusal: text,
  backups: BackupsOfErased,
})
export type ErasurePreview = z.infer<typeof ErasurePreview>

export const Erasure = z.strictObject({
  number: z.int(),
  kind: PersonalKind,
  _id: id,
  /** 'Erased person 12' */
  name: z.string(),
  at: moment,
  by: text,
  reason: z.string(),
  removed: z.array(RemovedRows),
  backups: BackupsOfErased,
})
export type Erasure = z.infer<typeof Erasure>

export const readErasurePreview = call('GET', '/api/erase/:kind/:id', {
  ...mayErase,
  summary: 'What erasing the personal data of someone would remove: the number of rows by table, and why it would be refused.',
  params: z.object({ kind: PersonalKind, id }),
  response: ErasurePreview,
})

export const erase = call('POST', '/api/erase', {
  ...mayErase,
  rateLimit: { perMinute: 10 },
  summary:
    'Erases the personal data of someone, for good: the record is called "Erased person 12" from then on, also in histories, requests, comments, emails and the audit trail; numbers, addresses, accounts, sessions, tokens and roles are removed. `until` is the day on which the last daily backup with them is deleted. You cannot erase yourself (403), someone in SUPER_ADMINS, or someone twice (409).',
  body: z.strictObject({
    kind: PersonalKind,
    _id: id,
    reason: requiredMultiline(MAX_REASON_LENGTH, 'Enter the reason'),
  }),
  response: Erasure,
})

export const listErasures = call('GET', '/api/erasures', {
  ...mayErase,
  summary: 'All erasures, newest first. They do not say who was erased; `homeroom restore` applies them to an older backup.',
  response: z.array(Erasure),
})
