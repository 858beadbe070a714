import { z } from 'zod'

import { call } from '../../../../contract/call.ts'
import { byId, id, moment, text } from '../../../../contract/fields.ts'
import { ImportKind, TABLE_KINDS } from '../../../../contract/imports.ts'
import { MAX_SHEET_BYTES, SheetCell, SheetChoices, SheetProgress, SheetWarning } from '../contract.ts'

const fieldName = z.string().max(100).nullable()
const word = z.string().max(300)
const columnMapping = z.union([
  z.record(z.string().max(300), fieldName),
  z.array(z.looseObject({ index: z.int().min(0), field: fieldName })).max(300),
])
const wordMapping = z.union([
  z.record(z.string().max(100), z.record(word, z.string().max(200).nullable())),
  z.array(z.looseObject({ field: z.string().max(100), value: word, target: z.string().max(200).nullable() })).max(4000),
])
/**
 * What columns become, by index or header, and what words become, by field; both may also be lists as the answers have them. Just the columns are
 * enough. What is not named stays as it is.
 */
export const GivenMapping = z.union([z.strictObject({ columns: columnMapping.optional(), values: wordMapping.optional() }), columnMapping])
export type GivenMapping = z.infer<typeof GivenMapping>

const state = {
  _id: id,
  kind: ImportKind,
  fileName: z.string(),
  at: moment,
  /** The sheet of the workbook, empty for a text file, and the row with its headers. */
  sheet: z.string(),
  headerLine: z.int(),
  /** Rows that may become records. */
  rows: z.int(),
  /** Whether the columns are those of an earlier file, so that its choices are used again. */
  isRemembered: z.boolean(),
  columns: z.array(
    z.strictObject({
      index: z.int(),
      header: z.string(),
      samples: z.array(z.string()),
      /** One of `fields`; null if the column is not imported. */
      field: text,
      /** From 0 to 1; from 0.7 it is sure. */
      confidence: z.number(),
      reason: z.string(),
    }),
  ),
  /** Words that stand for something, each once. */
  values: z.array(
    z.strictObject({
      field: z.string(),
      column: z.int(),
      value: z.string(),
      count: z.int(),
      /** One of the `choices` of the field, `+` for a new record, or null if the word is not imported. */
      target: text,
      confidence: z.number(),
      reason: z.string(),
    }),
  ),
  /** What a column can become; of those whose words are mapped, also what a word that becomes nothing is called, and what follows from it. */
  fields: z.array(
    z.strictObject({ key: z.string(), label: z.string(), type: z.string(), isRequired: z.boolean(), none: text, about: text }),
  ),
  choices: z.record(z.string(), z.array(z.strictObject({ value: z.string(), label: z.string() }))),
}
/** A file that was uploaded, and whether its import is saved. */
export const ImportFile = z.strictObject({ _id: id, kind: ImportKind, fileName: z.string(), at: moment, isSaved: z.boolean() })
export type ImportFile = z.infer<typeof ImportFile>
export const ImportState = z.strictObject(state)
export type ImportState = z.infer<typeof ImportState>

export const ImportPreview = z.strictObject({
  ...state,
  cells: z.array(SheetCell),
  warnings: z.array(SheetWarning),
  unchanged: z.int(),
  newRows: z.int(),
  /** The cells without which their row is left out. */
  held: z.array(z.string()),
  counts: z.strictObject({ new: z.int(), changed: z.int(), unchanged: z.int(), conflicts: z.int(), errors: z.int() }),
  progress: SheetProgress,
  left: z.array(z.string()).nullable(),
})
export type ImportPreview = z.infer<typeof ImportPreview>

export const createImport = call('POST', '/api/imports/:kind', {
  capability: 'import files',
  rateLimit: { perMinute: 30 },
  summary:
    'Reads a file of another program (.xlsx or .csv; for `legacy` a .zip of the old program’s folder; for `any` either, of which the kind is guessed, too) and guesses what its columns and words become. Nothing is saved; the file is kept for a day, for the caller only. The form may also have a `mapping` (JSON, as in the PATCH call). Without one, that of the last file with the same columns is used.',
  params: z.object({ kind: z.enum(['any', ...ImportKind.options]) }),
  upload: {
    field: 'file',
    text: 'mapping',
    maxBytes: MAX_SHEET_BYTES,
    tooLarge: 'This file is larger than 20 MB. Split it, or use the command "homeroom import".',
  },
  response: ImportState,
})

export const listImports = call('GET', '/api/imports', {
  shows: [],
  capability: 'import files',
  summary: 'The caller’s own imports of the last day, in the order in which they are best saved.',
  response: z.array(ImportFile),
})

export const mapImport = call('PATCH', '/api/imports/:id', {
  capability: 'import files',
  rateLimit: { perMinute: 120 },
  summary:
    'Changes what columns and words of the caller’s own import become. It is remembered for the next file with the same columns. Another `kind` reads the file again.',
  params: byId,
  body: z
    .strictObject({ kind: z.enum(TABLE_KINDS).optional(), mapping: GivenMapping.optional() })
    .refine(({ kind, mapping }) => kind !== undefined || mapping !== undefined, { message: 'Give a mapping or a kind', path: ['mapping'] }),
  response: ImportState,
})

export const readImport = call('GET', '/api/imports/:id', {
  shows: [],
  capability: 'import files',
  rateLimit: { perMinute: 60 },
  summary: 'What the caller’s own import would change, cell by cell, compared with what is saved now.',
  params: byId,
  /** Without the cells it says only what the columns and words become. */
  query: z.strictObject({ cells: z.enum(['true', 'false']).default('true') }),
  response: ImportPreview,
})

export const applyImport = call('POST', '/api/imports/:id/apply', {
  capability: 'import files',
  rateLimit: { perMinute: 30 },
  summary:
    'Saves the caller’s own import in one transaction, as one changeset. A choice by cell is `mine`, `theirs`, `leave` or another value, as a text. Without choices, cells with errors or warnings are left out, and values that someone edited stay.',
  params: byId,
  body: SheetChoices.prefault({}),
  response: z.strictObject({ changeset: z.strictObject({ _id: id }).nullable(), changed: z.int(), created: z.int() }),
})
