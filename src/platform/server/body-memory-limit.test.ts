import { PassThrough, Readable } from 'node:stream'
import { setImmediate as nextLoop } from 'node:timers/promises'

import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'

import { BodyMemoryLimit } from './body-memory-limit.ts'

const MEGABYTE = 1024 * 1024
const LIMIT = 12 * MEGABYTE

/** A request from a caller, with or without a declared length, and a function that ends it. */
const createRequest = (limit: BodyMemoryLimit, who: string | null, length?: number, body: Readable = Readable.from(['what is sent'])) => {
  const raw = new PassThrough()
  const headers = length === undefined ? {} : { 'content-length': String(length) }
  const request = { raw: body, headers, ip: '192.0.2.1', signedIn: who === null ? null : { account: who } } as unknown as FastifyRequest
  let state = 'waits'
  void limit.acquire(request, { raw } as unknown as FastifyReply, LIMIT).then(
    () => (state = 'reads'),
    (error: { status?: number; retryAfter?: number }) => (state = `${error.status}, again after ${error.retryAfter}`),
  )
  const end = (): void => {
    raw.destroy()
    body.destroy()
  }
  return { end, state: async () => new Promise<string>((resolve) => setImmediate(() => resolve(state))) }
}
const statesOf = (requests: readonly ReturnType<typeof createRequest>[]) => Promise.all(requests.map((one) => one.state()))

test('of fifty bodies of the largest size from one account, one is read, twenty wait, and the others are told to retry', async () => {
  const limit = new BodyMemoryLimit()
  const requests = Array.from({ length: 50 }, () => createRequest(limit, 'a', LIMIT))
  await expect.poll(async () => (await statesOf(requests)).filter((state) => state.startsWith('429'))).toHaveLength(29)
  const states = await statesOf(requests)
  expect(states.filter((state) => state === 'reads')).toHaveLength(1)
  expect(states.filter((state) => state === 'waits')).toHaveLength(20)
  expect(states.filter((state) => state === '429, again after 5')).toHaveLength(29)
  requests[0]?.end()
  await requests[1]?.state()
  expect(await statesOf(requests.slice(0, 3))).toEqual(['reads', 'reads', 'waits'])
})

test('a body without a content length counts as the largest', async () => {
  const limit = new BodyMemoryLimit()
  expect(await statesOf([createRequest(limit, 'a'), createRequest(limit, 'a')])).toEqual(['reads', 'waits'])
})

test('small bodies do not wait', async () => {
  const limit = new BodyMemoryLimit()
  createRequest(limit, 'a', LIMIT)
  createRequest(limit, 'a', LIMIT)
  expect(await createRequest(limit, 'a', 1000).state()).toBe('reads')
})

test('all accounts together are limited, and requests without a session have a separate limit', async () => {
  const limit = new BodyMemoryLimit()
  const many = Array.from({ length: 6 }, (_, at) => createRequest(limit, `account ${at}`, LIMIT))
  expect(await statesOf(many)).toEqual(['reads', 'reads', 'reads', 'waits', 'waits', 'waits'])
  const anonymous = Array.from({ length: 4 }, () => createRequest(limit, null, MEGABYTE))
  expect(await statesOf(anonymous)).toEqual(['reads', 'reads', 'waits', 'waits'])
  many[0]?.end()
  await many[3]?.state()
  expect(await statesOf(many.slice(3))).toEqual(['reads', 'waits', 'waits'])
})

test('a client that disconnects while it waits frees its slot', async () => {
  const limit = new BodyMemoryLimit()
  const [first, second, third] = [createRequest(limit, 'a', LIMIT), createRequest(limit, 'a', LIMIT), createRequest(limit, 'a', LIMIT)]
  second.end()
  await second.state()
  first.end()
  await first.state()
  expect(await third.state()).toBe('reads')
})

test('refused bodies that arrive as fast as they can leave turns to others', async () => {
  const limit = new BodyMemoryLimit()
  let chunks = 0
  const requests = Array.from({ length: 50 }, () => {
    const body = new Readable({
      read() {
        chunks++
        this.push(Buffer.alloc(65_536))
      },
    })
    return createRequest(limit, 'a', LIMIT, body)
  })
  await nextLoop()
  const perTurn: number[] = []
  for (let turn = 0; turn < 200; turn++) {
    const before = chunks
    await nextLoop()
    perTurn.push(chunks - before)
  }
  expect(chunks).toBeGreaterThan(100)
  expect(Math.max(...perTurn.slice(50))).toBeLessThanOrEqual(2)
  for (const request of requests) request.end()
})
