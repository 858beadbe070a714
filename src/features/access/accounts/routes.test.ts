import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

import { network, type SignedInCaller, startApp } from '../../../../test/support/app.ts'
import { buildApp } from '../../../app/app.server.ts'
import { followChanges } from '../../../platform/server/database-changes.ts'
import { ListCache } from '../../../platform/server/list-cache.ts'
import { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { readPersonAccess } from '../levels/contract.ts'
import { grantPermission } from '../permissions/contract.ts'
import { readUser, refreshSession } from '../session/contract.ts'
import { insertSession } from '../session/mutations.server.ts'
import { maintainSessions } from '../session/session.server.ts'
import {
  endOwnSession,
  endSession,
  listAccounts,
  listOwnSessions,
  listSessions,
  listTokens,
  createToken,
  readAccount,
  readOwnAccount,
  removeOwnToken,
  removeToken,
  signOutEverywhere,
  signOutAccount,
} from './contract.ts'

type Net = Awaited<ReturnType<typeof network>>
let net: Net
beforeAll(async () => {
  net = await network()
})

const EDGE = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The request headers of another browser of someone who is signed in. */
const anotherBrowser = async (caller: SignedInCaller): Promise<Record<string, string>> => {
  const { account } = await caller.who()
  const browser = randomUUID()
  const { token, companion } = await insertSession(net.context.db, {
    account,
    browser,
    idToken: null,
    userAgent: EDGE,
    address: '::ffff:203.0.113.9',
  })
  const [name = ''] = ((await caller.headers())['cookie'] ?? '').split('=')
  return { ...bearer(token), cookie: `${name}=${companion}` }
}
const statusWith = async (headers: Record<string, string>): Promise<number> =>
  (await net.anonymous.request('GET', '/auth', { headers })).statusCode
const newToken = async (caller: SignedInCaller) => caller.send(createToken, { body: { name: 'Nightly sync', days: 30 } })

describe('the user’s own account', () => {
  test('shows the level, since when, and who gave it', async () => {
    const caller = net.as(6)
    const { account, name, azureID } = await caller.who()
    expect(await caller.send(readOwnAccount)).toEqual({
      person: null,
      _id: account,
      name,
      azureID,
      accessLevel: 6,
      sessions: 1,
      tokens: 0,
      copies: 0,
      usedAt: expect.any(String),
      grantedAt: expect.any(String),
      grantedBy: null,
      groups: [],
      isSuperAdmin: false,
    })
    expect(await net.as(10).send(readOwnAccount)).toMatchObject({ accessLevel: 10, grantedAt: null, grantedBy: null })
  })
})

describe('the access of a person', () => {
  const readAccess = async (email: string | null) => {
    const { _id } = await net.make.person({ email })
    return net.as(6).send(readPersonAccess, { params: { id: _id } })
  }

  test('shows which permission record grants it, also before the first sign-in', async () => {
    const { account, azureID } = await net.as(5).who()
    expect(await readAccess(azureID)).toMatchObject({
      account,
      accessLevel: 5,
      grantedAt: expect.any(String),
      groups: [],
      isSuperAdmin: false,
    })
    const address = 'not.yet@network.test'
    expect(await readAccess(address)).toEqual({
      account: null,
      accessLevel: 10,
      grantedAt: null,
      grantedBy: null,
      groups: [],
      isSuperAdmin: false,
    })
    const granter = net.as(1)
    const { name } = await granter.who()
    await granter.send(grantPermission, {
      body: { applicationID: 'homeroom', userInfo: { azureID: 'later@network.test', name: 'Later', accessLevel: 6 } },
    })
    expect(await readAccess('later@network.test')).toMatchObject({ account: null, accessLevel: 6, grantedBy: name })
    expect(await readAccess(null)).toMatchObject({ account: null, accessLevel: 10 })
  })

  test('is readable at level 6, for people who exist', async () => {
    const { _id } = await net.make.person()
    expect((await net.as(7).trySend(readPersonAccess, { params: { id: _id } })).statusCode).toBe(403)
    expect((await net.as(6).trySend(readPersonAccess, { params: { id: randomUUID() } })).statusCode).toBe(404)
  })
})

describe('the user’s own sessions', () => {
  test('are listed with browser, location and times; the current one is marked', async () => {
    const caller = net.as(10)
    const other = await anotherBrowser(caller)
    const sessions = await caller.send(listOwnSessions)
    expect(sessions.map(({ isThis, isThisBrowser }) => [isThis, isThisBrowser]).toSorted()).toEqual([
      [false, false],
      [true, true],
    ])
    expect(sessions.find(({ isThis }) => !isThis)).toMatchObject({
      browser: 'Edge on Windows',
      address: '203.0.113.9',
      endedAt: null,
      endedBy: null,
    })
    const seenByOther = await net.anonymous.request('GET', listOwnSessions.path, { headers: other })
    expect(seenByOther.json<{ isThis: boolean; browser: string }[]>().find(({ isThis }) => isThis)?.browser).toBe('Edge on Windows')
  })

  test('are not visible to others', async () => {
    const [mine, theirs] = [net.as(6), net.as(6)]
    await theirs.who()
    expect(await mine.send(listOwnSessions)).toHaveLength(1)
  })

  test('show the address of their last use, updated when they are used', async () => {
    const caller = net.as(10)
    const other = await anotherBrowser(caller)
    expect(await statusWith(other)).toBe(200)
    const { account } = await caller.who()
    const addressNow = async () => (await caller.send(listOwnSessions)).find(({ isThis }) => !isThis)?.address
    expect(await addressNow()).toBe('203.0.113.9')
    await sql`update session set "usedAt" = now() - interval '2 minutes' where account = ${account}`.execute(net.context.db)
    await net.context.lists.invalidate(['session'])
    expect(await statusWith(other)).toBe(200)
    expect(await addressNow()).toBe('127.0.0.1')
  })

  test('are ended individually: the next request of that session is refused, and the audit trail names who ended it', async () => {
    const caller = net.as(10)
    const other = await anotherBrowser(caller)
    expect(await statusWith(other)).toBe(200)
    const id = (await caller.send(listOwnSessions)).find(({ isThis }) => !isThis)?._id ?? ''
    await caller.send(endOwnSession, { params: { id } })
    expect(await statusWith(other)).toBe(401)
    expect((await caller.trySend(readUser)).statusCode).toBe(200)
    const { name } = await caller.who()
    expect((await caller.send(listOwnSessions)).find(({ _id }) => _id === id)).toMatchObject({
      endedAt: expect.any(String),
      endedBy: name,
    })
    expect((await caller.trySend(endOwnSession, { params: { id } })).statusCode).toBe(404)
  })

  test('do not include those of others', async () => {
    const [mine, theirs] = [net.as(6), net.as(10)]
    const [session] = await theirs.send(listOwnSessions)
    expect((await mine.trySend(endOwnSession, { params: { id: session?._id ?? '' } })).statusCode).toBe(404)
    expect((await mine.trySend(endOwnSession, { params: { id: randomUUID() } })).statusCode).toBe(404)
    expect((await theirs.trySend(readUser)).statusCode).toBe(200)
  })

  test('are ended together, tokens only on request', async () => {
    const caller = net.as(10)
    const other = await anotherBrowser(caller)
    const { token } = await newToken(caller)
    expect(await caller.send(signOutEverywhere, { body: {} })).toEqual({ sessions: 2, tokens: 0 })
    expect([await statusWith(other), (await caller.trySend(readUser)).statusCode, await statusWith(bearer(token))]).toEqual([401, 401, 200])

    const again = await anotherBrowser(caller)
    const gone = await net.anonymous.request('POST', signOutEverywhere.path, { headers: again, payload: { tokens: true } })
    expect(gone.json()).toEqual({ sessions: 1, tokens: 1 })
    expect([await statusWith(again), await statusWith(bearer(token))]).toEqual([401, 401])
  })

  test('that have timed out are not listed; those ended from the list stay for 30 days', async () => {
    const caller = net.as(10)
    await anotherBrowser(caller)
    const { account } = await caller.who()
    const id = (await caller.send(listOwnSessions)).find(({ isThis }) => !isThis)?._id ?? ''
    await caller.send(endOwnSession, { params: { id } })
    const { db } = net.context
    const endedDaysAgo = async (days: number) => {
      await sql`update session set "createdAt" = now() - interval '40 days', "endedAt" = now() - make_interval(days => ${days})
        where _id = ${id}`.execute(db)
      await maintainSessions(net.context)
      return (await db.selectFrom('session').select('_id').where('_id', '=', id).execute()).length
    }
    expect(await endedDaysAgo(29)).toBe(1)
    expect((await caller.send(listOwnSessions)).map(({ _id }) => _id)).toContain(id)
    expect(await endedDaysAgo(31)).toBe(0)

    await anotherBrowser(caller)
    await sql`update session set "usedAt" = now() - interval '2 hours' where account = ${account} and "userAgent" is not null`.execute(db)
    expect(await caller.send(listOwnSessions)).toHaveLength(1)
  })
})

describe('level 1', () => {
  test('finds people who have signed in, with their open sessions and tokens', async () => {
    const [top, caller] = [net.as(1), net.as(6)]
    await newToken(caller)
    await anotherBrowser(caller)
    const { account, name, azureID } = await caller.who()
    const { total, accounts } = await top.send(listAccounts, { query: { q: azureID.toUpperCase() } })
    expect(total).toBe(1)
    expect(accounts).toEqual([
      { _id: account, name, azureID, accessLevel: 6, sessions: 2, tokens: 1, copies: 0, usedAt: expect.any(String) },
    ])
    expect((await top.send(listAccounts, { query: { q: name.split(' ').toReversed().join(' ') } })).accounts).toMatchObject([
      { _id: account },
    ])
    expect(await top.send(listAccounts, { query: { q: 'nobody at all %' } })).toEqual({ total: 0, accounts: [] })
    expect((await top.send(listAccounts)).total).toBeGreaterThan(1)
    expect(await top.send(readAccount, { params: { id: account } })).toMatchObject({ _id: account, grantedAt: expect.any(String) })
    expect((await top.trySend(readAccount, { params: { id: randomUUID() } })).statusCode).toBe(404)
  })

  test('sees and ends anyone’s sessions and tokens, and the audit trail names who ended them', async () => {
    const [top, caller] = [net.as(1), net.as(5)]
    const { account } = await caller.who()
    const { token } = await newToken(caller)
    const [session] = await top.send(listSessions, { params: { id: account } })
    const [listed] = await top.send(listTokens, { params: { id: account } })
    expect(session).toMatchObject({ isThis: false, isThisBrowser: false })
    expect([(await caller.trySend(readUser)).statusCode, await statusWith(bearer(token))]).toEqual([200, 200])
    await top.send(endSession, { params: { id: account, session: session?._id ?? '' } })
    await top.send(removeToken, { params: { id: account, token: listed?._id ?? '' } })
    expect([(await caller.trySend(readUser)).statusCode, await statusWith(bearer(token))]).toEqual([401, 401])
    const { name } = await top.who()
    expect(await top.send(listSessions, { params: { id: account } })).toMatchObject([{ endedBy: name }])
    expect(await top.send(listTokens, { params: { id: account } })).toMatchObject([{ endedBy: name }])
  })

  test('finds a session only under its own account', async () => {
    const [top, one, other] = [net.as(1), net.as(10), net.as(10)]
    const [session] = await one.send(listOwnSessions)
    const { made } = await newToken(one)
    const { account } = await other.who()
    expect((await top.trySend(endSession, { params: { id: account, session: session?._id ?? '' } })).statusCode).toBe(404)
    expect((await top.trySend(removeToken, { params: { id: account, token: made._id } })).statusCode).toBe(404)
    expect((await one.trySend(readUser)).statusCode).toBe(200)
  })

  test('signs someone out everywhere', async () => {
    const [top, caller] = [net.as(1), net.as(10)]
    const other = await anotherBrowser(caller)
    const { token } = await newToken(caller)
    const { account } = await caller.who()
    expect(await top.send(signOutAccount, { params: { id: account }, body: { tokens: true } })).toEqual({ sessions: 2, tokens: 1 })
    expect([(await caller.trySend(readUser)).statusCode, await statusWith(other), await statusWith(bearer(token))]).toEqual([401, 401, 401])
    expect((await top.trySend(readUser)).statusCode).toBe(200)
  })
})

test('another server on the same database refuses an ended session as soon as it is notified', async () => {
  const { context, as } = await startApp()
  const readModel = new ReadModel(context.pool)
  const lists = new ListCache(readModel)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(context.db)
  const feed = await followChanges({ ...context, lists }, { ...context.pool.options, database: rows[0]?.name })
  const other = await buildApp({ ...context, readModel, lists })
  const authority = new URL(context.configuration.publicUrl).host
  const caller = as(10)
  const { token, made } = await newToken(caller)
  const statuses = async () =>
    Promise.all(
      [await caller.headers(), bearer(token)].map(async (headers) => (await other.inject({ url: '/auth', authority, headers })).statusCode),
    )
  try {
    expect(await statuses()).toEqual([200, 200])
    expect(await statuses()).toEqual([200, 200])
    await caller.send(removeOwnToken, { params: { id: made._id } })
    await expect.poll(statuses, { timeout: 2000, interval: 20 }).toEqual([200, 401])
    await caller.send(signOutEverywhere, { body: {} })
    await expect.poll(statuses, { timeout: 2000, interval: 20 }).toEqual([401, 401])
  } finally {
    await other.close()
    await feed.stop()
  }
})

test('a renewal accepts a ticket or a session token', async () => {
  const caller = net.as(10)
  const { user } = await caller.send(refreshSession)
  expect(user._id).toBe((await caller.who()).account)
})
