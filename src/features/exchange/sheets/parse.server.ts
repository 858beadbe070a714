import { parseCsv } from 'hucre/csv'

import { Problem } from '../../../contract/problem.ts'
import { UnreadableWorkbook, workbookRows } from '../../../platform/server/workbook-reader.ts'
import { MAX_SHEET_ROWS } from './contract.ts'

/** A row of a file, with its number in the sheet. */
export interface FileRow {
  readonly line: number
  readonly cells: readonly string[]
}

const refuse = (detail: string): Problem =>
  new Problem(422, 'This file cannot be read', { detail, errors: [{ path: 'file', message: detail }] })

/** The first bytes of a ZIP, which a workbook is, and of the old formats and encrypted workbooks. */
const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b
const isCompoundFile = (bytes: Uint8Array): boolean => bytes[0] === 0xd0 && bytes[1] === 0xcf

const contains = (bytes: Uint8Array, name: string): boolean => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(name)

/** UTF-16 by its mark, UTF-8 where all of it is valid, else Windows-1252, which Excel writes in the United States. */
const decode = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const readCsv = (bytes: Uint8Array): FileRow[] => {
  if (bytes.includes(0) && !(bytes[0] === 0xff && bytes[1] === 0xfe)) throw refuse('Save it as .xlsx or .csv and try again.')
  return parseCsv(decode(bytes)).map((cells, at) => ({ line: at + 1, cells: cells.map((cell) => (cell === null ? '' : String(cell))) }))
}

const readWorkbook = async (bytes: Uint8Array): Promise<FileRow[]> => {
  if (contains(bytes, 'xl/vbaProject.bin')) throw refuse('It has macros. Save it as .xlsx, which has none, and try again.')
  if (contains(bytes, 'xl/externalLinks/')) throw refuse('It links to other workbooks. Break the links, save it and try again.')
  const rows: FileRow[] = []
  try {
    for await (const row of workbookRows(bytes)) {
      if (!row.cells.some((cell) => cell.trim() !== '')) continue
      rows.push(row)
      if (rows.length > MAX_SHEET_ROWS + 1) throw refuse(`It has more than ${MAX_SHEET_ROWS.toLocaleString('en-US')} rows.`)
    }
  } catch (error) {
    if (error instanceof UnreadableWorkbook) throw refuse(`Save it in Excel as .xlsx and try again: ${error.message}.`)
    throw error
  }
  return rows
}

/** The rows of a workbook's first sheet or of a CSV file that hold something; throws 422 for any other file. */
export const readFileRows = async (bytes: Uint8Array): Promise<FileRow[]> => {
  if (bytes.length === 0) throw refuse('It is empty.')
  if (isCompoundFile(bytes)) throw refuse('It is an old Excel file or protected by a password. Save it as .xlsx without one.')
  const rows = isZip(bytes) ? await readWorkbook(bytes) : readCsv(bytes)
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (filled.length > MAX_SHEET_ROWS + 1) throw refuse(`It has more than ${MAX_SHEET_ROWS.toLocaleString('en-US')} rows.`)
  return filled
}

/** 'A' to 'Z', 'AA' …: the letters of a column. */
export const toColumnLetters = (at: number): string =>
  (at >= 26 ? toColumnLetters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))
