import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { startListeningApp } from '../../../../test/support/listening-app.ts'
import { startOidcProvider, createProviderUser, type OidcProvider } from '../../../../test/support/oidc-provider.ts'
import {
  getAuthHeaders,
  type ProviderSession,
  refreshSession,
  signIn as signInWith,
  getSessionStatus,
  getTicket,
} from '../../../../test/support/provider-sign-in.ts'
import { buildApp } from '../../../app/app.server.ts'
import type { User } from '../../../contract/user.ts'
import { openDatabase } from '../../../database/connection.server.ts'
import { getCookieNames } from './cookies.server.ts'
import { hashSecret } from './secrets.server.ts'
import { maintainSessions } from './session.server.ts'

let provider: OidcProvider
let server: Awaited<ReturnType<typeof startListeningApp>>
let names: ReturnType<typeof getCookieNames>
beforeAll(async () => {
  provider = await startOidcProvider()
  server = await startListeningApp(provider.environment)
  names = getCookieNames(server.context.configuration)
})
afterAll(async () => {
  await provider.close()
})
beforeEach(() => {
  provider.currentUser = createProviderUser()
})

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } })
/** Signs in the person who is signed in at the provider, in a new browser or in this one. */
const signIn = (browser = server.visit()): Promise<ProviderSession> => signInWith(browser)

const age = async (table: 'ticket' | 'session', hash: Buffer, column: 'createdAt' | 'usedAt' | 'endedAt', seconds: number) => {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = now() - make_interval(secs => ${seconds}) where hash = ${hash}`.execute(
    server.context.db,
  )
  await notified()
}

/** The server caches who a session belongs to; changes that bypass it arrive a moment later. */
const notified = async (): Promise<void> => {
  const changed = new Promise<void>((done) => server.context.lists.onChange(() => done()))
  await sql`select pg_notify('homeroom_record', 'test')`.execute(server.context.db)
  await changed
}

describe('a ticket', () => {
  test('is hexadecimal, so that it cannot resemble an error, and is exchanged for the user and a session token', async () => {
    const browser = server.visit()
    const ticket = await getTicket(browser)
    expect(ticket).toMatch(/^[0-9a-f]{64}$/)
    const answer = (await (await refreshSession(browser, ticket)).json()) as { user: User; token: string }
    expect(answer).toEqual({
      user: { _id: expect.any(String), name: provider.currentUser.name, azureID: provider.currentUser.address, accessLevel: 10 },
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(await getSessionStatus({ browser, token: answer.token })).toBe(200)
  })

  test('is accepted in x-auth-token as well', async () => {
    const browser = server.visit()
    const response = await browser.open('/auth/refresh', { headers: { 'x-auth-token': await getTicket(browser) } })
    expect(response.status).toBe(200)
  })

  test('is refused the second time', async () => {
    const browser = server.visit()
    const ticket = await getTicket(browser)
    expect((await refreshSession(browser, ticket)).status).toBe(200)
    expect((await refreshSession(browser, ticket)).status).toBe(401)
  })

  test('opens one session when it is sent twice concurrently', async () => {
    const browser = server.visit()
    const ticket = await getTicket(browser)
    const statuses = await Promise.all([refreshSession(browser, ticket), refreshSession(browser, ticket)])
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  test('works only in the browser that started the sign-in; an attempt of another browser does not use it up', async () => {
    const browser = server.visit()
    const ticket = await getTicket(browser)
    const other = server.visit()
    await other.open('/auth/azure')
    expect((await refreshSession(other, ticket)).status).toBe(401)
    expect((await refreshSession(server.visit(), ticket)).status).toBe(401)
    expect((await refreshSession(browser, ticket)).status).toBe(200)
  })

  test('expires after 60 seconds', async () => {
    const [old, young] = [server.visit(), server.visit()]
    const [oldTicket, youngTicket] = [await getTicket(old), await getTicket(young)]
    await age('ticket', hashSecret(oldTicket), 'createdAt', 61)
    await age('ticket', hashSecret(youngTicket), 'createdAt', 50)
    expect((await refreshSession(old, oldTicket)).status).toBe(401)
    expect((await refreshSession(young, youngTicket)).status).toBe(200)
  })

  test('is not accepted as a session token', async () => {
    const browser = server.visit()
    expect(await getSessionStatus({ browser, token: await getTicket(browser) })).toBe(401)
  })

  test('is stored only as its SHA-256, like a session token', async () => {
    const browser = server.visit()
    const ticket = await getTicket(browser)
    const tickets = await server.context.db.selectFrom('ticket').selectAll().execute()
    expect(tickets.some(({ hash }) => hash.equals(hashSecret(ticket)))).toBe(true)
    expect(JSON.stringify(tickets)).not.toContain(ticket)
    const { token } = (await (await refreshSession(browser, ticket)).json()) as { token: string }
    const sessions = await server.context.db.selectFrom('session').selectAll().execute()
    expect(sessions.some(({ hash }) => hash.equals(hashSecret(token)))).toBe(true)
    expect(JSON.stringify(sessions)).not.toContain(token)
  })
})

describe('a session', () => {
  test('needs its companion cookie: a token copied elsewhere is refused', async () => {
    const mine = await signIn()
    expect(await getSessionStatus(mine)).toBe(200)
    expect(await getSessionStatus({ ...mine, browser: server.visit() })).toBe(401)
    provider.currentUser = createProviderUser()
    const other = await signIn()
    expect(await getSessionStatus({ browser: other.browser, token: mine.token })).toBe(401)
    expect(await getSessionStatus(other)).toBe(200)
  })

  test('needs its token: the cookie alone is accepted only for pictures', async () => {
    const { browser, token } = await signIn()
    expect((await browser.open('/auth')).status).toBe(401)
    expect((await browser.open('/api/profile-photo/me')).status).toBe(200)
    expect((await server.visit().open('/api/profile-photo/me')).status).toBe(401)
    expect((await browser.open('/api/profile-photo/me', bearer(token.toLowerCase().padEnd(43, 'x')))).status).toBe(401)
  })

  test('reads the token from the Authorization header or x-auth-token, never from the URL', async () => {
    const { browser, token } = await signIn()
    const tried = await Promise.all([
      browser.open('/auth', { headers: { authorization: `Bearer ${token}` } }),
      browser.open('/auth', { headers: { authorization: `bearer ${token}` } }),
      browser.open('/auth', { headers: { 'x-auth-token': token } }),
      browser.open(`/auth?token=${token}`),
      browser.open('/auth', { headers: { authorization: `Basic ${token}` } }),
    ])
    expect(tried.map(({ status }) => status)).toEqual([200, 200, 200, 401, 401])
  })

  test('is renewed by /auth/refresh, which returns the same shape and keeps the token for other tabs', async () => {
    const { browser, token, user } = await signIn()
    await age('session', hashSecret(token), 'usedAt', 3000)
    const response = await refreshSession(browser, token)
    expect(await response.json()).toEqual({ user, token })
    const { usedAt } = await server.context.db
      .selectFrom('session')
      .select('usedAt')
      .where('hash', '=', hashSecret(token))
      .executeTakeFirstOrThrow()
    expect(Date.now() - usedAt.getTime()).toBeLessThan(10_000)
    expect((await refreshSession(server.visit(), token)).status).toBe(401)
    expect((await browser.open('/auth/refresh')).status).toBe(401)
  })

  test('ends after SESSION_HOURS', async () => {
    const [old, young] = [await signIn(), await signIn()]
    await age('session', hashSecret(old.token), 'createdAt', 12 * 3600 + 1)
    await age('session', hashSecret(young.token), 'createdAt', 12 * 3600 - 60)
    expect([await getSessionStatus(old), await getSessionStatus(young)]).toEqual([401, 200])
    expect((await refreshSession(old.browser, old.token)).status).toBe(401)
  })

  test('ends after SESSION_IDLE_MINUTES without use; each use restarts the time', async () => {
    const [idle, used] = [await signIn(), await signIn()]
    await age('session', hashSecret(idle.token), 'usedAt', 3601)
    await age('session', hashSecret(used.token), 'usedAt', 3500)
    expect([await getSessionStatus(idle), await getSessionStatus(used)]).toEqual([401, 200])
    const { usedAt } = await server.context.db
      .selectFrom('session')
      .select('usedAt')
      .where('hash', '=', hashSecret(used.token))
      .executeTakeFirstOrThrow()
    expect(Date.now() - usedAt.getTime()).toBeLessThan(10_000)
  })

  test('of one idle minute is kept by use', async () => {
    const { browser, token } = await signIn()
    await age('session', hashSecret(token), 'usedAt', 20)
    const configuration = { ...server.context.configuration, sessionIdleMinutes: 1 }
    const brief = await buildApp({ ...server.context, configuration })
    const authority = new URL(configuration.publicUrl).host
    const response = await brief.inject({ url: '/auth', authority, headers: getAuthHeaders({ browser, token }) })
    expect(response.statusCode).toBe(200)
    await brief.close()
    const isUsed = sql<boolean>`"usedAt" > now() - interval '10 seconds'`.as('isUsed')
    const session = server.context.db.selectFrom('session').select(isUsed).where('hash', '=', hashSecret(token))
    expect(await session.executeTakeFirst()).toEqual({ isUsed: true })
  })

  test('ends when it is revoked', async () => {
    const mine = await signIn()
    await server.context.db.updateTable('session').set({ endedAt: new Date() }).where('hash', '=', hashSecret(mine.token)).execute()
    await notified()
    expect(await getSessionStatus(mine)).toBe(401)
  })

  test('survives a restart of the server', async () => {
    const { browser, token, user } = await signIn()
    const restarted = await buildApp(server.context)
    const response = await restarted.inject({
      url: '/auth',
      authority: new URL(server.context.configuration.publicUrl).host,
      headers: getAuthHeaders({ browser, token }),
    })
    expect(response.json()).toEqual(user)
    await restarted.close()
  })

  test('of an account of another tenant is refused, for example of the local provider once the organization’s provider is configured', async () => {
    const mine = await signIn()
    await server.context.db.updateTable('account').set({ tenant: 'local' }).where('_id', '=', mine.user._id).execute()
    await notified()
    expect(await getSessionStatus(mine)).toBe(401)
  })

  test('stays valid in both tabs when one browser signs in twice', async () => {
    const browser = server.visit()
    const [first, second] = [await getTicket(browser), await getTicket(browser)]
    const opened = await Promise.all([refreshSession(browser, first), refreshSession(browser, second)])
    for (const response of opened) {
      const { token } = (await response.json()) as { token: string }
      expect(await getSessionStatus({ browser, token })).toBe(200)
    }
  })

  test('has cookies that scripts cannot read and that are not sent from other sites', async () => {
    const { browser } = await signIn()
    const lines = Object.fromEntries([...browser.cookies].map(([key, { line }]) => [key.split(' ')[0], line]))
    expect(lines[names.companion]).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(lines[names.browser]).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('is deleted once it can never be used again, like tickets and pending sign-ins', async () => {
    const { db } = server.context
    const [old, young] = [await signIn(), await signIn()]
    const ticket = await getTicket(server.visit())
    await age('session', hashSecret(old.token), 'createdAt', 31 * 86_400)
    await age('session', hashSecret(old.token), 'usedAt', 30 * 86_400 + 7200)
    const [ended, endedLately] = [await signIn(), await signIn()]
    for (const { token } of [ended, endedLately]) await age('session', hashSecret(token), 'createdAt', 31 * 86_400)
    await age('session', hashSecret(ended.token), 'endedAt', 30 * 86_400 + 60)
    await age('session', hashSecret(endedLately.token), 'endedAt', 29 * 86_400)
    await age('ticket', hashSecret(ticket), 'createdAt', 61)
    await server.visit().open('/auth/azure')
    await db
      .updateTable('sign_in')
      .set({ createdAt: new Date(Date.now() - 601_000) })
      .execute()
    await maintainSessions(server.context)
    const left = await db.selectFrom('session').select('hash').execute()
    expect(left.some(({ hash }) => hash.equals(hashSecret(old.token)))).toBe(false)
    expect(left.some(({ hash }) => hash.equals(hashSecret(young.token)))).toBe(true)
    expect(left.some(({ hash }) => hash.equals(hashSecret(ended.token)))).toBe(false)
    expect(left.some(({ hash }) => hash.equals(hashSecret(endedLately.token)))).toBe(true)
    expect(await db.selectFrom('ticket').select('hash').where('hash', '=', hashSecret(ticket)).execute()).toEqual([])
    expect(await db.selectFrom('sign_in').select('state').execute()).toEqual([])
  })
})

describe('over https', () => {
  test('cookies are bound to this host', async () => {
    const { context } = await startListeningApp({ ...provider.environment, PUBLIC_URL: 'https://homeroom.network.test' })
    const app = await buildApp(context)
    const response = await app.inject({ url: '/auth/azure', authority: 'homeroom.network.test' })
    expect(response.headers['set-cookie']).toMatch(/^__Host-homeroom-browser=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(response.headers.location).toContain(encodeURIComponent('https://homeroom.network.test/auth/azure/callback'))
    await app.close()
  })
})

describe('signing out', () => {
  test('clears the browser cache, and on the plain address also its storage', async () => {
    const requestSession = async (opened: ProviderSession, from: string | undefined) =>
      (await opened.browser.open('/auth/logout', from === undefined ? {} : { headers: { 'sec-fetch-site': from } })).headers.get(
        'clear-site-data',
      )
    expect(await requestSession(await signIn(), 'same-origin')).toBe('"cache"')
    expect(await requestSession(await signIn(), 'none')).toBe('"cache", "storage"')
    expect(await requestSession(await signIn(), undefined)).toBe('"cache", "storage"')
    expect(await requestSession(await signIn(), 'cross-site')).toBeNull()
    const dead = await server.visit().open('/auth', bearer('x'.repeat(43)))
    expect([dead.status, dead.headers.get('clear-site-data')]).toEqual([401, '"cache"'])
    expect((await server.visit().open('/auth')).headers.get('clear-site-data')).toBeNull()
  })

  test('ends the session here and at the provider, and returns to /login', async () => {
    const mine = await signIn()
    const { url } = await mine.browser.follow('/auth/logout')
    expect(url.href).toBe(`${server.context.configuration.publicUrl}/login`)
    expect(provider.logoutParams?.get('post_logout_redirect_uri')).toBe(url.href)
    expect(provider.logoutParams?.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(mine.browser.cookies.size).toBe(0)

    const row = await server.context.db
      .selectFrom('session')
      .selectAll()
      .where('hash', '=', hashSecret(mine.token))
      .executeTakeFirstOrThrow()
    expect(row.endedAt).not.toBeNull()
    expect(row.idToken).toBeNull()
  })

  test('invalidates copies of the cookies and the token', async () => {
    const mine = await signIn()
    const savedCookies = new Map(mine.browser.cookies)
    await mine.browser.follow('/auth/logout')
    for (const [name, cookie] of savedCookies) mine.browser.cookies.set(name, cookie)
    expect(await getSessionStatus(mine)).toBe(401)
  })

  test('ends the sessions of every tab of this browser, and of no other browser', async () => {
    const mine = await signIn()
    const tab = await signIn(mine.browser)
    const phone = await signIn()
    const savedCookies = new Map(mine.browser.cookies)
    await mine.browser.follow('/auth/logout')
    for (const [name, cookie] of savedCookies) mine.browser.cookies.set(name, cookie)
    expect([await getSessionStatus(mine), await getSessionStatus(tab), await getSessionStatus(phone)]).toEqual([401, 401, 200])
  })

  test('works for someone who is not signed in', async () => {
    expect((await server.visit().follow('/auth/logout')).url.pathname).toBe('/login')
  })

  test('returns to /login if the provider is down', async () => {
    const fresh = await startOidcProvider()
    const other = await startListeningApp(fresh.environment)
    await fresh.close()
    expect((await other.visit().open('/auth/logout')).headers.get('location')).toBe('/login')
  })

  test('cannot be triggered by another site', async () => {
    const mine = await signIn()
    provider.logoutParams = undefined
    const { url } = await mine.browser.follow('/auth/logout', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(url.pathname).toBe('/login')
    expect(await getSessionStatus(mine)).toBe(200)
    expect(provider.logoutParams).toBeUndefined()
  })
})

test('with the database down, requests answer 503 instead of ending the session, and a sign-in fails', async () => {
  const mine = await signIn()
  const { db, pool } = openDatabase({ connectionString: 'postgres://nobody@127.0.0.1:1/none' })
  const app = await buildApp({ ...server.context, db, pool })
  const authority = new URL(server.context.configuration.publicUrl).host
  const headers = getAuthHeaders(mine)
  const get = (url: string) => app.inject({ url, authority, headers })
  const { cookie } = headers
  const goTo = (url: string) => app.inject({ url, authority, headers: { cookie } })
  expect((await get('/auth')).statusCode).toBe(503)
  expect((await get('/auth/refresh')).statusCode).toBe(503)
  expect((await goTo('/auth/azure')).headers.location).toBe('/login?auth=fail')
  expect((await goTo('/auth/azure/callback?code=1&state=2')).headers.location).toBe('/login?auth=fail')
  await app.close()
  await pool.end()
  expect(await getSessionStatus(mine)).toBe(200)
})
