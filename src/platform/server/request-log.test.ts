import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../test/support/app.ts'
import { buildApp } from '../../app/app.server.ts'
import { readUser } from '../../features/access/session/contract.ts'
import { listErrors, readErrors } from '../../features/operations/error-log/contract.ts'
import type { Configuration } from './configuration.ts'

let net: TestApp
let lines: Record<string, unknown>[]
beforeEach(() => {
  lines = []
})

/** The same app with a server whose log can be read. */
const withLog = async (change: Partial<Configuration> = {}) => {
  net = await startApp()
  const configuration = { ...net.context.configuration, ...change }
  const log = pino(
    { level: configuration.logLevel },
    { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  )
  const app = await buildApp({ ...net.context, configuration, log })
  const caller = net.as(10)
  const get = async (url: string) => app.inject({ url, authority: '127.0.0.1:3000', headers: await caller.headers() })
  return { app, get, caller }
}

test('by default a successful request is not logged; at level info it is one line, without its URL', async () => {
  const { app, get } = await withLog()
  await get(readUser.path)
  expect(lines).toEqual([])
  await app.close()

  const atInfo = await withLog({ logLevel: 'info' })
  const response = await atInfo.get(`${readUser.path}?who=dana@network.test`)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    reqId: response.headers['x-request-id'],
    call: `GET ${readUser.path}`,
    status: response.statusCode,
    ms: expect.any(Number),
    account: (await atInfo.caller.who()).account,
  })
  expect(JSON.stringify(lines)).not.toContain('dana@')
  await atInfo.app.close()
})

test('a slow request is logged as a warning', async () => {
  const { app, get } = await withLog({ slowMs: 0 })
  await get(readUser.path)
  expect(lines).toMatchObject([{ level: 40, call: `GET ${readUser.path}`, msg: 'The request was slow' }])
  await app.close()
})

test('a few client errors are not logged; thirty within a minute are one line per caller, with the address', async () => {
  const { app, get, caller } = await withLog()
  const mistakes = async (count: number, url: string) => {
    for (let at = 0; at < count; at++) expect((await get(url)).statusCode).toBe(404)
  }
  await mistakes(29, '/locations-api/siteslugprograms/nowhere')
  expect(lines).toEqual([])
  await mistakes(20, '/locations-api/siteslugprograms/nowhere')
  expect(lines).toMatchObject([{ level: 40, status: 404, account: (await caller.who()).account, address: '127.0.0.1' }])
  expect(JSON.stringify(lines)).not.toContain('nowhere')

  for (let at = 0; at < 40; at++) await app.inject({ url: '/api/no-such-call', authority: '127.0.0.1:3000' })
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({ account: null, address: '127.0.0.1', msg: '30 requests of one caller within a minute were not right' })
  await app.close()
})

test('a failed request is one line with its error, under the id in the response and the error log', async () => {
  const { app, get } = await withLog()
  await net.context.db.schema.alterTable('brand').renameTo('brand_away').execute()
  const response = await get('/api/counts')
  await net.context.db.schema.alterTable('brand_away').renameTo('brand').execute()
  expect(response.statusCode).toBe(500)
  const id = response.headers['x-request-id']
  expect(response.json()).toMatchObject({ requestId: id })
  expect(lines).toMatchObject([{ level: 50, reqId: id, call: 'GET /api/counts', status: 500, err: { message: expect.any(String) } }])

  const found = async () => net.as(1).send(listErrors, { query: { days: 30, q: String(id) } })
  await expect.poll(async () => (await found()).length).toBe(1)
  const [group] = await found()
  const [detail] = await net.as(1).send(readErrors, { params: { fingerprint: group?.fingerprint ?? '' } })
  expect(detail?.requestData).toContain(id)
  expect(await net.as(1).send(listErrors, { query: { days: 30, q: 'AAAAAAAAAAAA-1' } })).toEqual([])
  await app.close()
})
