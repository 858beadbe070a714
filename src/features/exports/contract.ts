import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import type { Capability } from '../../platform/contract/capabilities.ts'
import { moment } from '../../platform/contract/fields.ts'

/** The five kinds (section 3): the name of each, and who may download it (section 6, D12). */
export const EXPORTS = {
  charter_affairs: { name: 'Charter Affairs', needs: 'read a charter affair' },
  facilities: { name: 'Facilities', needs: 'browse the directory' },
  finance: { name: 'Finance', needs: 'browse the directory' },
  site_leadership: { name: 'Site Leadership', needs: 'browse the directory' },
  student_support: { name: 'Student Support', needs: 'browse the directory' },
} as const satisfies Record<string, { name: string; needs: Capability }>
export type ExportKind = keyof typeof EXPORTS
export const EXPORT_KINDS = Object.keys(EXPORTS) as ExportKind[]

const eachKind = <T>(make: (kind: ExportKind) => T) =>
  Object.fromEntries(EXPORT_KINDS.map((kind) => [kind, make(kind)])) as Record<ExportKind, T>

/** What a workbook will hold, before it is fetched. */
export const ExportPreview = z.strictObject({
  /** Rows of its first sheet, heads not counted. */
  rows: z.int(),
  /** About how large the file will be, by what the last whole one of its kind came to; null where there was none yet. */
  bytes: z.int().nullable(),
  /** The first rows of the first sheet, all columns, as people read them. */
  first: z.array(z.array(z.string())),
})
export type ExportPreview = z.infer<typeof ExportPreview>

/** Each kind is a call of its own (`GET /api/exports/excel/{kind}`), since not all of them are for everybody. */
export const downloads = eachKind((kind) =>
  call({
    method: 'GET',
    path: `/api/exports/excel/${kind}`,
    needs: EXPORTS[kind].needs,
    does: `The workbook ${EXPORTS[kind].name} (.xlsx), as it comes out of the database. Who downloads it is kept.`,
    answer: 'workbook',
  }),
)

export const previews = eachKind((kind) =>
  call({
    method: 'GET',
    path: `/api/exports/preview/${kind}`,
    needs: EXPORTS[kind].needs,
    does: `How many rows the workbook ${EXPORTS[kind].name} has now, and the first of them.`,
    answer: ExportPreview,
  }),
)

/** What a list is given as. */
export const LIST_FORMATS = ['xlsx', 'csv'] as const
export type ListFormat = (typeof LIST_FORMATS)[number]
/** Lists of 100,000 rows are some 15 MB. */
const MOST_LIST_BYTES = 32 * 1024 * 1024
const MOST_COLUMNS = 60
const MOST_ROWS = 100_000
const MOST_CELLS = 3_000_000

const linesIn = (text: string): number => {
  let lines = text === '' ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** A list as somebody sees it: its rows as lines, their cells with tabs between them, so that 100,000 rows are one text to read and check. */
export const ListToWrite = z
  .strictObject({
    list: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[^\p{Cc}]+$/u),
    format: z.enum(LIST_FORMATS),
    /** A `day` is an ISO day; everything that is neither a day nor a number is text as it is. */
    columns: z
      .array(z.strictObject({ label: z.string().min(1).max(100), holds: z.enum(['text', 'day', 'number']) }))
      .min(1)
      .max(MOST_COLUMNS),
    rows: z
      .string()
      .max(MOST_LIST_BYTES)
      .refine((rows) => linesIn(rows) <= MOST_ROWS, `At most ${MOST_ROWS.toLocaleString('en-US')} rows`),
  })
  .refine(({ columns, rows }) => linesIn(rows) * columns.length <= MOST_CELLS, { path: ['rows'], message: 'Too many cells for one file' })
export type ListToWrite = z.infer<typeof ListToWrite>

export const downloadList = call({
  method: 'POST',
  path: '/api/exports/list',
  needs: 'browse the directory',
  does: 'The rows of a list as they are sent, as a workbook (.xlsx) or as CSV. Who downloads it is kept.',
  body: ListToWrite,
  mostBytes: MOST_LIST_BYTES + 65_536,
  answer: 'workbook',
})

export const OUTCOMES = ['whole', 'broken off', 'failed'] as const

export const Download = z.strictObject({
  _id: z.string(),
  kind: z.string(),
  /** Whoever it was, as they were called then. */
  name: z.string(),
  azureID: z.string(),
  at: moment,
  /** Null while it is under way, or where the server ended before it did. */
  outcome: z.enum(OUTCOMES).nullable(),
  rows: z.int().nullable(),
  bytes: z.int().nullable(),
})
export type Download = z.infer<typeof Download>

export const listDownloads = call({
  method: 'GET',
  path: '/api/exports/downloads',
  needs: 'see who downloaded',
  does: 'Who downloaded which workbook and when: the last 500, the newest first.',
  answer: z.array(Download),
})
