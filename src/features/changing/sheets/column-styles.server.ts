import { inflateRawSync } from 'node:zlib'

import type { WriteSheet } from 'hucre/xlsx'

import { toColumnLetters } from '../../../platform/server/workbook-reader.ts'
import { findZipData, listZipEntries } from '../../../platform/server/zip-entries.ts'
import { createZip, type ZipEntry } from '../../../platform/server/zip.ts'

const FIRST_SHEET = 'xl/worksheets/sheet1.xml'

/** Cells with a style: the letters of the column, the number of the row, the style. */
const STYLED_CELL = /<c r="([A-Z]{1,3})(\d{1,7})"[^<>]* s="(\d+)"/g

/** The style of a cell that has the format of its column, by format; cells with a style of their own do not count. */
const findStyles = (xml: string, { columns = [], cells }: WriteSheet): ReadonlyMap<string, string> => {
  const columnOf = new Map(columns.map((_, at) => [toColumnLetters(at), at]))
  const styles = new Map<string, string>()
  for (const [, letters = '', line, own = ''] of xml.matchAll(STYLED_CELL)) {
    const at = columnOf.get(letters) ?? -1
    const format = columns[at]?.style?.numFmt
    if (format !== undefined && !styles.has(format) && !cells?.has(`${Number(line) - 1},${at}`)) styles.set(format, own)
  }
  return styles
}

const styleColumnsOfSheet = (xml: string, sheet: WriteSheet): string => {
  const styles = findStyles(xml, sheet)
  return xml.replaceAll(/<col min="(\d+)"/g, (tag, number: string) => {
    const style = styles.get(sheet.columns?.[Number(number) - 1]?.style?.numFmt ?? '')
    return style === undefined ? tag : `${tag} style="${style}"`
  })
}

const CHUNK_LENGTH = 65_536
/** The archive needs a buffer for the longest chunk. */
function* toChunks(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    // A character of two units stays whole.
    const end = from + CHUNK_LENGTH + (/[\uD800-\uDBFF]/.test(text.charAt(from + CHUNK_LENGTH - 1)) ? 1 : 0)
    yield text.slice(from, end)
    from = end
  }
}

/**
 * Gives the columns of the first sheet the style of their cells: the library writes it to the cells of existing rows only, so that a new row
 * would be locked, and numbers in it would lose their leading zeros.
 */
export const styleColumns = async (bytes: Uint8Array, sheet: WriteSheet): Promise<Uint8Array> => {
  const entries = listZipEntries(bytes).map((entry): ZipEntry => {
    const data = findZipData(bytes, entry)
    const text = (entry.method === 0 ? Buffer.from(data) : inflateRawSync(data)).toString('utf8')
    return { name: entry.name, text: toChunks(entry.name === FIRST_SHEET ? styleColumnsOfSheet(text, sheet) : text) }
  })
  return Buffer.concat(await Array.fromAsync(createZip(entries)))
}
