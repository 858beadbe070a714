import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { measureLeastTime } from '../../../../test/support/cpu-time.ts'
import { deleteExpiredLogs } from '../../../app/cleanup.server.ts'
import { readPerson } from '../../../records/people/contract.ts'
import { listFavorites } from '../../finding/favorites/contract.ts'
import { listErrors, logError, dismissErrors, CHART_DAYS, readErrors } from './contract.ts'

let net: TestApp
beforeAll(async () => {
  net = await startApp()
})

const groupOf = async (words: string) => {
  const found = await net.as(1).send(listErrors, { query: { q: words } })
  expect(found).toHaveLength(1)
  return found[0] ?? expect.fail('no group')
}
const rows = () => net.context.db.selectFrom('error_log').selectAll().orderBy('_id').execute()

test('errors that differ only in numbers, ids and names are one group, with the number of people affected', async () => {
  const [one, other] = [net.as(10), net.as(10)]
  const report = (n: number, slug: string) => ({
    errorName: 'TypeError',
    errorMessage: `Row ${n} of "${slug}" is gone`,
    errorLocation: `/location/${slug}`,
    stackTrace: `at row ${n}`,
  })
  for (const [at, caller] of [one, one, other, net.anonymous].entries()) await caller.send(logError, { body: report(at + 1, `site-${at}`) })
  await one.send(logError, { body: { ...report(5, 'x'), errorName: 'RangeError', errorMessage: 'Another matter' } })
  const group = await groupOf('is gone')
  expect(group).toMatchObject({ errorName: 'TypeError', errorMessage: 'Row 4 of "site-3" is gone', errorLocation: '/location/site-3' })
  expect(group).toMatchObject({ count: 4, people: 2, seen: false })
  expect(group.daily).toHaveLength(CHART_DAYS)
  expect(group.daily.at(-1)).toBe(4)
  expect(Date.parse(group.firstAt)).toBeLessThanOrEqual(Date.parse(group.lastAt))

  const details = await net.as(1).send(readErrors, { params: { fingerprint: group.fingerprint } })
  expect(details.map(({ stackTrace }) => stackTrace)).toEqual(['at row 4', 'at row 3', 'at row 2', 'at row 1'])
  expect(details.map(({ name }) => name)).toEqual([null, (await other.who()).name, (await one.who()).name, (await one.who()).name])
})

test('no secret and no email address is stored', async () => {
  const secret = 'kX9_vQ2mZr-7TfLw3bYcHs0PdNeGaUjR5iOqKtVxM4Q'
  const message = `${secret} dana@factory.test 559-555-0100`
  await net.anonymous.send(logError, {
    body: {
      timestamp: '2026-11-21T00:00:00Z',
      context: message,
      errorMessage: `leaked ${message}`,
      errorName: message,
      errorLocation: `/login?auth=abcdef&x=${message}`,
      stackTrace: `at ${message}`,
      requestData: {
        headers: { authorization: `Bearer ${secret}`, cookie: 'a=hidden; b=hidden' },
        body: { password: 'hidden', phone: '5595550100' },
      },
      responseData: { token: 'hidden', note: message },
    },
  })
  const storedRow = JSON.stringify((await rows()).at(-1))
  expect(storedRow).toContain('leaked [secret]')
  expect(storedRow).not.toMatch(/kX9_|dana@|555-?0100|hidden|abcdef/)
})

test('an entry from before groups existed gets one, and shows no secret', async () => {
  await net.context.db
    .insertInto('error_log')
    .values({ errorMessage: 'old trouble 1', requestData: '{"password":"hidden"}', stackTrace: 'Bearer abcdefgh', account: null })
    .execute()
  const group = await groupOf('old trouble')
  const answer = await net.as(1).trySend(readErrors, { params: { fingerprint: group.fingerprint } })
  expect(answer.body).not.toMatch(/hidden|abcdefgh/)
  expect(JSON.stringify(await rows())).not.toMatch(/"hidden|abcdefgh/)
})

test('a dismissed group returns when the error happens again', async () => {
  const report = { errorMessage: 'now and then' }
  await net.anonymous.send(logError, { body: report })
  const { fingerprint } = await groupOf('now and then')
  await net.as(1).send(dismissErrors, { params: { fingerprint } })
  await net.as(1).send(dismissErrors, { params: { fingerprint } })
  expect(await groupOf('now and then')).toMatchObject({ seen: true })
  await net.anonymous.send(logError, { body: report })
  expect(await groupOf('now and then')).toMatchObject({ seen: false, count: 2 })
})

test('an error of the server is logged with its call and request id; errors caused by callers are not', async () => {
  const own = await startApp()
  const caller = own.as(10)
  expect((await caller.trySend(readPerson, { params: { slug: 'nobody-of-that-name' } })).statusCode).toBe(404)
  await sql`alter table favorite rename to favorite_gone`.execute(own.context.db)
  const response = await caller.trySend(listFavorites)
  expect(response.statusCode).toBe(500)
  await expect.poll(async () => (await own.as(1).send(listErrors)).length).toBe(1)
  const [group] = await own.as(1).send(listErrors)
  expect(group).toMatchObject({ context: 'server', errorLocation: 'GET /api/favourites', count: 1, people: 1 })
  expect(group?.errorMessage).toContain('favorite')
  const [detail] = await own.as(1).send(readErrors, { params: { fingerprint: group?.fingerprint ?? '' } })
  expect(detail?.requestData).toContain(response.json<{ requestId: string }>().requestId)
  expect(detail?.stackTrace).toContain('at ')
  expect(detail?.name).toBe((await caller.who()).name)
  // The public response contains no details.
  expect(response.body).not.toContain('favorite')
})

test('an unknown group and an invalid fingerprint are 404', async () => {
  for (const fingerprint of ['0123456789abcdef', 'x']) {
    expect((await net.as(1).trySend(readErrors, { params: { fingerprint } })).statusCode).toBe(404)
    expect((await net.as(1).trySend(dismissErrors, { params: { fingerprint } })).statusCode).toBe(404)
  }
})

test('the log covers the requested period, limited by what is stored', async () => {
  await net.anonymous.send(logError, { body: { errorMessage: 'long ago' } })
  const ago = (days: number) =>
    sql`update error_log set at = now() - make_interval(days => ${days}) where "errorMessage" = 'long ago'`.execute(net.context.db)
  const found = async (days: number) => (await net.as(1).send(listErrors, { query: { q: 'long ago', days } })).length
  await ago(8)
  expect([await found(7), await found(9)]).toEqual([0, 1])
  await ago(90 - 1)
  await deleteExpiredLogs(net.context)
  expect(await found(90)).toBe(1)
  await ago(90 + 1)
  await deleteExpiredLogs(net.context)
  expect((await rows()).some(({ errorMessage }) => errorMessage === 'long ago')).toBe(false)
})

test('grouping a hundred thousand errors takes at most 25 times as long as in plain SQL', async () => {
  await sql`insert into error_log (at, "errorMessage", fingerprint)
    select now() - make_interval(mins => n % 40000), 'number ' || n, lpad(to_hex(n % 300), 16, '0') from generate_series(1, 100000) as n`.execute(
    net.context.db,
  )
  await sql`analyze error_log`.execute(net.context.db)
  const caller = net.as(1)
  await caller.who()
  expect((await caller.send(listErrors)).length).toBeGreaterThanOrEqual(300)
  const plain = sql`select fingerprint, count(*), max(at), max(_id) from error_log group by fingerprint`
  const ratio = (await measureLeastTime(() => caller.send(listErrors))) / (await measureLeastTime(() => plain.execute(net.context.db)))
  expect(ratio, 'times as long as plain SQL').toBeLessThan(25)
})
