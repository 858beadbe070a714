import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { logError } from './contract.ts'
import { insertReport } from './mutations.server.ts'

// The error log limits what anyone may send, and one sender's reports never displace those of others.

let net: TestApp
beforeAll(async () => {
  net = await startApp()
})
beforeEach(() => sql`truncate error_log`.execute(net.context.db))

const rows = () => net.context.db.selectFrom('error_log').selectAll().orderBy('_id').execute()
const from = (remoteAddress: string, errorMessage: string, { app } = net) =>
  app.inject({ method: 'POST', url: logError.path, remoteAddress, authority: '127.0.0.1:3000', payload: { errorMessage } })
/** Inserts this many reports of a sender. */
const reported = (source: string, sender: string, count: number) =>
  sql`insert into error_log ("errorMessage", source, sender) select 'old ' || n, ${source}, ${sender} from generate_series(1, ${count}::int) as n`.execute(
    net.context.db,
  )

test('the last 100 errors of an address are stored, independently of other addresses', async () => {
  await from('198.51.100.7', 'of another')
  await from('2001:db8:1:2::1', 'the first')
  const [, { sender } = { sender: '' }] = await rows()
  await reported('anonymous', sender, 150)
  // The same network, with another address of its /64.
  expect((await from('2001:db8:1:2:ffff::9', 'the last')).statusCode).toBe(204)
  const stored = await rows()
  expect(stored.filter((row) => row.sender === sender)).toHaveLength(100)
  expect(stored.map(({ errorMessage }) => errorMessage)).toEqual(expect.arrayContaining(['of another', 'the last']))
  expect(stored.map(({ errorMessage }) => errorMessage)).not.toContain('the first')
  expect(JSON.stringify(stored)).not.toMatch(/2001:|198\.51/)
})

test('the last 2,000 errors of callers without a session are stored; the caller with the most loses the oldest', async () => {
  for (let n = 0; n < 25; n++) await reported('anonymous', `address ${n}`, 70)
  await reported('anonymous', 'most', 300)
  await from('203.0.113.9', 'one more')
  await from('203.0.113.10', 'and another')
  const stored = await rows()
  expect(stored.filter(({ sender }) => sender.startsWith('address'))).toHaveLength(25 * 70)
  expect(stored.filter(({ sender }) => sender === 'most')).toHaveLength(2000 - 25 * 70 - 2)
  expect(stored).toHaveLength(2000)
})

test('the last 500 errors of an account are stored, independently of others and of the server', async () => {
  const [one, another] = [net.as(10), net.as(10)]
  await another.send(logError, { body: { errorMessage: 'of another' } })
  await insertReport(
    net.context.db,
    { errorMessage: 'a defect' },
    { source: 'server', sender: 'GET /x', account: (await one.who()).account },
  )
  await reported('account', (await one.who()).account, 700)
  await one.send(logError, { body: { errorMessage: 'the last' } })
  const stored = await rows()
  expect(stored).toHaveLength(502)
  expect(stored.map(({ errorMessage }) => errorMessage)).toEqual(expect.arrayContaining(['of another', 'a defect', 'the last']))
})

test('a report without a session is truncated to 4,000 characters in total, even if it claims to be from the server', async () => {
  const long = 'word '.repeat(2000)
  const body = { context: 'server', errorMessage: long, stackTrace: long, errorLocation: long, requestData: { long }, responseData: long }
  await net.anonymous.send(logError, { body })
  await net.as(10).send(logError, { body })
  const [anonymous, signedIn] = await rows()
  const lengthOf = (row = anonymous) =>
    [row?.context, row?.errorMessage, row?.stackTrace, row?.errorLocation, row?.requestData, row?.responseData].join('').length
  expect(anonymous?.source).toBe('anonymous')
  expect(lengthOf()).toBeGreaterThan(3500)
  expect(lengthOf()).toBeLessThanOrEqual(4000)
  expect(lengthOf(signedIn)).toBeGreaterThan(15_000)
})

test('no part of a secret remains in a truncated text', async () => {
  const secret = 'kX9_vQ2mZr-7TfLw3bYcHs0PdNeGaUjR5iOqKtVxM4Q'
  for (let before = 1950; before < 2010; before += 7) {
    await net.anonymous.send(logError, { body: { errorMessage: `${'x '.repeat(before / 2)}${secret} ${'y'.repeat(3000)}` } })
    await net.anonymous.send(logError, {
      body: { errorMessage: 'x'.repeat(2200), stackTrace: `${'x '.repeat((before - 200) / 2)}${secret} ${'y'.repeat(3000)}` },
    })
  }
  expect(JSON.stringify(await rows())).not.toMatch(/kX9_/)
})

test('reports without a session share one rate limit', async () => {
  const own = await startApp()
  const statuses = new Map<number, number>()
  for (let n = 0; n < 605; n++) {
    const { statusCode } = await from(`198.51.100.${n % 200}`, `${n}`, own)
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  }
  expect(statuses.get(204)).toBe(600)
  expect(statuses.get(429)).toBe(5)
  expect((await own.as(10).trySend(logError, { body: { errorMessage: 'of somebody' } })).statusCode).toBe(204)
})
