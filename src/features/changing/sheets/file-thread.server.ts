import { parentPort } from 'node:worker_threads'

import { type WriteOptions, writeXlsx } from 'hucre/xlsx'

import { styleColumns } from './column-styles.server.ts'
import { type FileFacts, type FileRow, openFile, type OpenedFile, UnreadableSheet } from './read-file.server.ts'

/** The first task of a thread opens a file or writes a workbook; each further one asks for the next rows of the file. */
export type ThreadTask = { readonly open: Uint8Array } | { readonly write: WriteOptions } | NextRows
/** With the indexes of the columns to read. */
interface NextRows {
  readonly columns: readonly number[]
}

/** A row with its cells as JSON: transferring one text costs a fraction of forty texts. */
export interface PackedRow extends Omit<FileRow, 'cells'> {
  readonly json: string
}

export interface RowBatch {
  readonly rows: readonly PackedRow[]
  readonly isLast: boolean
}
/** The answers, one to each task. */
export type ThreadAnswer = { readonly facts: FileFacts } | RowBatch | { readonly written: Uint8Array } | { readonly unreadable: string }

/** Receiving more at once would delay other requests. */
const BATCH_ROWS = 100
const BATCH_CHARACTERS = 1_048_576

let file: OpenedFile | undefined
let body: AsyncGenerator<FileRow> | undefined

const openBody = (columns: readonly number[]): AsyncGenerator<FileRow> | undefined => {
  const asked = new Set(columns)
  return file?.rows((column) => asked.has(column))
}

const readBatch = async (columns: readonly number[]): Promise<RowBatch> => {
  body ??= openBody(columns)
  const rows: PackedRow[] = []
  for (let characters = 0; rows.length < BATCH_ROWS && characters < BATCH_CHARACTERS;) {
    const next = await body?.next()
    if (next === undefined || next.done) return { rows, isLast: true }
    const { cells, ...row } = next.value
    const json = JSON.stringify(cells)
    characters += json.length
    rows.push({ ...row, json })
  }
  return { rows, isLast: false }
}

const writeStyled = async (options: WriteOptions): Promise<Uint8Array> => {
  const bytes = await writeXlsx(options)
  const [first] = options.sheets
  return first ? styleColumns(bytes, first) : bytes
}

const run = async (task: ThreadTask): Promise<ThreadAnswer> => {
  try {
    if ('write' in task) return { written: await writeStyled(task.write) }
    if ('columns' in task) return await readBatch(task.columns)
    file = await openFile(task.open)
    return { facts: file.facts }
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error
    return { unreadable: error.message }
  }
}

parentPort?.on('message', async (task: ThreadTask) => {
  // oxlint-disable-next-line require-post-message-target-origin -- a port of a thread, not a window
  parentPort?.postMessage(await run(task))
})
