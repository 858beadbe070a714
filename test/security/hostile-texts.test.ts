import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { calls } from '../../src/app/routes.server.ts'
import { type Call, callName } from '../../src/contract/call.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { measureCpu, measureSlowness } from '../support/cpu-time.ts'

// No request of 100 kB takes more than 100 ms of CPU time, whatever it contains.

const BODY_BYTES = 100_000
/** About the maximum that a server accepts for headers and URL together. */
const HEAD_BYTES = 15_000
const MAX_CPU_MS = 100
const MAX_ERROR_LENGTH = 100_000

/** `npm test` sends no repeated texts: it checks each new regular expression by itself. */
const isAll = process.env['TEST_ALL'] === '1'
/** Text that patterns search for, to be repeated without what would complete a match. */
const TEXTS = [
  '\\', '"', 'secret', '0x', 'token=', 'token=\\"', '@', 'a@', 'a@b.c ', '.', 'a.', '-', ' ', '\t', '\n', '\0', '1', '1x', '(', '“', "'", '%', 'é', 'e\u0301',
  '\u0301', '王', '\ud800', 'javascript:', ',', ';', '/',
] // prettier-ignore
const PIECES = isAll ? TEXTS : []
const filled = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

let net: TestApp
beforeAll(async () => {
  net = await startApp()
})

let addresses = 0
/** The lowest CPU time of several attempts, and whether an error response was too long. */
const costOf = async (request: InjectOptions): Promise<{ ms: number; tooLong: boolean }> => {
  let [ms, tooLong] = [Number.POSITIVE_INFINITY, false]
  for (let attempt = 0; attempt < 3 && ms > MAX_CPU_MS; attempt++) {
    const spent = await measureCpu(async () => {
      // From another address each time, so that no rate limit skips the work.
      const remoteAddress = `2001:db8:${(addresses++).toString(16)}::1`
      const { statusCode, body } = await net.app.inject({ authority: '127.0.0.1:3000', remoteAddress, ...request })
      tooLong ||= statusCode >= 400 && body.length > MAX_ERROR_LENGTH
    })
    ms = Math.min(ms, spent > MAX_CPU_MS ? spent / (await measureSlowness()) : spent)
  }
  return { ms, tooLong }
}

const findSlow = async (requests: Iterable<readonly [string, InjectOptions]>): Promise<string[]> => {
  const slow: string[] = []
  for (const [what, request] of requests) {
    const { ms, tooLong } = await costOf(request)
    if (ms > MAX_CPU_MS) slow.push(`${what}: ${Math.round(ms)} ms`)
    if (tooLong) slow.push(`${what}: a long error`)
  }
  return slow
}

const fieldsOf = (schema: z.ZodType | undefined): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])

/** Bodies of 100 kB: a text in every field, a list in every field, and shapes that are expensive to process. */
const bodiesFor = function* (call: Call): Generator<readonly [string, string]> {
  const fields = fieldsOf(call.body)
  for (const piece of PIECES) {
    const each = filled(piece, BODY_BYTES / Math.max(fields.length, 1))
    yield [JSON.stringify(piece), JSON.stringify(Object.fromEntries(fields.map((field) => [field, each])))]
  }
  for (const value of [1, '\0', {}, []]) {
    const list = Array.from({ length: BODY_BYTES / (JSON.stringify(value).length + 1) / Math.max(fields.length, 1) }, () => value)
    yield [`lists of ${JSON.stringify(value)}`, JSON.stringify(Object.fromEntries(fields.map((field) => [field, list])))]
  }
  yield ['keys', `{${Array.from({ length: BODY_BYTES / 12 }, (_, n) => `"key ${n}":1`).join(',')}}`]
  yield ['one key', `{${Array.from({ length: BODY_BYTES / 11 }, () => '"name":"a"').join(',')}}`]
  yield ['__proto__', `{${Array.from({ length: BODY_BYTES / 16 }, () => '"__proto__":{}').join(',')}}`]
  yield ['nested lists', '['.repeat(BODY_BYTES / 2) + ']'.repeat(BODY_BYTES / 2)]
  yield ['nested objects', '{"a":'.repeat(BODY_BYTES / 6) + '1' + '}'.repeat(BODY_BYTES / 6)]
  yield ['a long name before many', `{${JSON.stringify('x'.repeat(BODY_BYTES / 2))}:[${'"\\u0000",'.repeat(BODY_BYTES / 20)}1]}`]
}

const withPath = ({ path }: Call, value: string): string => path.replace(/:\w+/g, encodeURIComponent(value.toWellFormed()))

const requestsOf = function* (call: Call, headers: Record<string, string>): Generator<readonly [string, InjectOptions]> {
  const { method } = call
  const url = withPath(call, 'x')
  if (call.body) {
    const json = { ...headers, 'content-type': 'application/json' }
    for (const [what, payload] of bodiesFor(call)) yield [`body of ${what}`, { method, url, headers: json, payload }]
  }
  if (call.upload) {
    for (const piece of PIECES) {
      const payload = new FormData()
      payload.set(call.upload.field, new Blob([filled(piece, BODY_BYTES)]))
      yield [`a file of ${JSON.stringify(piece)}`, { method, url, headers, payload }]
    }
  }
  const fields = [...fieldsOf(call.query), 'x']
  for (const piece of PIECES) {
    const value = encodeURIComponent(piece.toWellFormed())
    const each = filled(value, HEAD_BYTES / fields.length)
    // May be cut off within an encoded character, which is one more kind of invalid input.
    const query = fields.map((field) => `${field}=${each}`).join('&')
    if (call.query) yield [`query of ${JSON.stringify(piece)}`, { method, url: `${url}?${query}`, headers }]
    if (call.path.includes(':')) yield [`path of ${JSON.stringify(piece)}`, { method, url: withPath(call, filled(piece, 900)), headers }]
  }
  yield ['query of many', { method, url: `${url}?${'a=1&'.repeat(HEAD_BYTES / 4)}`, headers }]
}

describe.each(calls.map((call) => [callName(call), call] as const))('%s', (_name, call) => {
  test('takes little CPU time, whatever is sent', async () => {
    const headers = call.capability === 'no session' ? {} : await net.as(1).headers()
    expect(await findSlow(requestsOf(call, headers))).toEqual([])
  }, 60_000)
})

test.runIf(isAll).each([
  'cookie', 'user-agent', 'authorization', 'x-auth-token', 'if-match', 'if-none-match', 'accept', 'accept-encoding', 'accept-language', 'content-type',
  'content-disposition', 'x-forwarded-for', 'x-forwarded-host', 'forwarded', 'referer', 'origin', 'range',
])('a header %s takes little CPU time, whatever it contains', async (name) => {
  const own = await net.as(10).headers()
  const requests = PIECES.filter((piece) => /^[\t\u0020-\u00FF]+$/.test(piece)).flatMap((piece) =>
    ['', 'Bearer ', 'gzip', 'multipart/form-data; boundary=', 'W/"'].flatMap((start) =>
      (['/auth', '/locations-api/sites_pop', '/log-error'] as const).map((url) => {
        const headers = { ...own, [name]: (name === 'cookie' ? `${own['cookie']}; ` : '') + start + filled(piece, HEAD_BYTES) }
        const method = url === '/log-error' ? ('POST' as const) : ('GET' as const)
        return [`${start}${JSON.stringify(piece)}`, { method, url, headers, ...(method === 'POST' ? { payload: '{}' } : {}) }] as const
      }),
    ),
  )
  expect(await findSlow(requests)).toEqual([])
}, 60_000) // prettier-ignore
