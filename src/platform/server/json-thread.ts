import { parentPort } from 'node:worker_threads'

import { hasTooManyValues } from './json-values.ts'

/** The thread's result for a body: its value, or an error. */
export type ThreadResult =
  | { readonly value: unknown }
  | { readonly wrong: 'too many values' }
  | { readonly wrong: 'broken'; readonly detail: string }

const parseInThread = (bytes: Uint8Array): ThreadResult => {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  if (hasTooManyValues(json)) return { wrong: 'too many values' }
  try {
    return { value: JSON.parse(json) }
  } catch (error) {
    return { wrong: 'broken', detail: error instanceof Error ? error.message : String(error) }
  }
}

// oxlint-disable-next-line require-post-message-target-origin -- a port of a thread, not a window
parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(parseInThread(bytes)))
