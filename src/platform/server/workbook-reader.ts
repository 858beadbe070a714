import type { CellValue } from 'hucre/xlsx'

import { BrokenZip, listZipEntries } from './zip-entries.ts'

/** A workbook that cannot be read, with the reason in words. */
export class UnreadableWorkbook extends Error {}

/** The maximum unpacked size of a workbook; a real one of 100,000 rows and 50 columns takes about half. */
const MAX_BYTES = 536_870_912
/** From this size on, a workbook that is compressed more than any real one is treated as a zip bomb. */
const SUSPECT_BYTES = 33_554_432
const SUSPECT_RATIO = 200
const MAX_ROWS = 1_048_576

const refuse = (reason: string): never => {
  throw new UnreadableWorkbook(reason)
}

/** The total unpacked size according to the ZIP's central directory; the reader aborts an entry that exceeds its declared size. */
const unpackedSize = (bytes: Uint8Array): number => {
  try {
    return listZipEntries(bytes).reduce((total, { unpacked }) => total + unpacked, 0)
  } catch (error) {
    return refuse(error instanceof BrokenZip ? error.message : String(error))
  }
}

/** A cell as text: a day as 2026-11-20, booleans as TRUE and FALSE, a formula as its result. */
const toCellText = (value: CellValue | undefined): string => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '')
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

/** The rows of a workbook's first sheet, or the named one, each with its row number in the sheet. Rows without cells are skipped. */
export async function* workbookRows(bytes: Uint8Array, sheet?: string): AsyncGenerator<{ line: number; cells: string[] }> {
  const size = unpackedSize(bytes)
  if (size > MAX_BYTES || (size > SUSPECT_BYTES && size > bytes.length * SUSPECT_RATIO)) {
    refuse(`it unpacks to ${Math.round(size / 1_048_576)} MB, more than a directory needs`)
  }
  // Imported with the first file: a server reads them in a thread of its own, and others never.
  const { streamXlsxRows } = await import('hucre/xlsx')
  try {
    for await (const row of streamXlsxRows(bytes, { maxRows: MAX_ROWS, ...(sheet === undefined ? {} : { sheet }) })) {
      yield { line: row.index + 1, cells: row.values.map(toCellText) }
    }
  } catch (error) {
    if (error instanceof UnreadableWorkbook) throw error
    throw new UnreadableWorkbook(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
