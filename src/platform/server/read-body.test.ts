import { Readable } from 'node:stream'
import { setImmediate as nextLoop } from 'node:timers/promises'

import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'

import { readBody } from './read-body.ts'

const LIMIT = 200_000
const read = (chunks: Iterable<Buffer>, length?: number): Promise<Buffer> => {
  const headers = length === undefined ? {} : { 'content-length': String(length) }
  const request = { headers, raw: Readable.from(chunks), routeOptions: { bodyLimit: LIMIT } } as unknown as FastifyRequest
  return readBody(request)
}
const letters = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => Buffer.alloc(1000, 97 + (at % 26)))

test.each([0, 1, 65, 200])('%i chunks arrive whole, with and without a declared length', async (count) => {
  const chunks = letters(count)
  const whole = Buffer.concat(chunks)
  expect((await read(chunks, whole.length)).equals(whole)).toBe(true)
  expect((await read(chunks)).equals(whole)).toBe(true)
})

test('a body that is larger than allowed is refused, whether it says so or not', async () => {
  const refused = { statusCode: 413 }
  await expect(read(letters(1), LIMIT + 1)).rejects.toMatchObject(refused)
  await expect(read(letters(201))).rejects.toMatchObject(refused)
})

test('a body that breaks off is refused', async () => {
  const breakOff = function* () {
    yield Buffer.from('{')
    throw new Error('aborted')
  }
  await expect(read(breakOff(), 100)).rejects.toMatchObject({ message: 'aborted', statusCode: 400 })
})

test('bodies that arrive together leave turns to other requests', async () => {
  const CHUNKS = 10
  let arrived = 0
  const slowly = function* (name: string) {
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      // As long as one slice of the work on a body.
      for (const until = performance.now() + 2; performance.now() < until;);
      arrived++
      yield Buffer.from(name)
    }
  }
  const names = Array.from({ length: 8 }, (_, at) => String(at))
  const bodies = names.map(async (name) => String(await read(slowly(name), CHUNKS)) === name.repeat(CHUNKS))
  const perTurn: number[] = []
  for (let turn = 0; turn < 20 * CHUNKS; turn++) {
    const before = arrived
    await nextLoop()
    perTurn.push(arrived - before)
  }
  expect(await Promise.all(bodies)).toEqual(names.map(() => true))
  // The first chunk of each, and one that was read ahead, are there before anyone knows of the others.
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2 * names.length)
})
