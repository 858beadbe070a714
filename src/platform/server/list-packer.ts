import { Worker } from 'node:worker_threads'

import type { PartResult, PartTask } from './list-thread.ts'

type Packed = Extract<PartResult, { part: unknown }>
interface Waiter {
  readonly resolve: (result: Packed) => void
  readonly reject: (error: unknown) => void
}

/** Compresses parts of lists in a thread, which starts with the first one: other requests do not wait for it. */
class ListPacker {
  readonly #waiters = new Map<number, Waiter>()
  #worker: Worker | undefined
  #tasks = 0

  pack(task: Omit<PartTask, 'id'>): Promise<Packed> {
    return new Promise((resolve, reject) => {
      const id = ++this.#tasks
      this.#waiters.set(id, { resolve, reject })
      // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
      this.#started().postMessage({ id, ...task } satisfies PartTask)
    })
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('list-thread.ts', import.meta.url))
    worker.on('message', (result: PartResult) => {
      const waiter = this.#waiters.get(result.id)
      this.#waiters.delete(result.id)
      if ('error' in result) waiter?.reject(result.error)
      else waiter?.resolve(result)
    })
    const end = (error: unknown): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      for (const { reject } of this.#waiters.values()) reject(error)
      this.#waiters.clear()
    }
    worker.on('error', end)
    worker.on('exit', (code) => end(new Error(`The thread that compresses lists ended with code ${code}`)))
    worker.unref()
    this.#worker = worker
    return worker
  }
}

export const listPacker = new ListPacker()
