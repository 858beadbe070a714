import { beforeAll, expect, test } from 'vitest'

import { calls } from '../../src/calls.ts'
import { callName } from '../../src/platform/contract/call.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

/** Reads that cost next to nothing, or are kept ready: a page may ask for hundreds of them. */
const isCheap = ({ method, path, response: answer }: (typeof calls)[number]): boolean =>
  method === 'GET' && answer !== 'workbook' && !/^\/(auth\/|api\/(sql|search$|exports\/preview|permissions\/candidates))/.test(path)

test('every call that writes, mails, computes at length or needs no session has a limit', async () => {
  const without: string[] = []
  for (const call of calls) {
    const me = call.capability === 'no session' ? app.anonymous : app.as(1)
    const { headers } = await me.request(call.method, call.path.replace(/:\w+/g, 'x'), call.body ? { payload: { no: 1 } } : {})
    if ((headers['x-ratelimit-limit'] === undefined) !== isCheap(call)) without.push(callName(call))
  }
  expect(without).toEqual([])
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
