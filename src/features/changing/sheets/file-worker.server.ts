import { Worker } from 'node:worker_threads'

import type { WriteOptions } from 'hucre/xlsx'

import { Semaphore } from '../../../platform/server/semaphore.ts'
import type { PackedRow, RowBatch, ThreadAnswer, ThreadTask } from './file-thread.server.ts'
import { type FileFacts, type FileRow, TOO_MUCH_MEMORY } from './read-file.server.ts'
import { refuseFile } from './refused-file.server.ts'

/** An opened file: its header, and the rows below it, which are read as they are asked for. */
export interface SheetFile extends FileFacts {
  /** The rows with a value in one of the columns, in batches, with the other columns empty. Called once. */
  readonly readRows: (columns: readonly number[]) => AsyncGenerator<readonly FileRow[]>
}

const unpackRow = ({ json, ...row }: PackedRow): FileRow => ({ ...row, cells: JSON.parse(json) as string[] })

/** The threads at a time: each has separate memory. */
const threads = new Semaphore(2)
/** Enough for a row with its tags; texts that many cells share are outside of the heap, with a limit of their own. */
const MAX_READING_MB = 64
const MAX_WRITING_MB = 256
const MAX_YOUNG_MB = 8
const MAX_THREAD_MS = 120_000

const files = new Semaphore(1)
/** Runs work on an uploaded file after that on earlier ones: what the files of several people take in memory would add up. */
export const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => files.run(work)

interface Thread {
  readonly ask: (task: ThreadTask) => Promise<ThreadAnswer>
  /** Releases its memory while the work continues without it. */
  readonly end: () => Promise<unknown>
}

/** Runs work with a separate thread, because a large file would delay all other requests. Its memory is released afterward. */
const withThread = async <T>(maxMegabytes: number, work: (thread: Thread) => Promise<T>): Promise<T> => {
  const release = await threads.acquire()
  const worker = new Worker(new URL('file-thread.server.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  })
  const failed = new Promise<never>((_, reject) => {
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuseFile(TOO_MUCH_MEMORY) : error),
    )
    worker.once('exit', () => reject(refuseFile('This file takes too long to read. Split it and drop one part after the other.')))
  })
  failed.catch(() => {})
  let remainingMs = MAX_THREAD_MS
  const ask: Thread['ask'] = async (task) => {
    const from = performance.now()
    const timeout = setTimeout(() => void worker.terminate(), remainingMs)
    const answered = new Promise<ThreadAnswer>((resolve) => worker.once('message', resolve))
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    worker.postMessage(task)
    try {
      return await Promise.race([answered, failed])
    } finally {
      clearTimeout(timeout)
      remainingMs -= performance.now() - from
    }
  }
  try {
    return await work({ ask, end: () => worker.terminate() })
  } finally {
    void worker.terminate().finally(release)
  }
}

/** The rows, of which the thread reads one batch ahead. */
async function* readBatches({ ask, end }: Thread, columns: readonly number[]): AsyncGenerator<readonly FileRow[]> {
  const askNext = async (): Promise<RowBatch> => {
    const answer = await ask({ columns })
    if ('unreadable' in answer) throw refuseFile(answer.unreadable)
    if (!('rows' in answer)) throw new Error('A thread answers with rows')
    return answer
  }
  let next = askNext()
  for (;;) {
    const { rows, isLast } = await next
    if (!isLast) {
      next = askNext()
      // Thrown when it is awaited.
      next.catch(() => {})
    } else await end()
    yield rows.map(unpackRow)
    if (isLast) return
  }
}

/** Opens a workbook or CSV file for as long as the work takes; throws 422 for any other file. */
export const withSheetFile = <T>(bytes: Uint8Array, work: (file: SheetFile) => Promise<T>): Promise<T> =>
  withThread(MAX_READING_MB, async (thread) => {
    const answer = await thread.ask({ open: bytes })
    if ('unreadable' in answer) throw refuseFile(answer.unreadable)
    if (!('facts' in answer)) throw new Error('A thread answers with the facts of a file')
    return work({ ...answer.facts, readRows: (columns) => readBatches(thread, columns) })
  })

/** The bytes of a workbook. */
export const writeSheetFile = (options: WriteOptions): Promise<Uint8Array> =>
  withThread(MAX_WRITING_MB, async ({ ask }) => {
    const answer = await ask({ write: options })
    if (!('written' in answer)) throw new Error('A thread answers with a workbook')
    return answer.written
  })
