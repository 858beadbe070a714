import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createSpooledStream } from './spooled-stream.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spooled-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

const PARTS = Array.from({ length: 100 }, (_, at) => `${at},`.repeat(3000))
const WHOLE = PARTS.join('')

/** A stream of `WHOLE`, and how often it was generated; the first generation fails before the part `failsAt`. */
const createStream = ({ failsAt = -1 } = {}) => {
  let generated = 0
  const stream = createSpooledStream(async function* generate() {
    const isFirst = generated++ === 0
    for (const [at, part] of PARTS.entries()) {
      if (isFirst && at === failsAt) throw new Error('No space left on the device')
      yield Buffer.from(part)
    }
  })
  return { stream, count: () => generated }
}

/** Copies each chunk, which is valid only until the next one is requested. */
const read = async (chunks: AsyncIterable<Buffer>): Promise<string> => {
  const copies: Buffer[] = []
  for await (const chunk of chunks) copies.push(Buffer.from(chunk))
  return Buffer.concat(copies).toString()
}

test('bytes are generated once for everyone who asks for them at the same time or soon after', async () => {
  const { stream, count } = createStream()
  const found = await Promise.all([read(stream(folder)), read(stream(folder)), read(stream(folder))])
  expect(found.map((text) => text === WHOLE)).toEqual([true, true, true])
  expect((await read(stream(folder))) === WHOLE).toBe(true)
  expect(count()).toBe(1)
})

test('the file goes once nobody has asked for a while, but never while someone is reading', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { stream, count } = createStream()
  const slow = stream(folder)
  const { value: first } = (await slow.next()) as { value: Buffer }
  const start = first.toString()
  await read(stream(folder))
  vi.advanceTimersByTime(60_000)
  expect(start + (await read(slow)) === WHOLE).toBe(true)
  expect(count()).toBe(1)
  vi.advanceTimersByTime(60_000)
  await read(stream(folder))
  expect(count()).toBe(2)
})

test('a client that stops reading does not keep the file', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { stream, count } = createStream()
  for await (const _chunk of stream(folder)) break
  vi.advanceTimersByTime(60_000)
  await read(stream(folder))
  expect(count()).toBe(2)
})

test('a disk that becomes full, or a folder that cannot be written, breaks nothing off', async () => {
  const full = createStream({ failsAt: 60 })
  expect((await read(full.stream(folder))) === WHOLE).toBe(true)
  const file = join(folder, 'not a folder')
  await writeFile(file, '')
  expect((await read(createStream().stream(file))) === WHOLE).toBe(true)
})
