import { LineTooLong, parseRows } from '../../platform/server/delimited.ts'
import { ImportError } from '../../platform/server/import-error.ts'
import type { ImportedTable } from '../../platform/server/importer.ts'
import { decodeChunks, detectEncoding } from '../../platform/server/text-encoding.ts'
import { createTimeSlices } from '../../platform/server/time-slices.ts'
import { openWorkbook } from '../../platform/server/workbook-reader.ts'
import { FORMULA_WITHOUT_VALUE } from './cell-problems.ts'
import { guessColumns, scoreHeader } from './guess-columns.server.ts'
import { IMPORT_KINDS, type ImportKind } from './import-kinds.ts'

const MAX_ROWS = 20_000
const MAX_COLUMNS = 200
const MAX_SHEETS = 20
/** The limit of all texts that are read, which is several times what the largest network has. */
const MAX_CHARACTERS = 67_108_864
/** The rows that are searched for the header. */
const HEADER_ROWS = 30

interface RawRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly error?: string | undefined
}
interface RawSheet {
  readonly name: string | null
  readonly rows: AsyncIterable<RawRow>
}

async function* toChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** The delimiter of a text: the one that divides most of its first lines, because titles above the header have none. */
const findDelimiter = (text: string): string => {
  const lines = text
    .split(/\r\n|\n|\r/)
    .slice(0, HEADER_ROWS)
    .map((line) => line.replace(/"[^"]*"/g, ''))
  const count = (delimiter: string) => Math.max(...lines.map((line) => line.split(delimiter).length))
  return [',', ';', '\t', '|'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

async function* readCsv(bytes: Uint8Array): AsyncGenerator<RawRow> {
  const encoding = await detectEncoding(() => toChunks(bytes))
  if (encoding === undefined) throw new ImportError('This file is neither a workbook (.xlsx) nor a text with columns (.csv)')
  const start = new TextDecoder(encoding).decode(bytes.subarray(0, 65_536))
  let line = 0
  try {
    for await (const { cells, error } of parseRows(decodeChunks(toChunks(bytes), encoding), findDelimiter(start)))
      yield { line: ++line, cells, error }
  } catch (error) {
    throw error instanceof LineTooLong ? new ImportError(`This file is not a table: ${error.message}`) : error
  }
}

const openSheets = async (bytes: Uint8Array): Promise<RawSheet[]> => {
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw new ImportError('This file is an old Excel file or protected by a password. Save it in Excel as .xlsx without one.')
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return [{ name: null, rows: readCsv(bytes) }]
  const workbook = await openWorkbook(bytes)
  async function* rowsOf(sheet: string): AsyncGenerator<RawRow> {
    for await (const { line, cells, formulas, shown } of workbook.rows(sheet, (column) => column < MAX_COLUMNS)) {
      for (const column of formulas) if ((cells[column] ?? '') === '') cells[column] = FORMULA_WITHOUT_VALUE
      // A number with leading zeros by its format: what people see.
      for (const [column, text] of Object.entries(shown ?? {})) if (/^0\d+$/.test(text)) cells[Number(column)] = text
      yield { line, cells }
    }
  }
  return workbook.sheets.slice(0, MAX_SHEETS).map((name) => ({ name, rows: rowsOf(name) }))
}

const isFilled = (cell: string): boolean => cell.trim() !== ''
const countFilled = ({ cells }: RawRow): number => cells.filter(isFilled).length

const tooManyRows = (maxRows: number): ImportError =>
  new ImportError(
    `This file has more than ${maxRows.toLocaleString('en-US')} rows. Split it${maxRows === MAX_ROWS ? ', or use the command "homeroom import"' : ''}.`,
  )

/** All filled rows of a sheet, up to the limits. */
const readRows = async ({ rows }: RawSheet, memory: { characters: number }, maxRows: number): Promise<RawRow[]> => {
  const rest = createTimeSlices()
  const read: RawRow[] = []
  for await (const row of rows) {
    await rest()
    const cells = row.cells.slice(0, MAX_COLUMNS)
    if (!cells.some(isFilled) && row.error === undefined) continue
    for (const cell of cells) memory.characters += cell.length
    if (memory.characters > MAX_CHARACTERS || read.length > maxRows + HEADER_ROWS) throw tooManyRows(maxRows)
    read.push({ line: row.line, cells, error: row.error })
  }
  return read
}

/** Words that begin rows with totals and notes. */
const NOTE =
  /^(?:grand total|sub-?totals?|totals?|count|sum|average|source|notes?|updated|last updated|as of|prepared by|page \d|end of|printed|generated|report|\*)(?![a-z])/i

/** Whether a row below the header is a total, a note or the name of a group instead of a record. */
const isNote = (row: RawRow, width: number): boolean => {
  const filled = countFilled(row)
  const first = row.cells.find(isFilled)?.trim() ?? ''
  return (NOTE.test(first) && filled <= Math.max(2, width / 2)) || (width >= 3 && filled === 1 && /\p{L}/u.test(first))
}

/** In a text file whose rows have as many cells as the header, another number of cells means that they are in wrong columns. */
const refuseOtherWidths = (rows: RawRow[], width: number): void => {
  if (rows.filter(({ cells }) => cells.length === width).length * 2 < rows.length) return
  for (const [n, row] of rows.entries())
    if (row.error === undefined && (row.cells.length < width || row.cells.slice(width).some(isFilled)))
      rows[n] = { ...row, error: `The row has ${row.cells.length} columns, the header has ${width}` }
}

interface ReadSheet {
  readonly name: string | null
  readonly rows: readonly RawRow[]
}
const readSheets = async (bytes: Uint8Array, maxRows: number): Promise<ReadSheet[]> => {
  const memory = { characters: 0 }
  const sheets: ReadSheet[] = []
  for (const sheet of await openSheets(bytes)) sheets.push({ name: sheet.name, rows: await readRows(sheet, memory, maxRows) })
  return sheets
}

/** The sheet, the header and the rows of a file that look most like records of a kind. */
const findTable = (sheets: readonly ReadSheet[], kind: ImportKind, maxRows: number): ImportedTable => {
  let best: { readonly sheet: string | null; readonly at: number; readonly rows: readonly RawRow[]; readonly score: number } | undefined
  for (const { name, rows } of sheets)
    for (const [at, { cells }] of rows.slice(0, HEADER_ROWS).entries()) {
      const below = rows.slice(at + 1, at + 51)
      const score =
        scoreHeader(
          kind,
          cells,
          below.map((row) => row.cells),
        ) +
        Math.min(below.length, 10) / 100
      if (best === undefined || score > best.score) best = { sheet: name, at, rows, score }
    }
  const head = best?.rows[best.at]
  if (!best || !head) throw new ImportError('This file is empty')
  const width = head.cells.findLastIndex(isFilled) + 1
  const titled = head.cells.filter(isFilled).length
  const isHeaderAgain = ({ cells }: RawRow) => head.cells.every((cell, at) => cell.trim() === (cells[at] ?? '').trim())
  const [rows, skipped]: [RawRow[], number[]] = [[], []]
  for (const row of best.rows.slice(best.at + 1)) {
    if (row.error === undefined && (isNote(row, titled) || isHeaderAgain(row))) skipped.push(row.line)
    else rows.push(row)
  }
  if (rows.length === 0) throw new ImportError('This file has a header and no rows below it')
  if (rows.length > maxRows) throw tooManyRows(maxRows)
  if (best.sheet === null) refuseOtherWidths(rows, head.cells.length)
  const columns = Math.max(width, ...rows.slice(0, 200).map(({ cells }) => cells.findLastIndex(isFilled) + 1))
  return {
    sheet: best.sheet,
    headerLine: head.line,
    headers: Array.from({ length: columns }, (_, at) => (head.cells[at] ?? '').replace(/\s+/g, ' ').trim().slice(0, 200)),
    rows,
    skipped,
  }
}

/** The table of a file that looks most like records of the given kind. */
export const readTable = async (bytes: Uint8Array, kind: ImportKind, maxRows = MAX_ROWS): Promise<ImportedTable> =>
  findTable(await readSheets(bytes, maxRows), kind, maxRows)

/** A file whose columns fit less than this looks like no kind. */
const MIN_FIT = 1.5
/** What a kind counts whose rows would lack what they need. */
const INCOMPLETE = 0.5

/** The kind whose fields the columns of a file fill best; undefined if it looks like none. */
export const guessKind = async (bytes: Uint8Array, kinds: readonly ImportKind[]): Promise<ImportKind | undefined> => {
  const sheets = await readSheets(bytes, MAX_ROWS)
  const fits = kinds.map((kind) => {
    const { headers, rows } = findTable(sheets, kind, MAX_ROWS)
    const columns = guessColumns(kind, headers, rows)
    const fit = columns.reduce((sum, { field, confidence }) => sum + (field === null ? 0 : confidence), 0)
    const isWhole = Object.entries(IMPORT_KINDS[kind]).every(
      ([key, { isRequired }]) => !isRequired || columns.some(({ field }) => field === key),
    )
    return { kind, fit: isWhole ? fit : fit * INCOMPLETE }
  })
  const best = fits.reduce((one, other) => (other.fit > one.fit ? other : one))
  return best.fit < MIN_FIT ? undefined : best.kind
}
