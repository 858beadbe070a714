import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { parseRows, detectDelimiter, type FileRow, LineTooLong } from '../../platform/server/delimited.ts'
import { getErrorCode } from '../../platform/server/error-code.ts'
import { decodeChunks, detectEncoding } from '../../platform/server/text-encoding.ts'
import {
  describeLongCell,
  MAX_CELL_LENGTH,
  openWorkbook,
  toColumnLetters,
  UnreadableWorkbook,
  type Workbook,
} from '../../platform/server/workbook-reader.ts'
import { FORMULA_WITHOUT_VALUE } from './cell-problems.ts'
import { ImportError } from './import-error.ts'
import type { ImportHeader } from './import-header.ts'

/** A detected file: its format and its rows, which can be read more than once. */
export interface DirectoryFile {
  readonly name: string
  readonly kind: string
  /** Whether a row ends with its last filled cell, as in a workbook. */
  readonly isRagged: boolean
  rows(): AsyncGenerator<FileRow>
  /** Throws if the file is no longer the one that was opened. */
  assertUnchanged(): Promise<void>
}

const MAX_WORKBOOK_BYTES = 52_428_800
const DELIMITER_NAMES = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' } as const

const startsWith = (bytes: Uint8Array, ...magic: number[]): boolean => magic.every((byte, at) => bytes[at] === byte)

const withReadErrors = async <T>(path: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    const code = getErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new ImportError(`There is no file ${path}`)
    if (code === 'EACCES' || code === 'EPERM') throw new ImportError(`${path} may not be read by this user`)
    if (code !== '') throw new ImportError(`${path} cannot be read: ${(error as Error).message}`)
    throw error
  }
}

/** The rows of the first sheet, with a mark in each cell whose formula has no stored value: it is not an empty cell. */
async function* markFormulas(workbook: Workbook): AsyncGenerator<FileRow> {
  for await (const row of workbook.rows()) {
    for (const column of row.formulas) if ((row.cells[column] ?? '') === '') row.cells[column] = FORMULA_WITHOUT_VALUE
    yield row
  }
}

/** Refuses a row with a longer cell than a workbook can have. */
const refuseLongCell = (row: FileRow): FileRow => {
  const column = row.cells.findIndex((cell) => cell.length > MAX_CELL_LENGTH)
  if (column === -1) return row
  const cells = row.cells.map((cell) => cell.slice(0, MAX_CELL_LENGTH))
  return { ...row, cells, error: `The ${describeLongCell(`${toColumnLetters(column)}${row.line}`)}` }
}

/** Detects the format by content, not by name: delimited text or an XLSX workbook. */
export const openDirectoryFile = async (path: string): Promise<DirectoryFile> => {
  const name = basename(path)
  const known = await withReadErrors(path, () => stat(path))
  if (known.isDirectory()) throw new ImportError(`${path} is a folder, not a file`)
  if (!known.isFile()) throw new ImportError(`${path} is not an ordinary file`)
  if (known.size === 0) throw new ImportError(`${path} is empty`)
  const head = await withReadErrors(path, async () => {
    const file = await open(path)
    try {
      return (await file.read(new Uint8Array(65_536), 0, 65_536, 0)).buffer.subarray(0, Math.min(known.size, 65_536))
    } finally {
      await file.close()
    }
  })
  const checkUnchanged = async (): Promise<void> => {
    const now = await withReadErrors(path, () => stat(path))
    if (now.size !== known.size || now.mtimeMs !== known.mtimeMs) throw new ImportError(`${path} was changed while it was being read`)
  }

  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw new ImportError(`${path} is an old Excel file (.xls) or protected by a password: save it as .xlsx or .csv without one`)
  }
  if (startsWith(head, 0x50, 0x4b)) {
    if (known.size > MAX_WORKBOOK_BYTES) throw new ImportError(`${path} is larger than 50 MB: save it as .csv`)
    const bytes = await withReadErrors(path, () => readFile(path))
    return {
      name,
      kind: 'Excel workbook, first sheet',
      isRagged: true,
      assertUnchanged: checkUnchanged,
      async *rows() {
        try {
          yield* markFormulas(await openWorkbook(bytes))
        } catch (error) {
          if (error instanceof UnreadableWorkbook) throw new ImportError(`${path} cannot be read as an Excel workbook: ${error.message}`)
          throw error
        }
      },
    }
  }

  const readChunks = (): AsyncIterable<Buffer> => createReadStream(path)
  const encoding = await withReadErrors(path, () => detectEncoding(readChunks))
  if (encoding === undefined) throw new ImportError(`${path} is neither delimited text (CSV) nor an Excel workbook (.xlsx)`)
  const delimiter = detectDelimiter(new TextDecoder(encoding).decode(head).trimStart())
  return {
    name,
    kind: `text in ${encoding === 'windows-1252' ? 'Windows-1252' : encoding.toUpperCase()}, separated by ${DELIMITER_NAMES[delimiter]}`,
    isRagged: false,
    assertUnchanged: checkUnchanged,
    async *rows() {
      try {
        for await (const row of parseRows(decodeChunks(readChunks(), encoding), delimiter)) yield refuseLongCell(row)
      } catch (error) {
        if (error instanceof LineTooLong) throw new ImportError(`${path} is not a school directory: ${error.message}`)
        throw error
      }
    },
  }
}

/** The number of rows searched for the header; some directories begin with a title and a date. */
const MAX_HEADER_ROWS = 20

interface HeaderRules<Header> {
  readonly parse: (line: number, cells: readonly string[]) => Header
  readonly isHeader: (header: Header) => boolean
  readonly findError: (header: Header) => string | undefined
}

/** The header of a file: the first row that is one; without one, the fullest of the first rows is used to report what is missing. */
export const findHeader = async <Header extends ImportHeader<string>>(
  { file, path }: { readonly file: DirectoryFile; readonly path: string },
  { parse, isHeader, findError }: HeaderRules<Header>,
): Promise<Header> => {
  const countColumns = ({ columns }: Header): number => Object.keys(columns).length
  let best: Header | undefined
  let seen = 0
  for await (const row of file.rows()) {
    const header = parse(row.line, row.cells)
    const fits = isHeader(header)
    if (fits || (header.cells.length > 0 && (best === undefined || countColumns(header) > countColumns(best)))) best = header
    if (fits || ++seen === MAX_HEADER_ROWS) break
  }
  if (best === undefined) throw new ImportError(`${path} is empty`)
  const mistake = findError(best)
  if (mistake !== undefined) throw new ImportError(`${path} cannot be imported: ${mistake}`)
  return best
}

/** Whether a row is to be skipped: all its cells are blank. */
export const isBlankRow = ({ cells, error }: FileRow): boolean => error === undefined && cells.every((cell) => cell.trim() === '')

/** The cells of a row, as many as the header has. */
export const padCells = ({ isRagged }: DirectoryFile, { cells }: FileRow, header: ImportHeader<string>): readonly string[] =>
  isRagged && cells.length < header.cells.length
    ? [...cells, ...Array.from({ length: header.cells.length - cells.length }, () => '')]
    : cells
