import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { byUuid, day, id, idOrSlug, moment, text } from '../../contract/fields.ts'
import { DOSSIER_PARTS, MAX_FILE_BYTES } from './rules.ts'

const Part = z.enum(DOSSIER_PARTS)
const File = z.strictObject({ bytes: z.int(), sha256: z.string() })

export const Dossier = z.strictObject({
  _id: id,
  /** The name at the time of the request. */
  charter: z.strictObject({ _id: id, slug: text, name: z.string() }),
  /** The state at the end of this day, and the period of the changes. */
  on: day,
  from: day,
  to: day,
  parts: z.array(Part),
  /** Once its files are deleted, the sums remain. */
  state: z.enum(['waiting', 'making', 'done', 'failed', 'deleted']),
  /** In percent. */
  progress: z.int(),
  /** Why it could not be made. */
  failure: text,
  by: z.string(),
  createdAt: moment,
  madeAt: moment.nullable(),
  /** When its files are deleted. */
  deletedAt: moment.nullable(),
  /** The last change that its state contains. */
  change: z.int().nullable(),
  pages: z.int().nullable(),
  /** The name in the certificate; null if it is not signed. */
  signedBy: text,
  pdf: File.nullable(),
  zip: File.nullable(),
})
export type Dossier = z.infer<typeof Dossier>

const ACCESS = { capability: 'read a charter affair' } as const

export const createDossier = call('POST', '/api/dossiers', {
  ...ACCESS,
  rateLimit: { perMinute: 20 },
  summary:
    'Makes a dossier of a charter, a PDF and a ZIP of workbooks: the state at the end of the day `on` (today by default), and the changes from `from` (a year before by default) to `to` (`on` by default). Without `parts` it has all. `GET /api/dossiers/{id}` says when it is done.',
  body: z.strictObject({
    charter: idOrSlug,
    on: day.optional(),
    from: day.optional(),
    to: day.optional(),
    parts: z.array(Part).min(1, 'Choose at least one part').max(DOSSIER_PARTS.length).optional(),
  }),
  response: z.strictObject({ _id: id }),
})

export const listDossiers = call('GET', '/api/dossiers', {
  ...ACCESS,
  shows: [],
  summary: 'The dossiers of a charter whose files are kept, and those that are being made or failed, newest first.',
  query: z.strictObject({ charter: idOrSlug }),
  response: z.array(Dossier),
})

export const readDossier = call('GET', '/api/dossiers/:id', {
  ...ACCESS,
  shows: [],
  summary: 'A dossier: whether it is done, how far it is, or why it failed.',
  params: byUuid,
  response: Dossier,
})

const FILE = { ...ACCESS, rateLimit: { perMinute: 60 }, params: byUuid } as const

export const downloadDossierPdf = call('GET', '/api/dossiers/:id/pdf', {
  ...FILE,
  summary: 'The PDF of a dossier. Each download is logged.',
  response: 'file',
})

export const downloadDossierZip = call('GET', '/api/dossiers/:id/zip', {
  ...FILE,
  summary: 'The ZIP of a dossier: the PDF, a workbook for each part, and the SHA-256 sums of all of them. Each download is logged.',
  response: 'file',
})

/** What this server knows of a file. */
export const Verification = z.strictObject({
  /** `changed`: it has the identifier of a dossier, but other bytes. */
  result: z.enum(['unchanged', 'changed', 'unknown']),
  file: z.enum(['pdf', 'zip']).nullable(),
  dossier: Dossier.pick({ _id: true, on: true, from: true, to: true, madeAt: true, change: true, signedBy: true })
    .extend({ charter: z.string() })
    .nullable(),
  signature: z.strictObject({ state: z.enum(['none', 'valid', 'invalid']), by: text, isOfDossier: z.boolean() }),
})
export type Verification = z.infer<typeof Verification>

export const verifyDossier = call('POST', '/api/verify', {
  capability: 'no session',
  rateLimit: { perMinute: 30, perMinuteWithoutSession: 120 },
  summary:
    'Whether this server made a file, when, from which state, and whether it was changed since. The file is not kept. No session is needed.',
  upload: { field: 'file', maxBytes: MAX_FILE_BYTES, tooLarge: 'This file is larger than 24 MB, so it is not a dossier.' },
  response: Verification,
})
