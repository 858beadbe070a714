import { parentPort } from 'node:worker_threads'

import { hasTooManyValues } from './json-values.ts'

/** The thread's result for a body: its value, or an error. */
export type ThreadResult =
  | { readonly value: unknown }
  | { readonly wrong: 'too many values' }
  | { readonly wrong: 'broken'; readonly detail: string }
  /** It has names that Fastify's parser has to look at. */
  | { readonly wrong: 'prototype keys'; readonly json: string }

/** Names that Fastify's parser refuses, since they could pollute prototypes. */
const PROTOTYPE_KEYS = ['"__proto__"', '"constructor"']

const parseInThread = (bytes: Uint8Array): ThreadResult => {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  if (hasTooManyValues(json)) return { wrong: 'too many values' }
  if (PROTOTYPE_KEYS.some((name) => json.includes(name))) return { wrong: 'prototype keys', json }
  try {
    return { value: JSON.parse(json) }
  } catch (error) {
    return { wrong: 'broken', detail: error instanceof Error ? error.message : String(error) }
  }
}

// oxlint-disable-next-line require-post-message-target-origin -- a port of a thread, not a window
parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(parseInThread(bytes)))
