import { Worker } from 'node:worker_threads'

import { Problem } from '../../contract/problem.ts'
import { MAX_FILE_BYTES } from './rules.ts'
import type { ThreadAnswer, ThreadTask } from './thread.server.ts'

export type DossierFiles = Extract<ThreadAnswer, { pdf: unknown }>

/** Enough for MAX_CHANGES; more than it is released by the garbage collector in between. */
const MAX_THREAD_MB = 192
const MAX_YOUNG_MB = 4
const MAX_THREAD_MS = 120_000

export const tooLarge = (): Problem => new Problem(422, 'The dossier would be too large. Choose a shorter period or fewer parts.')

/** Draws a dossier in a thread, because it would delay all other requests; the memory is released afterward. */
export const writeFiles = (task: ThreadTask, onProgress: (progress: number) => void, stopping: AbortSignal): Promise<DossierFiles> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('thread.server.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
    })
    const end = (): void => void worker.terminate()
    if (stopping.aborted) end()
    const timeout = setTimeout(end, MAX_THREAD_MS)
    stopping.addEventListener('abort', end, { once: true })
    worker.on('message', (answer: ThreadAnswer) => {
      if ('progress' in answer) onProgress(answer.progress)
      else if (answer.pdf.length > MAX_FILE_BYTES || answer.zip.length > MAX_FILE_BYTES) reject(tooLarge())
      else resolve(answer)
      if ('pdf' in answer) end()
    })
    worker.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error))
    worker.once('exit', () => {
      clearTimeout(timeout)
      stopping.removeEventListener('abort', end)
      reject(new Error('It took too long'))
    })
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    worker.postMessage(task)
  })
