import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { UnreadableWorkbook, workbookRows } from '../../../platform/server/workbook-reader.ts'
import { delimitedRows, delimiterOf, type FileRow, LineTooLong } from './delimited.ts'
import { ImportMistake } from './mistake.ts'

/** A file that was looked at: what it is, and its rows, which can be read more than once. */
export interface DirectoryFile {
  readonly name: string
  readonly kind: string
  /** True where a row ends with its last filled cell, as a workbook's does. */
  readonly ragged: boolean
  rows(): AsyncGenerator<FileRow>
  /** Throws where the file is no longer the one that was opened. */
  checkUnchanged(): Promise<void>
}

const MOST_WORKBOOK_BYTES = 209_715_200
const DELIMITER_NAMES = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' } as const

const startsWith = (bytes: Uint8Array, ...magic: number[]): boolean => magic.every((byte, at) => bytes[at] === byte)

async function* decoded(path: string, encoding: string, fatal = false): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal })
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** UTF-16 by its mark; UTF-8 where all of it is valid, Windows-1252 otherwise. A file with a zero byte is no text at all. */
const encodingOf = async (path: string, head: Uint8Array): Promise<string | undefined> => {
  if (startsWith(head, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(head, 0xfe, 0xff)) return 'utf-16be'
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) if (chunk.includes(0)) return undefined
  try {
    for await (const text of decoded(path, 'utf-8', true)) void text
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

const readable = async <T>(path: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new ImportMistake(`There is no file ${path}`)
    if (code === 'EACCES' || code === 'EPERM') throw new ImportMistake(`${path} may not be read by this user`)
    if (code !== undefined) throw new ImportMistake(`${path} cannot be read: ${(error as Error).message}`)
    throw error
  }
}

/** Looks at a file by what is in it, not by its name: delimited text or an XLSX workbook. */
export const openDirectoryFile = async (path: string): Promise<DirectoryFile> => {
  const name = basename(path)
  const known = await readable(path, () => stat(path))
  if (known.isDirectory()) throw new ImportMistake(`${path} is a folder, not a file`)
  if (!known.isFile()) throw new ImportMistake(`${path} is not an ordinary file`)
  if (known.size === 0) throw new ImportMistake(`${path} is empty`)
  const head = await readable(path, async () => {
    const file = await open(path)
    try {
      return (await file.read(new Uint8Array(65_536), 0, 65_536, 0)).buffer.subarray(0, Math.min(known.size, 65_536))
    } finally {
      await file.close()
    }
  })
  const checkUnchanged = async (): Promise<void> => {
    const now = await readable(path, () => stat(path))
    if (now.size !== known.size || now.mtimeMs !== known.mtimeMs) throw new ImportMistake(`${path} was changed while it was being read`)
  }

  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw new ImportMistake(`${path} is an old Excel file (.xls) or protected by a password: save it as .xlsx or .csv without one`)
  }
  if (startsWith(head, 0x50, 0x4b)) {
    if (known.size > MOST_WORKBOOK_BYTES) throw new ImportMistake(`${path} is larger than 200 MB: save it as .csv`)
    const bytes = await readable(path, () => readFile(path))
    return {
      name,
      kind: 'Excel workbook, first sheet',
      ragged: true,
      checkUnchanged,
      async *rows() {
        try {
          yield* workbookRows(bytes)
        } catch (error) {
          if (error instanceof UnreadableWorkbook) throw new ImportMistake(`${path} cannot be read as an Excel workbook: ${error.message}`)
          throw error
        }
      },
    }
  }

  const encoding = await readable(path, () => encodingOf(path, head))
  if (encoding === undefined) throw new ImportMistake(`${path} is neither delimited text (CSV) nor an Excel workbook (.xlsx)`)
  const delimiter = delimiterOf(new TextDecoder(encoding).decode(head).trimStart())
  return {
    name,
    kind: `text in ${encoding === 'windows-1252' ? 'Windows-1252' : encoding.toUpperCase()}, separated by ${DELIMITER_NAMES[delimiter]}`,
    ragged: false,
    checkUnchanged,
    async *rows() {
      try {
        yield* delimitedRows(decoded(path, encoding), delimiter)
      } catch (error) {
        if (error instanceof LineTooLong) throw new ImportMistake(`${path} is no directory: ${error.message}`)
        throw error
      }
    },
  }
}
