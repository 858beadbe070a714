import { expect, test, vi } from 'vitest'

import { startApp, type TestApp } from '../../../test/support/app.ts'
import { toNewSite } from '../../../test/support/new-records.ts'
import { READ_AFTER_HEADER, WRITTEN_BY_HEADER } from '../../contract/read-after-write.ts'

/** Two servers on one database, a user of both, and a site. Requests are sent at once, unlike those of other tests. */
const startTwo = async () => {
  const first = await startApp()
  const second = await first.startSecond()
  const records = await first.make.network()
  await second.catchUp()
  const headers = await first.as(6).headers()
  const send = async ({ app, context }: TestApp, method: 'GET' | 'PATCH' | 'POST', url: string, more = {}, payload?: object) => {
    const { host } = new URL(context.configuration.publicUrl)
    return app.inject({ method, url, authority: host, headers: { ...headers, ...more }, ...(payload ? { payload } : {}) })
  }
  const toReadAfter = (response: Awaited<ReturnType<typeof send>>) => ({
    [READ_AFTER_HEADER]: `another, ${String(response.headers[WRITTEN_BY_HEADER])}`,
  })
  return { first, second, ...records, send, toReadAfter }
}

test('a request just after a write to another server finds what was written', async () => {
  const { first, second, site, charter, region, send, toReadAfter } = await startTwo()
  for (let round = 0; round < 10; round++) {
    const phone = `209-555-01${round}0`
    const saved = await send(first, 'PATCH', `/locations-api/sites/${site._id}`, {}, { address: { phone } })
    const read = await send(second, 'GET', `/locations-api/siteslugprograms/${site.slug}`, toReadAfter(saved))
    expect(read.json()).toMatchObject({ address: { phone } })
    const created = await send(first, 'POST', '/locations-api/site', {}, toNewSite(`New Site ${round}`, charter._id, region._id))
    const proposals = await send(second, 'GET', `/api/proposals?kind=site&record=${created.json()._id}`, toReadAfter(created))
    expect(proposals.statusCode, proposals.body).toBe(200)
  }
})

test('only a server that did not make all of the sender’s recent writes catches up', async () => {
  const { first, second, site, send } = await startTwo()
  const saved = await send(first, 'PATCH', `/locations-api/sites/${site._id}`, {}, { address: { city: 'Galt' } })
  const writer = String(saved.headers[WRITTEN_BY_HEADER])
  const catchUps = async (app: TestApp, servers?: string): Promise<number> => {
    const catchUp = vi.spyOn(app.context.lists, 'catchUp')
    await send(app, 'GET', '/locations-api/roles', servers === undefined ? {} : { [READ_AFTER_HEADER]: servers })
    return catchUp.mock.calls.length
  }
  expect(await catchUps(first, writer)).toBe(0)
  expect(await catchUps(second)).toBe(0)
  expect(await catchUps(second, writer)).toBe(1)
  expect(await catchUps(first, `${writer},${writer}x`)).toBe(1)
})

test('a database that does not respond delays a list in memory by at most a second', async () => {
  const { first, send } = await startTwo()
  await send(first, 'GET', '/locations-api/roles')
  const catchUp = vi.spyOn(first.context.lists, 'catchUp').mockReturnValueOnce(new Promise(() => {}))
  const read = () => send(first, 'GET', '/locations-api/roles', { [READ_AFTER_HEADER]: 'another' })
  expect((await read()).statusCode).toBe(200)
  catchUp.mockRejectedValueOnce(new Error('Connection terminated'))
  expect((await read()).statusCode).toBe(200)
})

test.each<readonly [string, string, number]>([
  ['a session that ended', 'update session set "endedAt" = now()', 401],
  ['a disabled account', 'update account set "disabledAt" = now()', 401],
  ['someone whose permission record was removed', 'delete from permission', 403],
])('access is judged after a server has caught up: a request of %s is refused', async (_who, statement, status) => {
  const { first, second, send } = await startTwo()
  const read = (more = {}) => send(second, 'GET', '/api/planned', more)
  expect((await read()).statusCode).toBe(200)
  await first.context.pool.query(statement)
  expect((await read({ [READ_AFTER_HEADER]: 'another' })).statusCode).toBe(status)
})

test('someone who is not signed in makes no server catch up', async () => {
  const { second } = await startTwo()
  const catchUp = vi.spyOn(second.context.lists, 'catchUp')
  const { host } = new URL(second.context.configuration.publicUrl)
  const headers = { [READ_AFTER_HEADER]: 'another' }
  expect((await second.app.inject({ method: 'GET', url: '/api/planned', authority: host, headers })).statusCode).toBe(401)
  expect(catchUp).not.toHaveBeenCalled()
})
