import type { WriteOptions } from 'hucre/xlsx'

import { getSheetTitle } from '../../../contract/sheets.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import { toColumnLetters } from '../../../platform/server/workbook-reader.ts'
import { toCellNames, toCellText } from './cell-values.server.ts'
import { getSheet } from './columns.server.ts'
import { type SheetFile, withSheetFile } from './file-worker.server.ts'
import { type FoundCell, type FoundRow, toAddress } from './found-rows.server.ts'
import { readLayout } from './layout.server.ts'
import { MAX_COLUMNS } from './read-file.server.ts'
import type { StoredPreview } from './stored-preview.server.ts'
import { type CellNote, toWorkbook } from './template.server.ts'

const describeCell = (context: AppContext, { sheet }: { readonly sheet: StoredPreview['kind'] }, cell: FoundCell): string | null => {
  if (cell.state === 'error') return cell.message
  if (cell.state !== 'conflict') return null
  const column = getSheet(context, sheet)
    .columns(context.readModel)
    .find(({ path }) => path === cell.column.path)
  const theirs = column ? toCellText(toCellNames(context.readModel), column, cell.present) : ''
  return `${cell.author?.by ?? 'Someone else'} changed this to “${theirs}” after the file was downloaded.`
}

/** An uploaded sheet as a workbook with its errors and conflicts as comments; with `left`, only the rows with cells that were left out. */
export const buildMarkedFile = (
  context: AppContext,
  preview: StoredPreview,
  bytes: Uint8Array,
  which: 'all' | 'left',
): Promise<{ workbook: WriteOptions; rows: number }> => withSheetFile(bytes, (file) => markFile(context, preview, file, which))

/** Those without a header too, because notes of the sender may be in them. */
const ALL_COLUMNS = Array.from({ length: MAX_COLUMNS }, (_, at) => at)

const markFile = async (
  context: AppContext,
  { kind: sheet, at, left, facts, readRows }: StoredPreview,
  file: SheetFile,
  which: 'all' | 'left',
): Promise<{ workbook: WriteOptions; rows: number }> => {
  const { columns, id, head } = readLayout(sheet, getSheetTitle(sheet), getSheet(context, sheet).columns(context.readModel), file)
  const byIndex = new Map([...columns].map(([column, index]) => [index, column]))
  const isLeft = new Set(left ?? [])
  const leftRows = new Set((left ?? []).map((address) => Number(address.replace(/^[A-Z]+/, ''))))
  // With all rows, they keep their positions, so that cell addresses are the same as in the preview.
  const rows: (readonly string[] | undefined)[] = []
  const rowIndexes = new Map<number, number>()
  const records: string[] = []
  const rest = createTimeSlices()
  for await (const batch of file.readRows(ALL_COLUMNS))
    for (const { line, cells } of batch) {
      await rest()
      if (which === 'left' && !leftRows.has(line)) continue
      const index = which === 'left' ? rows.length : line - head.line - 1
      rows[index] = cells
      rowIndexes.set(line, index)
      const record = cells[id]?.trim()
      if (record) records.push(record)
    }
  const columnOf = new Map(head.cells.map((_, index) => [toColumnLetters(index), index]))
  const toNotes = (found: FoundRow): CellNote[] => {
    const row = rowIndexes.get(found.line)
    if (row === undefined) return []
    return found.cells.flatMap((cell) => {
      const column = columnOf.get(cell.column.letters)
      const text =
        describeCell(context, { sheet }, cell) ?? (which === 'left' && isLeft.has(toAddress(found, cell)) ? 'This was left out.' : null)
      return column === undefined || text === null ? [] : [{ row, column, text }]
    })
  }
  const notes: CellNote[] = []
  for await (const part of readRows())
    for (const found of part) {
      await rest()
      notes.push(...toNotes(found))
    }
  const workbook = toWorkbook(context, {
    sheet,
    downloadedAt: new Date(facts.downloadedAt ?? at),
    columns: head.cells.map((header, index) => ({ header: byIndex.get(index)?.label ?? header, column: byIndex.get(index) })),
    headerRow: which === 'left' ? 0 : head.line - 1,
    rows: Array.from(rows, (row) => row),
    records,
    notes,
  })
  return { workbook, rows: rowIndexes.size }
}
