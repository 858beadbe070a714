import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { columnFiltersText } from '../../../contract/column-filters.ts'
import { id, moment, recordIds, text, byId } from '../../../contract/fields.ts'
import { FILTER_NAMES } from '../../../contract/lists.ts'
import { SheetKind } from '../../../contract/sheets.ts'

export const MAX_SHEET_BYTES = 20_971_520
const kind = z.object({ kind: SheetKind })
/** Paths of fields or keys of the list’s columns, separated by commas; all by default. */
const columns = z.string().max(10_000).optional()
const someText = z.string().max(300).optional()

const filterText = columnFiltersText.optional()
const listFilters = Object.fromEntries(FILTER_NAMES.map((name) => [name, filterText])) as Record<
  (typeof FILTER_NAMES)[number],
  typeof filterText
>

export const downloadSheet = call('GET', '/api/sheets/:kind', {
  capability: 'manage the network',
  rateLimit: { perMinute: 30 },
  summary:
    'The records of a kind as a workbook to edit: identifiers and versions hidden and locked, choices as drop-downs. It has the rows that `ids` names, or those that a list shows with its filters, search and order (as in `POST /api/exports/list`; `list` where it is not that of all records), and the `columns`: paths of fields or keys of the list’s columns. Charter affairs need the capability to edit them.',
  params: kind,
  query: z.strictObject({
    /** `_id`s, separated by commas. */
    ids: z.string().max(1_000_000).optional(),
    /** The list that the filters belong to, such as `region_sites`; by default the list of all records. */
    list: someText,
    /** The record on whose page the list is. */
    of: someText,
    charter: someText,
    /** The filters of the list. `status` may also be a single status, and `region` an `_id`. */
    ...listFilters,
    search: someText,
    sort: someText,
    group: someText,
    columns,
  }),
  response: 'workbook',
})

export const downloadSheetOfRecords = call('POST', '/api/sheets/:kind/file', {
  capability: 'manage the network',
  rateLimit: { perMinute: 30 },
  summary: 'The same workbook of the records that `ids` names, of more of them than an address holds.',
  params: kind,
  body: z.strictObject({ ids: recordIds, columns }),
  response: 'workbook',
})

/** One cell that differs. `before` is its value in the version of the file; `theirs` is what someone else has saved since, for a conflict. */
export const SheetCell = z.strictObject({
  /** The row's number in the sheet. */
  row: z.int(),
  /** `F17` */
  cell: z.string(),
  /** The `_id` of the record; null for a row without one. */
  record: text,
  name: text,
  /** The path of the field in its edit call. */
  field: z.string(),
  label: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  theirs: z.unknown(),
  /** Who saved `theirs`, and when. */
  theirsBy: text,
  theirsAt: moment.nullable(),
  /** `new`: a cell of a row without an identifier, which becomes a record. */
  state: z.enum(['change', 'conflict', 'error', 'new']),
  message: text,
})
export type SheetCell = z.infer<typeof SheetCell>

export const SheetWarning = z.strictObject({
  kind: z.enum([
    'sorted',
    'shifted',
    'emptied',
    'filled',
    'replaced',
    'many',
    'accents',
    'struck',
    'leading-zeros',
    'scientific',
    'dates',
    'duplicate',
    'formula',
    'merged',
    'columns',
    'sheets',
    'missing-rows',
    'old',
  ]),
  message: z.string(),
  cells: z.array(z.string()),
  /** Whether its cells look like an accident: they are saved only with `warningsAccepted`. */
  isSuspicious: z.boolean(),
})
export type SheetWarning = z.infer<typeof SheetWarning>

/** The progress of saving a sheet; `saved` and `total` count records. */
export const SheetProgress = z.strictObject({
  state: z.enum(['waiting', 'saving', 'saved', 'stopped']),
  saved: z.int(),
  total: z.int(),
  /** The last saved record, and the estimated number of seconds for the others; null while unknown. */
  name: text,
  secondsLeft: z.int().nullable(),
  changeset: z.strictObject({ _id: id }).nullable(),
})
export type SheetProgress = z.infer<typeof SheetProgress>

export const SheetPreview = z.strictObject({
  _id: id,
  kind: SheetKind,
  /** The name of the sheet: a cell is `Sites!F17`. */
  sheet: z.string(),
  fileName: z.string(),
  at: moment,
  /** Rows of the sheet that name a record. */
  rows: z.int(),
  unchanged: z.int(),
  /** Rows that become records. */
  newRows: z.int(),
  /** When the file was downloaded; null if the file does not say. */
  downloadedAt: moment.nullable(),
  cells: z.array(SheetCell),
  warnings: z.array(SheetWarning),
  progress: SheetProgress,
  /** Whether it is a file of another program, which cannot be downloaded with comments. */
  isImport: z.boolean(),
  /** The cells that were left out when it was saved; null before. */
  left: z.array(z.string()).nullable(),
})
export type SheetPreview = z.infer<typeof SheetPreview>

export const previewSheet = call('POST', '/api/sheets/:kind/preview', {
  capability: 'manage the network',
  rateLimit: { perMinute: 30 },
  summary:
    'What a sheet (.xlsx or .csv) would change, cell by cell, compared with the version in the file and with what is saved now. Nothing is saved; the preview is kept for a day, for the caller only. With `pasted=true` the headers are paths of fields, and the file has just the columns and rows that change.',
  params: kind,
  query: z.strictObject({ pasted: z.enum(['true', 'false']).default('false') }),
  upload: { field: 'file', maxBytes: MAX_SHEET_BYTES, tooLarge: 'This file is larger than 20 MB. Save it without pictures, or in parts.' },
  response: SheetPreview,
})

export const readSheetPreview = call('GET', '/api/sheets/preview/:id', {
  shows: [],
  capability: 'manage the network',
  summary: 'The caller’s own preview of a sheet.',
  params: byId,
  response: SheetPreview,
})

const Choice = z.union([z.enum(['mine', 'theirs', 'leave']), z.strictObject({ value: z.unknown() })])
export const SheetChoices = z.strictObject({
  /** By cell: `{"F17": "mine"}`. A conflict needs a choice; an error needs another value, or is left out. */
  choices: z.record(z.string(), Choice).default({}),
  /** The rows to save; all by default. */
  rows: z.array(z.int()).optional(),
  /** Warnings whose cells are all left out, by index in the preview. */
  leaveWarnings: z.array(z.int()).max(1000).optional(),
  warningsAccepted: z.boolean().default(false),
})
export type SheetChoices = z.infer<typeof SheetChoices>

export const applySheet = call('POST', '/api/sheets/preview/:id/apply', {
  capability: 'manage the network',
  rateLimit: { perMinute: 30 },
  summary:
    'Saves the cells of a preview in one transaction: all or none. A cell with an error is a 422; an undecided conflict, and a value that was saved since the preview, a 409. Saving continues even if the caller disconnects.',
  params: byId,
  body: SheetChoices,
  response: z.strictObject({ changeset: z.strictObject({ _id: id }).nullable(), changed: z.int(), created: z.int() }),
})

export const readSheetProgress = call('GET', '/api/sheets/preview/:id/progress', {
  shows: [],
  capability: 'manage the network',
  summary: 'How far the saving of a preview is.',
  params: byId,
  response: SheetProgress,
})

export const stopSheet = call('POST', '/api/sheets/preview/:id/stop', {
  capability: 'manage the network',
  summary: 'Stops the saving of a preview: nothing is saved. If it was already saved, the answer is 409.',
  params: byId,
  response: 'nothing',
})

export const downloadSheetPreview = call('GET', '/api/sheets/preview/:id/file', {
  capability: 'manage the network',
  rateLimit: { perMinute: 30 },
  summary:
    'The uploaded sheet as a workbook, with its errors and conflicts as comments on their cells. With `rows=left` just the rows of which something was left out when it was saved.',
  params: byId,
  query: z.strictObject({ rows: z.enum(['all', 'left']).default('all') }),
  response: 'workbook',
})
