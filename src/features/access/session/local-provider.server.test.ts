import { beforeAll, describe, expect, test } from 'vitest'

import { type Landing, type CookieClient } from '../../../../test/support/cookie-client.ts'
import { startListeningApp } from '../../../../test/support/listening-app.ts'
import { startOidcProvider, createProviderUser } from '../../../../test/support/oidc-provider.ts'
import { type ProviderSession, exchangeTicket } from '../../../../test/support/provider-sign-in.ts'
import { readSetup } from '../../../app/setup/contract.ts'
import type { ResponseOf } from '../../../contract/call.ts'
import type { User } from '../../../contract/user.ts'
import { toName, toObjectId } from './local-accounts.server.ts'

let server: Awaited<ReturnType<typeof startListeningApp>>
beforeAll(async () => {
  server = await startListeningApp()
})

const goToForm = (browser: CookieClient): Promise<Landing> => browser.follow('/auth/azure')

/** Submits the page's form, like a browser without JavaScript. */
const submit = async (browser: CookieClient, page: Landing, fields: Record<string, string>): Promise<Landing> => {
  const action = /<form method="post" action="([^"]+)">/.exec(await page.response.clone().text())?.[1]
  expect(action).toBeDefined()
  return browser.follow(new URL(action ?? '', page.url), { method: 'POST', body: new URLSearchParams(fields) })
}

const finish = (browser: CookieClient, { url }: Landing): Promise<ProviderSession> =>
  exchangeTicket(browser, url.searchParams.get('auth') ?? '')

const signInAs = async (login: string, browser = server.visit()): Promise<User> =>
  (await finish(browser, await submit(browser, await goToForm(browser), { login }))).user

describe('the local provider', () => {
  test('shows one form with a field named login and buttons for the sample accounts, without scripts', async () => {
    const { response } = await goToForm(server.visit())
    const html = await response.text()
    expect(html.match(/<form/g)).toHaveLength(1)
    expect(html).toMatch(/<input[^>]* name="login"/)
    for (const name of ['super', 'affairs', 'manager', 'staff']) expect(html).toContain(`value="${name}@sample.test"`)
    expect(html).not.toMatch(/<script|style="|onclick/)
    const policy = response.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'/)
    expect(policy).not.toContain('unsafe')
  })

  test('signs in any email address, and derives the name from it', async () => {
    expect(await signInAs('Dana.Whitlock@network.test')).toEqual({
      _id: expect.any(String),
      name: 'Dana Whitlock',
      azureID: 'dana.whitlock@network.test',
      accessLevel: 10,
    })
    expect(toName('level7@sample.test')).toBe('Level 7')
  })

  test('uses the name from the directory for someone in it', async () => {
    await server.make.person({ name: 'Whitlock, Marisol', email: 'M.Whitlock@network.test' })
    expect(await signInAs('m.whitlock@network.test')).toMatchObject({ name: 'Whitlock, Marisol' })
  })

  test('uses the pressed button of a sample account, whatever the field contains', async () => {
    const browser = server.visit()
    const { user } = await finish(browser, await submit(browser, await goToForm(browser), { login: '', as: 'manager@sample.test' }))
    expect(user).toMatchObject({ azureID: 'manager@sample.test', accessLevel: 6 })
  })

  test('shows the form again for an invalid address, with the typed text escaped', async () => {
    const browser = server.visit()
    const again = await submit(browser, await goToForm(browser), { login: '"><script>alert(1)</script>' })
    expect(again.response.status).toBe(422)
    const html = await again.response.clone().text()
    expect(html).toContain('role="alert"')
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    expect(html).not.toContain('<script>')
    const { user } = await finish(browser, await submit(browser, again, { login: 'staff@sample.test' }))
    expect(user.accessLevel).toBe(10)
  })

  test('recognizes a browser that signed in before, and forgets it without asking at sign-out', async () => {
    const browser = server.visit()
    await signInAs('first@network.test', browser)
    expect((await finish(browser, await goToForm(browser))).user.azureID).toBe('first@network.test')
    const { url } = await browser.follow('/auth/logout')
    expect(url.href).toBe(`${server.context.configuration.publicUrl}/login`)
    const { response } = await goToForm(browser)
    expect(await response.text()).toContain('name="login"')
    expect(await signInAs('second@network.test', browser)).toMatchObject({ azureID: 'second@network.test' })
  })

  test('signs in another account in a test of the sign-in, without ending the session of who tests', async () => {
    const browser = server.visit()
    const { token } = await finish(browser, await submit(browser, await goToForm(browser), { login: 'super@sample.test' }))
    for (const login of ['level5@sample.test', 'super@sample.test', 'super@sample.test']) {
      const end = await submit(browser, await browser.follow('/auth/azure/test'), { login })
      expect(`${end.url.pathname}${end.url.search}`).toBe('/setup?step=sign_in')
      const response = await browser.open(readSetup.path, { headers: { authorization: `Bearer ${token}` } })
      const { signIn } = (await response.json()) as ResponseOf<typeof readSetup>
      expect(signIn.test?.claims).toContainEqual({ name: 'email', value: login })
    }
  })

  test('gives an address the same object id each time, and so the same account', async () => {
    const [first, second] = [await signInAs('again@network.test'), await signInAs('AGAIN@network.test')]
    expect(second._id).toBe(first._id)
    const { objectId } = await server.context.db
      .selectFrom('account')
      .select('objectId')
      .where('_id', '=', first._id)
      .executeTakeFirstOrThrow()
    expect(objectId).toBe(toObjectId('again@network.test'))
    expect(objectId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('says that an unknown sign-in has ended, and links to the start', async () => {
    const response = await server.visit().open('/local-provider/sign-in/unknown')
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('href="/auth/azure"')
    const form = { method: 'POST', body: new URLSearchParams({ login: 'staff@sample.test' }) }
    expect((await server.visit().open('/local-provider/sign-in/unknown', form)).status).toBe(400)
  })

  test('redirects to registered addresses only; any other is refused on its own page', async () => {
    const browser = server.visit()
    const requested = new URL((await browser.open('/auth/azure')).headers.get('location') ?? '')
    requested.searchParams.set('redirect_uri', 'https://elsewhere.test/callback')
    const response = await browser.open(requested)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(await response.text()).toContain('href="/auth/azure"')
    const out = await browser.open('/local-provider/session/end?post_logout_redirect_uri=https%3A%2F%2Felsewhere.test')
    expect(out.headers.get('location')).toBe(`${server.context.configuration.publicUrl}/login`)
  })

  test('refuses every request whose Host is not loopback', async () => {
    const paths = [
      '/local-provider/.well-known/openid-configuration',
      '/local-provider/sign-in/x',
      '/local-provider/auth',
      '/local-provider/token',
    ]
    for (const url of paths) {
      const refused = await server.app.inject({ url, headers: { host: 'homeroom.elsewhere.test' } })
      expect(refused.statusCode).toBe(403)
    }
    const host = new URL(server.context.configuration.publicUrl).host
    expect((await server.app.inject({ url: paths[0] ?? '', headers: { host } })).statusCode).toBe(200)
  })

  test.each([
    ['x-forwarded-for', '203.0.113.9'],
    ['X-Forwarded-Proto', 'https'],
    ['x-forwarded-host', '127.0.0.1'],
    ['x-forwarded-server', 'edge'],
    ['forwarded', 'for=203.0.113.9'],
    ['Via', '1.1 edge'],
    ['x-real-ip', '203.0.113.9'],
    ['x-client-ip', '203.0.113.9'],
    ['true-client-ip', '203.0.113.9'],
    ['cf-connecting-ip', '203.0.113.9'],
    ['x-original-host', 'homeroom.school.test'],
    ['x-envoy-external-address', '203.0.113.9'],
    ['x-forwarded-for', ''],
  ])('refuses a request with %s: %s, which came through a proxy, and shows the reason', async (name, value) => {
    const { host } = new URL(server.context.configuration.publicUrl)
    for (const [method, url] of [
      ['GET', '/local-provider/auth'],
      ['GET', '/local-provider/.well-known/openid-configuration'],
      ['GET', '/local-provider/sign-in/x'],
      ['POST', '/local-provider/sign-in/x'],
      ['POST', '/local-provider/token'],
    ] as const) {
      const refused = await server.app.inject({ method, url, headers: { host, [name]: value } })
      expect([url, refused.statusCode]).toEqual([url, 403])
      expect(refused.json().detail).toMatch(new RegExp(`through a proxy .*${name.toLowerCase()}.*OIDC_ISSUER`))
    }
  })

  test('refuses host names that only resemble loopback names', async () => {
    const { app } = server
    for (const host of [
      'homeroom.school.test',
      '192.0.2.7:3000',
      '127.0.0.1.school.test',
      'localhost@school.test',
      'school.test@127.0.0.1',
    ])
      expect((await app.inject({ url: '/local-provider/auth', headers: { host } })).statusCode).toBe(403)
  })

  test('does not exist if a provider is configured', async () => {
    const { app, context } = await startListeningApp({
      OIDC_ISSUER: 'https://login.microsoftonline.com/a2f6c3b4-0000-4000-8000-00000000aaaa/v2.0',
      OIDC_CLIENT_ID: 'homeroom',
      OIDC_TENANT: 'a2f6c3b4-0000-4000-8000-00000000aaaa',
      SECRET_KEY: '4fTq9ZsLw2Xb7KcRm1VdYh6NpGj8EuSa',
    })
    const { host } = new URL(context.configuration.publicUrl)
    expect((await app.inject({ url: '/local-provider/.well-known/openid-configuration', headers: { host } })).statusCode).toBe(404)
  })
})

describe('a sample account', () => {
  const records = (address: string) => server.context.db.selectFrom('permission').selectAll().where('azureID', '=', address).execute()

  test.each([
    ['super@sample.test', 1],
    ['affairs@sample.test', 5],
    ['manager@sample.test', 6],
    ['staff@sample.test', 10],
    ['level1@sample.test', 1],
    ['level2@sample.test', 2],
    ['level9@sample.test', 9],
    ['level10@sample.test', 10],
    ['level0@sample.test', 10],
    ['level11@sample.test', 10],
    ['level1@elsewhere.test', 10],
  ])('%s signs in at level %i', async (address, level) => {
    expect((await signInAs(address)).accessLevel).toBe(level)
    expect(await records(address)).toHaveLength(level === 10 ? 0 : 1)
  })

  test('has an ordinary permission record, created and recorded at its first sign-in', async () => {
    const { _id, name } = await signInAs('level3@sample.test')
    const [record, ...more] = await records('level3@sample.test')
    expect(more).toEqual([])
    expect(record).toMatchObject({ applicationID: 'homeroom', account: _id, accessLevel: 3, superAdmin: false, updatedBy: name })
    const changes = await server.context.db
      .selectFrom('change')
      .select(['action', 'actor', 'actorName'])
      .where('record', '=', record?._id ?? '')
      .execute()
    expect(changes).toEqual([{ action: 'insert', actor: _id, actorName: name }])
  })

  test('stays without its level after an administrator has removed it', async () => {
    expect((await signInAs('level4@sample.test')).accessLevel).toBe(4)
    await server.make.write((tx) => tx.deleteFrom('permission').where('azureID', '=', 'level4@sample.test').execute())
    expect((await signInAs('level4@sample.test')).accessLevel).toBe(10)
  })

  test('gets the level that an administrator sets', async () => {
    await server.make.permission({ azureID: 'Level8@sample.test', accessLevel: 5 })
    expect((await signInAs('level8@sample.test')).accessLevel).toBe(5)
  })

  test('has no special level with the organization’s own provider', async () => {
    const provider = await startOidcProvider()
    provider.currentUser = createProviderUser({ address: 'super@sample.test' })
    const { visit } = await startListeningApp(provider.environment)
    const browser = visit()
    expect((await finish(browser, await browser.follow('/auth/azure'))).user.accessLevel).toBe(10)
    await provider.close()
  })
})
