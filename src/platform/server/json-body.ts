import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'

import type { FastifyInstance, FastifyRequest } from 'fastify'

import { invalidFields, Problem } from '../../contract/problem.ts'
import type { ThreadResult } from './json-thread.ts'
import { hasTooManyValues } from './json-values.ts'
import { readBody } from './read-body.ts'
import { Semaphore } from './semaphore.ts'

/** Bodies from this size on are parsed in a thread, since parsing would block other requests. */
const THREAD_BYTES = 256 * 1024
/** Bodies from this size on are parsed one at a time: many that arrive together would block other requests. */
const QUEUED_BYTES = 16 * 1024
/** The thread's memory limit in megabytes: a body of the largest size, as text and as values. */
const THREAD_MEMORY = 128

type Done = (error: Error | null, body?: unknown) => void

/** Parses large JSON in a thread that starts when the first body arrives; the caller sends one body at a time. */
class JsonThread {
  #worker: Worker | undefined
  #resolve: ((answer: ThreadResult | undefined) => void) | undefined

  /** Transfers the bytes, so the caller can no longer read them. Undefined if the thread ended while parsing. */
  read(bytes: Buffer<ArrayBuffer>): Promise<ThreadResult | undefined> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#started().postMessage(bytes, [bytes.buffer])
    })
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('json-thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY } })
    worker.on('message', (answer: ThreadResult) => this.#resolve?.(answer))
    const end = (): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#resolve?.(undefined)
    }
    worker.on('error', end)
    worker.on('exit', end)
    worker.unref()
    this.#worker = worker
    return worker
  }
}

const tooManyValuesError = (): Problem => invalidFields([{ path: '', message: 'Holds more values than any record has' }])

type Parse = (request: unknown, json: string) => unknown

const toValue = (answer: ThreadResult | undefined, request: unknown, parse: Parse): unknown => {
  if (answer === undefined) throw new Problem(400, 'The JSON is not valid')
  if ('value' in answer) return answer.value
  if (answer.wrong === 'too many values') throw tooManyValuesError()
  if (answer.wrong === 'broken') throw new Problem(400, 'The JSON is not valid', { detail: answer.detail })
  return parse(request, answer.json)
}

/** Reads JSON as Fastify does, but refuses bodies designed to exhaust memory, and parses large ones in a thread. */
export const readJsonBodies = (app: FastifyInstance): void => {
  const usual = app.getDefaultJsonParser('error', 'error') as (request: unknown, body: string, done: Done) => void
  const thread = new JsonThread()
  app.addHook('onClose', () => thread.stop())
  app.removeContentTypeParser('application/json')
  const semaphore = new Semaphore(1)
  /** One body at a time; the event loop serves other requests in between. */
  const inOrder = async (work: () => unknown): Promise<unknown> => {
    const release = await semaphore.acquire()
    try {
      return await work()
    } finally {
      setImmediate(release)
    }
  }
  const parse: Parse = (request, json) => {
    if (hasTooManyValues(json)) throw tooManyValuesError()
    let parsed: unknown
    usual(request, json, (error, value) => {
      if (error) throw error
      parsed = value
    })
    return parsed
  }
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const body = await readBody(request, payload)
    if (body.length >= THREAD_BYTES) return inOrder(() => thread.read(body).then((answer) => toValue(answer, request, parse)))
    if (body.length >= QUEUED_BYTES) return inOrder(() => parse(request, body.toString()))
    return parse(request, body.toString())
  })
}
