import { detectDelimiter, LineTooLong, parseRows } from '../../../platform/server/delimited.ts'
import { decodeChunks, detectEncoding } from '../../../platform/server/text-encoding.ts'
import {
  describeLongCell,
  type IsAskedColumn,
  MAX_CELL_LENGTH,
  openWorkbook,
  OversizedWorkbook,
  toColumnLetters,
  UnreadableWorkbook,
  type Workbook,
} from '../../../platform/server/workbook-reader.ts'
import { ID_FIELD, MAX_SHEET_ROWS } from './sheet-format.ts'

/** A row of a file, with its number in the sheet. */
export interface FileRow {
  readonly line: number
  /** The texts of the columns that were asked for; others are empty. */
  readonly cells: readonly string[]
  /** The indexes of those with a formula. */
  readonly formulas: readonly number[]
  /** What cells show instead of their number, by index, and the indexes of those of which a part is struck through. */
  readonly shown?: Readonly<Record<number, string>>
  readonly struck?: readonly number[]
}

/** The origin of a file, as written by the download; a CSV file does not contain it. */
export interface FileOrigin {
  readonly kind: string
  readonly downloadedAt: string
  /** The records it had, to find missing rows. */
  readonly records: readonly string[]
  /** The paths of the columns it had, to find missing columns. */
  readonly columns: readonly string[]
}

/** The data of a file besides the rows below its header. */
export interface FileFacts {
  readonly origin: FileOrigin | null
  /** The row with the headers; null if none has the header of the identifier. */
  readonly head: FileRow | null
  /** The addresses of cells that a merged cell covers. */
  readonly merged: readonly string[]
  /** Whether its day numbers count from 1904. */
  readonly is1904: boolean
  /** Further sheets with records, such as a copy of the sheet: only one is read. */
  readonly unreadSheets: readonly string[]
}

/** An opened file: `rows` reads those below the header that have a value in a column that is asked for. */
export interface OpenedFile {
  readonly facts: FileFacts
  readonly rows: (isAsked: IsAskedColumn) => AsyncGenerator<FileRow>
}

/** The header of the column with the identifier, and of the one with the version that was downloaded. */
export const ID_HEADER = ID_FIELD
export const VERSION_HEADER = 'version'
/** The hidden sheet with the origin of a workbook. */
export const ORIGIN_SHEET = 'Homeroom'

/** A file that cannot be read; the message says what to do. */
export class UnreadableSheet extends Error {}

const UNREADABLE = 'This file cannot be read. Save it in Excel as .xlsx and drop it again.'
const TOO_MANY_ROWS = `This file has more than ${MAX_SHEET_ROWS.toLocaleString('en-US')} rows. Split it and drop one part after the other.`
export const TOO_MUCH_MEMORY = 'This file takes too much memory. Split it and drop one part after the other.'
/** The limit for the texts that are read, which is several times what the largest network has. */
const MAX_CHARACTERS = 67_108_864
export const MAX_COLUMNS = 300
const MAX_MERGED_CELLS = 10_000
/** Headers and identifiers are shorter. */
const MAX_HEADER_LENGTH = 300
/** The header is one of this many first rows, in one of this many first sheets. */
const HEADER_ROWS = 20

/** The first bytes of a ZIP file, such as a workbook, and of old formats and encrypted workbooks. */
const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b
const isCompoundFile = (bytes: Uint8Array): boolean => bytes[0] === 0xd0 && bytes[1] === 0xcf

const toColumnNumber = (letters: string): number => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const isFilled = ({ cells }: FileRow): boolean => cells.some((cell) => cell.trim() !== '')

/** The delimiter next to the identifier's header; undefined if there is none. */
const findDelimiter = (text: string): string | undefined =>
  /(?:^|[,;\t|"])_id"?([,;\t|])|([,;\t|])"?_id"?\r?\n/.exec(text)?.slice(1).find(Boolean)

const CHUNK_BYTES = 65_536
async function* toChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

/** A function that reads the rows of a CSV file. */
const openCsv = async (bytes: Uint8Array): Promise<OpenedFile['rows']> => {
  const encoding = await detectEncoding(() => toChunks(bytes))
  if (encoding === undefined) throw new UnreadableSheet(UNREADABLE)
  const start = new TextDecoder(encoding).decode(bytes.subarray(0, CHUNK_BYTES))
  const delimiter = findDelimiter(start) ?? detectDelimiter(start.trimStart())
  return async function* rows(isAsked) {
    let line = 0
    for await (const { cells, error } of parseRows(decodeChunks(toChunks(bytes), encoding), delimiter)) {
      // Numbered as a spreadsheet program does, which counts a row with line breaks once.
      line++
      if (error !== undefined) throw new UnreadableSheet(`This file cannot be read: row ${line}: ${error}.`)
      const asked = cells.slice(0, MAX_COLUMNS).map((cell, at) => (isAsked(at) ? cell : ''))
      const long = asked.findIndex((cell) => cell.length > MAX_CELL_LENGTH)
      if (long !== -1) throw new UnreadableSheet(`This file cannot be read: ${describeLongCell(`${toColumnLetters(long)}${line}`)}.`)
      yield { line, cells: asked, formulas: [] }
    }
  }
}

/** The cells of a merged range except the first. */
const listCovered = (range: string): string[] => {
  const [, from = '', fromRow = '', to = '', toRow = ''] = /^([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)$/.exec(range) ?? []
  const [left, right] = [toColumnNumber(from), Math.min(toColumnNumber(to), MAX_COLUMNS)]
  const covered: string[] = []
  if (left > right) return covered
  for (let row = Number(fromRow); row <= Number(toRow) && covered.length < MAX_MERGED_CELLS; row++)
    for (let column = left; column <= right; column++)
      if (row !== Number(fromRow) || column !== left) covered.push(`${toColumnLetters(column)}${row}`)
  return covered
}

const listAllCovered = (ranges: readonly string[]): string[] => {
  const covered: string[] = []
  for (const range of ranges) if (covered.length < MAX_MERGED_CELLS) covered.push(...listCovered(range))
  return covered
}

/** The header: the first row that contains the identifier's header. Its texts are cut. */
const findHead = async (rows: AsyncIterable<FileRow>): Promise<FileRow | null> => {
  let count = 0
  for await (const row of rows) {
    if (!isFilled(row)) continue
    if (row.cells.some((cell) => cell.trim().toLowerCase() === ID_HEADER))
      return { ...row, cells: row.cells.map((cell) => cell.slice(0, MAX_HEADER_LENGTH)) }
    if (++count === HEADER_ROWS) break
  }
  return null
}

const readOrigin = async (workbook: Workbook): Promise<FileOrigin | null> => {
  const values = new Map<string, string>()
  const lists = { record: [] as string[], column: [] as string[] }
  let count = 0
  for await (const { cells } of workbook.rows(ORIGIN_SHEET, (column) => column < 2)) {
    const [name = '', value = ''] = cells
    if (++count > MAX_SHEET_ROWS * 2) break
    if (value === '' || value.length > MAX_HEADER_LENGTH) continue
    if (name === 'record' || name === 'column') lists[name].push(value)
    else if (name === 'kind' || name === 'downloadedAt') values.set(name, value)
  }
  const [kind, downloadedAt] = [values.get('kind'), values.get('downloadedAt')]
  if (kind === undefined || downloadedAt === undefined || Number.isNaN(Date.parse(downloadedAt))) return null
  return { kind, downloadedAt, records: lists.record, columns: lists.column }
}

const openSheet = async (bytes: Uint8Array): Promise<OpenedFile> => {
  const workbook = await openWorkbook(bytes)
  const { sheets, parts, is1904 } = workbook
  if (parts.some((name) => /vbaProject\.bin$/i.test(name)))
    throw new UnreadableSheet('This file has macros. Save it in Excel as .xlsx, which has none, and drop it again.')
  if (parts.some((name) => /^xl\/externalLinks\//i.test(name)))
    throw new UnreadableSheet('This file links to other workbooks. Break the links in Excel, save it and drop it again.')
  const rowsOf = (sheet: string, isAsked: IsAskedColumn) => workbook.rows(sheet, (column) => column < MAX_COLUMNS && isAsked(column))
  const origin = sheets.includes(ORIGIN_SHEET) ? await readOrigin(workbook) : null
  const candidates = sheets.length > 1 ? sheets.filter((name) => name !== ORIGIN_SHEET) : sheets
  // Its sheets may have been reordered or copied since the download.
  const withRecords: { readonly sheet: string; readonly head: FileRow }[] = []
  for (const sheet of candidates.slice(0, HEADER_ROWS)) {
    const head = await findHead(rowsOf(sheet, () => true))
    if (head) withRecords.push({ sheet, head })
  }
  const [chosen, ...others] = withRecords
  if (!chosen) return { facts: { origin, is1904, head: null, merged: [], unreadSheets: [] }, rows: noRows }
  const { sheet, head } = chosen
  const merged = listAllCovered(await workbook.listMerged(sheet))
  const unreadSheets = others.map((other) => other.sheet)
  return { facts: { origin, is1904, head, merged, unreadSheets }, rows: (isAsked) => rowsOf(sheet, isAsked) }
}

async function* noRows(): AsyncGenerator<FileRow> {}

const openText = async (bytes: Uint8Array): Promise<OpenedFile> => {
  const rows = await openCsv(bytes)
  return { facts: { origin: null, is1904: false, head: await findHead(rows(() => true)), merged: [], unreadSheets: [] }, rows }
}

const toUnreadable = (error: unknown): unknown => {
  if (error instanceof OversizedWorkbook) return new UnreadableSheet(`This file cannot be read: ${error.message}.`, { cause: error })
  if (error instanceof LineTooLong) return new UnreadableSheet(`This file cannot be read: ${error.message}.`, { cause: error })
  return error instanceof UnreadableWorkbook ? new UnreadableSheet(UNREADABLE, { cause: error }) : error
}

/** Opens a workbook or a CSV file; throws `UnreadableSheet` for any other file. What its rows take in memory is limited while they are read. */
export const openFile = async (bytes: Uint8Array): Promise<OpenedFile> => {
  if (isCompoundFile(bytes))
    throw new UnreadableSheet(
      'This file is an old Excel file or protected by a password. Save it in Excel as .xlsx without one and drop it again.',
    )
  try {
    const { facts, rows } = await (isZip(bytes) ? openSheet(bytes) : openText(bytes))
    return { facts, rows: (isAsked) => limitRows(rows(isAsked), facts.head) }
  } catch (error) {
    throw toUnreadable(error)
  }
}

/** The filled rows below the header. */
async function* limitRows(rows: AsyncIterable<FileRow>, head: FileRow | null): AsyncGenerator<FileRow> {
  let isBelow = false
  let count = 0
  let characters = 0
  try {
    for await (const row of rows) {
      if (isBelow && isFilled(row)) {
        if (++count > MAX_SHEET_ROWS) throw new UnreadableSheet(TOO_MANY_ROWS)
        for (const cell of row.cells) characters += cell.length
        if (characters > MAX_CHARACTERS) throw new UnreadableSheet(TOO_MUCH_MEMORY)
        yield row
      }
      isBelow ||= row.line === head?.line
    }
  } catch (error) {
    throw toUnreadable(error)
  }
}
