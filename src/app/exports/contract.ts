import { z } from 'zod'

import { call } from '../../contract/call.ts'
import type { Capability } from '../../contract/capabilities.ts'
import { OUTCOMES } from '../../contract/downloads.ts'
import { moment } from '../../contract/fields.ts'

/** The six kinds, with their names and required capabilities. Deadlines contains the rows that the user may see. */
export const EXPORTS = {
  charter_affairs: { name: 'Charter Affairs', capability: 'read a charter affair' },
  facilities: { name: 'Facilities', capability: 'browse the directory' },
  finance: { name: 'Finance', capability: 'browse the directory' },
  site_leadership: { name: 'Site Leadership', capability: 'browse the directory' },
  student_support: { name: 'Student Support', capability: 'browse the directory' },
  deadlines: { name: 'Deadlines', capability: 'browse the directory' },
} as const satisfies Record<string, { name: string; capability: Capability }>
export type ExportKind = keyof typeof EXPORTS
export const EXPORT_KINDS = Object.keys(EXPORTS) as ExportKind[]

const mapKinds = <T>(make: (kind: ExportKind) => T) =>
  Object.fromEntries(EXPORT_KINDS.map((kind) => [kind, make(kind)])) as Record<ExportKind, T>

/** The contents of a workbook, shown before it is downloaded. */
export const ExportPreview = z.strictObject({
  /** Rows of the first sheet without its header. */
  rows: z.int(),
  /** The approximate size, based on the last complete download of this kind; null if there is none. */
  bytes: z.int().nullable(),
  /** The first rows of the first sheet, formatted. */
  first: z.array(z.array(z.string())),
})
export type ExportPreview = z.infer<typeof ExportPreview>

/** A separate call per kind (`GET /api/exports/excel/{kind}`), because they need different capabilities. */
export const downloads = mapKinds((kind) =>
  call('GET', `/api/exports/excel/${kind}`, {
    capability: EXPORTS[kind].capability,
    rateLimit: { perMinute: 30 },
    summary: `The ${EXPORTS[kind].name} workbook (.xlsx), with current data. Each download is logged.`,
    response: 'workbook',
  }),
)

export const previews = mapKinds((kind) =>
  call('GET', `/api/exports/preview/${kind}`, {
    capability: EXPORTS[kind].capability,
    // Each call reads a whole workbook.
    rateLimit: { perMinute: 120 },
    summary: `How many rows the ${EXPORTS[kind].name} workbook has now, and its first rows.`,
    response: ExportPreview,
  }),
)

export const Download = z.strictObject({
  _id: z.string(),
  kind: z.string(),
  /** Their name at the time. */
  name: z.string(),
  azureID: z.string(),
  at: moment,
  /** Null while it is running, or if the server stopped before its end. */
  outcome: z.enum(OUTCOMES).nullable(),
  rows: z.int().nullable(),
  bytes: z.int().nullable(),
})
export type Download = z.infer<typeof Download>

export const listDownloads = call('GET', '/api/exports/downloads', {
  capability: 'see who downloaded',
  summary: 'Who downloaded which workbook and when: the last 500, newest first.',
  response: z.array(Download),
})
