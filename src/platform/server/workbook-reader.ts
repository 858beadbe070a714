import { type CellValue, streamXlsxRows } from 'hucre/xlsx'

/** A workbook that cannot be read, with the reason in words. */
export class UnreadableWorkbook extends Error {}

/** Unpacked, a workbook may take this much; a real one of 100,000 rows and 50 columns takes about half. */
const MAX_BYTES = 536_870_912
/** Past this size a workbook that packs tighter than any real one is a zip bomb. */
const SUSPECT_BYTES = 33_554_432
const SUSPECT_RATIO = 200
const MAX_ROWS = 1_048_576

const refuse = (reason: string): never => {
  throw new UnreadableWorkbook(reason)
}

/** Sums what the ZIP's central directory says its entries unpack to; the reader stops an entry that lied. */
const unpackedSize = (bytes: Uint8Array): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  const lowest = Math.max(0, end - 65_535)
  while (end >= lowest && view.getUint32(end, true) !== 0x06054b50) end--
  if (end < lowest) return refuse('it is cut off or damaged')
  const entries = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  let total = 0
  for (let n = 0; n < entries; n++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) return refuse('it is cut off or damaged')
    const packed = view.getUint32(at + 20, true)
    const unpacked = view.getUint32(at + 24, true)
    if (unpacked === 0 && packed > 2) return refuse('it hides how large it is')
    total += unpacked
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return total
}

/** A cell as text: a day as 2026-11-20, yes and no as TRUE and FALSE, a formula as what it came to. */
const toCellText = (value: CellValue | undefined): string => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '')
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

/** The rows of a workbook's first sheet, each with its row number as the sheet shows it. Rows without cells are passed over. */
export async function* workbookRows(bytes: Uint8Array): AsyncGenerator<{ line: number; cells: string[] }> {
  const size = unpackedSize(bytes)
  if (size > MAX_BYTES || (size > SUSPECT_BYTES && size > bytes.length * SUSPECT_RATIO)) {
    refuse(`it unpacks to ${Math.round(size / 1_048_576)} MB, more than a directory needs`)
  }
  try {
    for await (const row of streamXlsxRows(bytes, { maxRows: MAX_ROWS })) {
      yield { line: row.index + 1, cells: row.values.map(toCellText) }
    }
  } catch (error) {
    if (error instanceof UnreadableWorkbook) throw error
    throw new UnreadableWorkbook(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
