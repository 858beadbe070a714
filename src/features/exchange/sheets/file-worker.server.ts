import { Worker } from 'node:worker_threads'

import type { WriteOptions } from 'hucre/xlsx'

import { Problem } from '../../../contract/problem.ts'
import { Semaphore } from '../../../platform/server/semaphore.ts'
import type { PackedRow, ThreadAnswer, ThreadTask } from './file-thread.server.ts'
import type { FileFacts, FileRow } from './read-file.server.ts'

export interface SheetFile extends FileFacts {
  readonly rows: readonly PackedRow[]
}

export const unpackRow = ({ line, json }: PackedRow): FileRow => ({ line, cells: JSON.parse(json) as string[] })

/** Files that are read or written concurrently: each needs a thread with separate memory. */
const threads = new Semaphore(2)
const MAX_THREAD_MB = 256
const MAX_THREAD_YOUNG_MB = 8
const MAX_THREAD_MS = 120_000

const refuse = (detail: string): Problem =>
  new Problem(422, 'This file cannot be read', { detail, errors: [{ path: 'file', message: detail }] })

/** Runs a task in a separate thread, because a large file would delay all other requests. Its memory is released afterward. */
const runInThread = async <T>(task: ThreadTask, take: (answer: ThreadAnswer) => T | undefined): Promise<T> => {
  const release = await threads.acquire()
  const worker = new Worker(new URL('file-thread.server.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MB, maxYoungGenerationSizeMb: MAX_THREAD_YOUNG_MB },
  })
  const timeout = setTimeout(() => void worker.terminate(), MAX_THREAD_MS)
  try {
    return await new Promise<T>((resolve, reject) => {
      worker.on('message', (answer: ThreadAnswer) => {
        try {
          const done = take(answer)
          if (done !== undefined) resolve(done)
        } catch (error) {
          reject(error)
        }
      })
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? refuse('This file takes too much memory. Split it and drop one part after the other.')
            : error,
        ),
      )
      worker.once('exit', () => reject(refuse('This file takes too long to read. Split it and drop one part after the other.')))
      // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
      worker.postMessage(task)
    })
  } finally {
    clearTimeout(timeout)
    void worker.terminate().finally(release)
  }
}

/** The non-empty rows of a workbook or CSV file; throws 422 for any other file. */
export const readSheetFile = (bytes: Uint8Array): Promise<SheetFile> => {
  const rows: PackedRow[] = []
  return runInThread<SheetFile>({ read: bytes }, (answer) => {
    if ('unreadable' in answer) throw refuse(answer.unreadable)
    if ('rows' in answer) rows.push(...answer.rows)
    return 'facts' in answer ? { rows, ...answer.facts } : undefined
  })
}

/** The bytes of a workbook. */
export const writeSheetFile = (options: WriteOptions): Promise<Uint8Array> =>
  runInThread<Uint8Array>({ write: options }, (answer) => ('written' in answer ? answer.written : undefined))
