import {
  openWorkbook,
  type SheetMarks,
  toColumnLetters,
  UnreadableWorkbook,
  type Workbook,
} from '../../../platform/server/workbook-reader.ts'
import { ID_FIELD, MAX_SHEET_ROWS } from './sheet-format.ts'

/** A row of a file, with its number in the sheet. */
export interface FileRow {
  readonly line: number
  readonly cells: readonly string[]
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

/** The data of a file besides its rows. */
export interface FileFacts {
  readonly origin: FileOrigin | null
  /** The cells with a formula, and those that a merged cell covers. */
  readonly formulas: readonly string[]
  readonly merged: readonly string[]
  /** Whether its day numbers count from 1904. */
  readonly is1904: boolean
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
const MAX_COLUMNS = 300
const MAX_MERGED_CELLS = 10_000

/** The first bytes of a ZIP file, such as a workbook, and of old formats and encrypted workbooks. */
const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b
const isCompoundFile = (bytes: Uint8Array): boolean => bytes[0] === 0xd0 && bytes[1] === 0xcf
const isUtf16 = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xfe

const toColumnNumber = (letters: string): number => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** UTF-16 if there is a byte order mark, UTF-8 if all of it is valid, otherwise Windows-1252, which Excel writes in the United States. */
const decode = (bytes: Uint8Array): string => {
  if (isUtf16(bytes)) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const isFilled = ({ cells }: FileRow): boolean => cells.some((cell) => cell.trim() !== '')

/** The delimiter next to the identifier's header; undefined if there is none, so that the library guesses it. */
const findDelimiter = (text: string): string | undefined =>
  /(?:^|[,;\t|"])_id"?([,;\t|])|([,;\t|])"?_id"?\r?\n/.exec(text.slice(0, 100_000))?.slice(1).find(Boolean)

const readCsv = async (bytes: Uint8Array): Promise<FileRow[]> => {
  const { parseCsv } = await import('hucre/csv')
  if (bytes.includes(0) && !isUtf16(bytes)) throw new UnreadableSheet(UNREADABLE)
  const text = decode(bytes)
  const delimiter = findDelimiter(text)
  return parseCsv(text, delimiter === undefined ? {} : { delimiter }).map((cells, at) => ({
    line: at + 1,
    cells: cells.map((cell) => (cell === null ? '' : String(cell))),
  }))
}

/** The cells of a merged range except the first. */
const listCovered = (range: string): string[] => {
  const [, from = '', fromRow = '', to = '', toRow = ''] = /^([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)$/.exec(range) ?? []
  const [left, right] = [toColumnNumber(from), Math.min(toColumnNumber(to), MAX_COLUMNS)]
  const covered: string[] = []
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

async function* readRows(workbook: Workbook, sheet: string | undefined, marks?: SheetMarks): AsyncGenerator<FileRow> {
  for await (const row of workbook.rows(sheet, marks))
    if (isFilled(row)) yield row.cells.length > MAX_COLUMNS ? { ...row, cells: row.cells.slice(0, MAX_COLUMNS) } : row
}

const readFirstRows = async (workbook: Workbook, sheet: string | undefined, most: number): Promise<FileRow[]> => {
  const rows: FileRow[] = []
  for await (const row of readRows(workbook, sheet)) {
    rows.push(row)
    if (rows.length >= most) break
  }
  return rows
}

/** The header is one of this many first rows. */
export const HEADER_ROWS = 20
/** The index of the header: the first row that contains the identifier's header. */
export const findHeader = (rows: readonly FileRow[]): number =>
  rows.slice(0, HEADER_ROWS).findIndex(({ cells }) => cells.some((cell) => cell.trim().toLowerCase() === ID_HEADER))

const toOrigin = (rows: readonly FileRow[]): FileOrigin | null => {
  const values = new Map(rows.map(({ cells }) => [cells[0] ?? '', cells[1] ?? '']))
  const [kind, downloadedAt] = [values.get('kind'), values.get('downloadedAt')]
  if (kind === undefined || downloadedAt === undefined || Number.isNaN(Date.parse(downloadedAt))) return null
  const list = (name: string) => rows.flatMap(({ cells }) => (cells[0] === name && cells[1] ? [cells[1]] : []))
  return { kind, downloadedAt, records: list('record'), columns: list('column') }
}

type TakeRow = (row: FileRow) => void

const readWorkbook = async (bytes: Uint8Array, take: TakeRow): Promise<FileFacts> => {
  const workbook = await openWorkbook(bytes)
  const { sheets, parts, is1904 } = workbook
  if (parts.some((name) => /vbaProject\.bin$/i.test(name)))
    throw new UnreadableSheet('This file has macros. Save it in Excel as .xlsx, which has none, and drop it again.')
  if (parts.some((name) => /^xl\/externalLinks\//i.test(name)))
    throw new UnreadableSheet('This file links to other workbooks. Break the links in Excel, save it and drop it again.')
  const origin = sheets.includes(ORIGIN_SHEET) ? toOrigin(await readFirstRows(workbook, ORIGIN_SHEET, MAX_SHEET_ROWS * 2)) : null
  const candidates = sheets.length > 1 ? sheets.filter((name) => name !== ORIGIN_SHEET) : sheets
  let [chosen] = candidates
  // Its sheets may have been reordered since the download.
  for (const sheet of candidates.slice(0, HEADER_ROWS))
    if (findHeader(await readFirstRows(workbook, sheet, HEADER_ROWS)) !== -1) {
      chosen = sheet
      break
    }
  const marks: SheetMarks = { formulas: [], merged: [] }
  for await (const row of readRows(workbook, chosen, marks)) take(row)
  return { origin, is1904, formulas: marks.formulas, merged: listAllCovered(marks.merged) }
}

/** Reads a workbook or a CSV file row by row, and returns its other data; throws `UnreadableSheet` for any other file. */
export const readFile = async (bytes: Uint8Array, take: TakeRow): Promise<FileFacts> => {
  if (isCompoundFile(bytes))
    throw new UnreadableSheet(
      'This file is an old Excel file or protected by a password. Save it in Excel as .xlsx without one and drop it again.',
    )
  let count = 0
  const takeCounted: TakeRow = (row) => {
    if (++count > MAX_SHEET_ROWS + 1) throw new UnreadableSheet(TOO_MANY_ROWS)
    take(row)
  }
  try {
    if (isZip(bytes)) return await readWorkbook(bytes, takeCounted)
    for (const row of await readCsv(bytes)) if (isFilled(row)) takeCounted(row)
    return { origin: null, formulas: [], merged: [], is1904: false }
  } catch (error) {
    if (error instanceof UnreadableWorkbook && error.message.includes('unpacks to'))
      throw new UnreadableSheet(`This file cannot be read: ${error.message}.`, { cause: error })
    if (error instanceof UnreadableWorkbook) throw new UnreadableSheet(UNREADABLE, { cause: error })
    throw error
  }
}
