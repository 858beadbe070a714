import { parentPort } from 'node:worker_threads'

import { type WriteOptions, writeXlsx } from 'hucre/xlsx'

import { type FileFacts, readFile, UnreadableSheet } from './read-file.server.ts'

/** The task of a thread: to read a file, or to write a workbook. */
export type ThreadTask = { readonly read: Uint8Array } | { readonly write: WriteOptions }

/** A row with its cells as JSON: transferring and storing one text costs a fraction of forty texts. */
export interface PackedRow {
  readonly line: number
  readonly json: string
}

/** The messages of a thread: rows in batches, so that receiving them never delays other requests for long, and then the end. */
export type ThreadAnswer =
  | { readonly rows: readonly PackedRow[] }
  | { readonly facts: FileFacts }
  | { readonly written: Uint8Array }
  | { readonly unreadable: string }

const BATCH_ROWS = 200

const run = async (task: ThreadTask, answer: (answer: ThreadAnswer) => void): Promise<void> => {
  if ('write' in task) return answer({ written: await writeXlsx(task.write) })
  let rows: PackedRow[] = []
  const send = (): void => {
    if (rows.length > 0) answer({ rows })
    rows = []
  }
  try {
    const facts = await readFile(task.read, ({ line, cells }) => {
      rows.push({ line, json: JSON.stringify(cells) })
      if (rows.length >= BATCH_ROWS) send()
    })
    send()
    answer({ facts })
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error
    answer({ unreadable: error.message })
  }
}

// oxlint-disable-next-line require-post-message-target-origin -- a port of a thread, not a window
parentPort?.once('message', (task: ThreadTask) => void run(task, (answer) => parentPort?.postMessage(answer)))
