import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { calls } from '../../src/app/routes.server.ts'
import { callName } from '../../src/contract/call.ts'
import { getBodyLimit, toInputJsonSchema } from '../../src/platform/server/body-limit.ts'
import { affairSections, saveCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { addressOf } from '../support/api-client.ts'
import { network } from '../support/app.ts'
import { ESCAPED_LETTER, buildLargestBody } from '../support/largest-bodies.ts'

const withBody = calls.flatMap((call) => (call.body ? [{ call, body: call.body }] : []))
const JSON_TYPE = { 'content-type': 'application/json' }

test.each(withBody.map(({ call, body }) => [callName(call), call, body] as const))(
  '%s takes the largest body that its fields allow',
  async (_name, call, body) => {
    const { as } = await network()
    const payload = buildLargestBody(toInputJsonSchema(body))
    const params = Object.fromEntries(Object.keys(call.params?.shape ?? {}).map((name) => [name, 'nobody']))
    const response = await as(1).request(call.method, addressOf(call, params), { headers: JSON_TYPE, payload })
    expect([response.statusCode === 413, response.statusCode >= 500]).toEqual([false, false])
  },
)

test.each(withBody.map(({ call }) => [callName(call), call] as const))(
  '%s takes no body larger than one account may send',
  (_name, call) => {
    expect(getBodyLimit(call)).toBeLessThanOrEqual(16 * 1024 * 1024)
  },
)

test.each([
  ['every field at its longest, each letter escaped', Infinity, ESCAPED_LETTER.repeat(20_000), 'é'.repeat(20_000)],
  ['56 fields of 19,000 characters', 56, 'x'.repeat(19_000), 'x'.repeat(19_000)],
])('a charter affair with %s is kept', async (_what, most, sent, kept) => {
  const { as, charter } = await network()
  let fields = 0
  const sections = Object.entries(affairSections).map(([name, { shape }]) => {
    const named = Object.keys(shape).filter(() => fields++ < most)
    return `"${name}":{${named.map((field) => `"${field}":"${sent}"`).join(',')}}`
  })
  const response = await as(5).request('PUT', addressOf(saveCharterAffair, { id: charter._id }), {
    headers: JSON_TYPE,
    payload: `{${sections.join(',')}}`,
  })
  expect(response.statusCode).toBe(200)
  expect(response.json().charter_affair_info[0].overview.notes).toBe(kept)
})

test('a field that is too long is refused by its name, and not as a body that is too large', async () => {
  const { as, charter } = await network()
  const body = { overview: { notes: 'x'.repeat(900_000) } }
  const response = await as(5).trySend(saveCharterAffair, { params: { id: charter._id }, body })
  expect([response.statusCode, response.json().errors[0].path]).toEqual([422, 'overview.notes'])
})

test.each([
  ['objects', `{"overview":[${'{},'.repeat(340_000)}{}]}`],
  ['lists', `{"overview":[${'[],'.repeat(340_000)}[]]}`],
  ['numbers', `{"overview":[${'1,'.repeat(500_000)}1]}`],
  ['names', `{${Array.from({ length: 60_000 }, (_, at) => `"a${at}":1`).join(',')}}`],
])('a body of nothing but %s is refused before it fills the memory', async (_what, payload) => {
  const { as, charter } = await network()
  const response = await as(5).request('PUT', addressOf(saveCharterAffair, { id: charter._id }), { headers: JSON_TYPE, payload })
  expect([response.statusCode, response.json().errors]).toEqual([422, [{ path: '', message: 'Holds more values than any record has' }]])
})

test.each([
  ['broken', `{"overview":{"notes":"${'x'.repeat(400_000)}"`],
  ['with a name that changes objects', `{"__proto__":{},"overview":{"notes":"${'x'.repeat(400_000)}"}}`],
])('a large body that is %s is broken JSON like a small one', async (_what, payload) => {
  const { as, charter } = await network()
  const response = await as(5).request('PUT', addressOf(saveCharterAffair, { id: charter._id }), { headers: JSON_TYPE, payload })
  expect([response.statusCode, response.json().title]).toEqual([400, 'The JSON is not valid'])
})

test.each([
  ['deploy/nginx.conf', /client_max_body_size (\d+)m;/],
  ['docs/operators/deploying.md', /`client_max_body_size` of (\d+) MB/],
  ['docs/operators/split-deployment.md', /client_max_body_size (\d+)m;/],
])('the limit of the proxy in %s lets every upload through', (file, limit) => {
  const [, megabytes] = limit.exec(readFileSync(file, 'utf8')) ?? []
  const largest = Math.max(...calls.filter((call) => call.upload).map(getBodyLimit))
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThanOrEqual(largest)
})
