import type { WriteOptions } from 'hucre/xlsx'

import type { AppContext, SignedIn } from '../../../../platform/server/app-context.ts'
import { toColumnLetters } from '../../../../platform/server/workbook-reader.ts'
import type { StoredPreview } from '../stored-preview.server.ts'
import { type CellNote, toPlainWorkbook } from '../template.server.ts'
import { findImport } from './queries.server.ts'

/** The rows of an import of which something was left out, with the reasons as comments; its columns are those of the file, so that it can be imported again. */
export const buildLeftFile = async (
  context: AppContext,
  user: Pick<SignedIn, 'account'>,
  { _id, readRows }: StoredPreview,
): Promise<{ workbook: WriteOptions; rows: number }> => {
  const { file, import: choices } = await findImport(context.db, context, user, _id)
  const { sheet, headers, rows: all } = await context.importer.readTable(file, choices.kind)
  const cellsOf = new Map(all.map(({ line, cells }) => [line, cells]))
  const columnOf = new Map(headers.map((_, index) => [toColumnLetters(index), index]))
  const rows: (readonly string[])[] = []
  const notes: CellNote[] = []
  for await (const part of readRows())
    for (const { line, cells } of part) {
      const row = rows.push(cellsOf.get(line) ?? []) - 1
      for (const { column, message, state } of cells) {
        const text = (state === 'error' ? message : null) ?? 'This was left out.'
        notes.push({ row, column: columnOf.get(column.letters) ?? 0, text })
      }
    }
  return { workbook: toPlainWorkbook(sheet ?? 'Left out', headers, rows, notes), rows: rows.length }
}
