import { readFile } from 'node:fs/promises'

import { beforeAll, expect, test } from 'vitest'

import { calls } from '../../src/app/routes.server.ts'
import { callName, DEFAULT_RATE_LIMIT, getRateLimit } from '../../src/contract/call.ts'
import { SCIM_RATE_LIMIT } from '../../src/features/access/provisioning/contract.ts'
import {
  DAV_RATE_LIMIT,
  MAX_DAV_BODY_BYTES,
  MAX_WRONG_PASSWORDS,
  MAX_XML_DEPTH,
  MAX_XML_ELEMENTS,
} from '../../src/features/exchange/address-books/contract.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { connectDevice } from '../support/dav.ts'
import { connectDirectory } from '../support/scim.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

test('every call has the limit it declares, and every call that writes or needs no session has one', async () => {
  for (const call of calls) {
    const limit = getRateLimit(call)
    const me = call.capability === 'no session' ? app.anonymous : app.as(1)
    const { headers } = await me.request(call.method, call.path.replace(/:\w+/g, 'x'), call.body ? { payload: { no: 1 } } : {})
    expect(headers['x-ratelimit-limit'], callName(call)).toBe(limit && String(limit.perMinute))
    const isLimited = call.method !== 'GET' || call.capability === 'no session' || call.response === 'workbook' || call.response === 'file'
    expect(isLimited && limit === undefined, callName(call)).toBe(false)
  }
})

test('docs/developers/api.md lists every limit that is not the usual one', async () => {
  const limits = calls.flatMap((call) =>
    call.rateLimit ? [`| \`${callName(call)}\` | ${call.rateLimit.perMinute.toLocaleString('en-US')} |`] : [],
  )
  const rows = [`| every other call that changes something | ${DEFAULT_RATE_LIMIT.perMinute.toLocaleString('en-US')} |`, ...limits]
  const docs = await readFile(new URL('../../docs/developers/api.md', import.meta.url), 'utf8')
  expect(docs).toContain(['| Call | Requests a minute |', '|---|---|', ...rows].join('\n'))
  const shared = calls.flatMap((call) => {
    const limit = call.rateLimit?.perMinuteWithoutSession
    return limit === undefined ? [] : [`\`${callName(call)}\` has a second limit: ${limit} requests a minute without a session`]
  })
  expect(shared).toHaveLength(2)
  for (const sentence of shared) expect(docs).toContain(sentence)
})

test('docs/operators/directory.md has the limit of SCIM', async () => {
  const docs = await readFile(new URL('../../docs/operators/directory.md', import.meta.url), 'utf8')
  expect(docs).toContain(`| requests | ${SCIM_RATE_LIMIT.perMinute.toLocaleString('en-US')} a minute from one address |`)
  const { headers } = await (await connectDirectory(app)).send('GET', '/Users')
  expect(headers['x-ratelimit-limit']).toBe(String(SCIM_RATE_LIMIT.perMinute))
})

test('docs/operators/phones.md has the limits of address books', async () => {
  const docs = await readFile(new URL('../../docs/operators/phones.md', import.meta.url), 'utf8')
  expect(docs).toContain(`| requests of one person | ${DAV_RATE_LIMIT.perMinute.toLocaleString('en-US')} a minute |`)
  expect(docs).toContain(`| wrong passwords from one network address | ${MAX_WRONG_PASSWORDS.address} a minute, then \`429\` |`)
  expect(docs).toContain(`| wrong passwords for one account | ${MAX_WRONG_PASSWORDS.account} a minute, then \`429\``)
  expect(docs).toContain(
    `${MAX_DAV_BODY_BYTES / 1024 ** 2} MB, ${MAX_XML_ELEMENTS.toLocaleString('en-US')} elements, ${MAX_XML_DEPTH} levels of XML`,
  )
  const phone = await connectDevice(app, app.as(10))
  const { headers } = await phone.request('GET', '/dav/')
  expect(headers['x-ratelimit-limit']).toBe(String(DAV_RATE_LIMIT.perMinute))
})

test('a limit is each person’s own', async () => {
  const [one, another] = [app.as(10), app.as(10)]
  const left = async (who: typeof one): Promise<number> =>
    Number((await who.request('GET', '/api/search?q=x')).headers['x-ratelimit-remaining'])
  const first = await left(one)
  expect(await left(one)).toBe(first - 1)
  expect(await left(another)).toBe(first)
})

test('an address that is too long and headers that are too large are refused', async () => {
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const url = app.app.listeningOrigin
  expect((await fetch(`${url}/locations-api/brand/${'x'.repeat(20_000)}`)).status).toBe(431)
  expect((await fetch(`${url}/healthz`, { headers: { 'x-long': 'x'.repeat(20_000) } })).status).toBe(431)
})
