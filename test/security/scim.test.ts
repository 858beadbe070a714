import { beforeAll, describe, expect, test } from 'vitest'

import { calls } from '../../src/app/routes.server.ts'
import { callName } from '../../src/contract/call.ts'
import { type SignedInCaller, startApp, type TestApp } from '../support/app.ts'
import { injectInto, type SendRequest } from '../support/http-requests.ts'
import { connectDirectory, type TestDirectory, toDirectory } from '../support/scim.ts'
import { createTestNetwork, type TestNetwork } from './access/test-network.ts'
import { createValidRequest } from './access/valid-requests.ts'

// `/scim/v2` is not declared as calls, so it is checked separately. It accepts only its own tokens, and these are accepted nowhere else.

const UNKNOWN_ID = '5f1c0b4e-3a75-4a1c-9a7c-0e1e9cfb9b0f'
const ROUTES: readonly (readonly [string, string])[] = [
  ...['/ServiceProviderConfig', '/Schemas', '/Schemas/x', '/ResourceTypes', '/ResourceTypes/User'].map((path) => ['GET', path] as const),
  ...['/Users', '/Groups'].flatMap((path) => [
    ['GET', path] as const,
    ['POST', path] as const,
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, `${path}/${UNKNOWN_ID}`] as const),
  ]),
]

let app: TestApp
let network: TestNetwork
let send: SendRequest
let directory: TestDirectory
let chief: SignedInCaller
beforeAll(async () => {
  app = await startApp()
  send = injectInto(app.app, new URL(app.context.configuration.publicUrl).host)
  network = await createTestNetwork({ context: app.context, make: app.make, send })
  directory = await connectDirectory(app)
  chief = app.as(1)
})

describe('without a token of the directory', () => {
  /** Credentials for other parts of the server, and values that look like a token. */
  const createHeaders = async (): Promise<Record<string, string>[]> => {
    const session = await chief.headers()
    const { token } = (await chief.request('POST', '/api/account/tokens', { payload: { name: 'A program', days: 30 } })).json()
    const removed = await chief.request('POST', '/api/scim-tokens', { payload: { name: 'Removed' } })
    await chief.request('DELETE', `/api/scim-tokens/${removed.json()._id}`)
    return [
      {},
      session,
      { cookie: session['cookie'] ?? '' },
      { authorization: `Bearer ${token}` },
      { 'x-auth-token': directory.token },
      { authorization: directory.token },
      { authorization: `Basic ${Buffer.from(`x:${directory.token}`).toString('base64')}` },
      { authorization: `Bearer ${directory.token.slice(0, -1)}` },
      { authorization: `Bearer ${directory.token}x` },
      { authorization: `Bearer scim_${'A'.repeat(43)}` },
      { authorization: `Bearer ${removed.json().token}` },
      { authorization: 'Bearer ' },
    ]
  }

  test('nothing is answered, whatever else is brought', async () => {
    const headers = await createHeaders()
    for (const [method, path] of ROUTES)
      for (const credentials of headers) {
        const answer = await send(method, `/scim/v2${path}`, {
          headers: { ...credentials, 'content-type': 'application/scim+json' },
          ...(method === 'GET' ? {} : { body: '{"userName":"x","displayName":"x"}' }),
        })
        const what = `${method} ${path} ${JSON.stringify(Object.keys(credentials))}`
        expect(answer.status, what).toBe(401)
        expect(answer.headers['content-type'], what).toContain('application/scim+json')
        expect(answer.headers['www-authenticate'], what).toBe('Bearer')
        expect(answer.headers['cache-control'], what).toBe('no-store')
        expect(JSON.parse(answer.body), what).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' })
      }
    expect((await directory.send('GET', '/Users')).json().totalResults).toBe(0)
  })

  test('a token in the address is ignored', async () => {
    for (const name of ['token', 'access_token', 'authorization'])
      expect((await send('GET', `/scim/v2/Users?${name}=${directory.token}`)).status).toBe(401)
  })
})

describe.each(calls.filter(({ capability }) => capability !== 'no session').map((call) => [callName(call), call] as const))(
  '%s',
  (_name, call) => {
    test('is not opened by a token of the directory', async () => {
      const { path, body } = await createValidRequest(call, network)
      const { token } = directory
      const credentials: Record<string, string>[] = [{ authorization: `Bearer ${token}` }, { 'x-auth-token': token }]
      for (const headers of credentials) {
        const answer = await send(call.method, path, { headers, body })
        expect(answer.status).toBe(401)
      }
    })
  },
)

describe('with one', () => {
  // The tests of the token calls have removed the other tokens.
  beforeAll(async () => {
    await app.context.db.deleteFrom('scim_token').execute()
    directory = await connectDirectory(app)
  })

  describe('what is sent', () => {
    const asIs = (body: string | Buffer, headers: Record<string, string> = {}) =>
      send('POST', '/scim/v2/Users', {
        headers: { authorization: `Bearer ${directory.token}`, 'content-type': 'application/scim+json', ...headers },
        body,
      })

    test.each([
      ['broken JSON', '{"userName"', {}, 400],
      ['an empty body', '', {}, 400],
      ['a body that is too large', `{"userName":"${'x'.repeat(300_000)}"}`, {}, 413],
      ['JSON that would change what objects are', '{"userName":"x","__proto__":{"active":true}}', {}, 400],
      ['another type', 'userName=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['text', 'x', { 'content-type': 'text/plain' }, 415],
      ['deep nesting', `{"userName":"deep","name":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`, {}, 400],
    ])('%s is answered in the format of SCIM, without anything of the server in it', async (_what, body, headers, status) => {
      const answer = await asIs(body, headers)
      expect(answer.status).toBe(status)
      expect(answer.headers['content-type']).toContain('application/scim+json')
      expect((JSON.parse(answer.body) as { status?: string }).status).toBe(status >= 400 ? String(status) : undefined)
      expect(answer.body).not.toMatch(/node_modules|\.ts:\d|select |insert /)
    })

    test('more values than a group has are refused', async () => {
      const answer = await directory.send('POST', '/Groups', `{"displayName":"x","members":[${'[],'.repeat(600_000)}1]}`, {
        'content-type': 'application/json',
      })
      expect(answer.status).toBe(413)
    })

    test('ids of another form find nothing', async () => {
      for (const id of ['x', '1 or 1=1', '%27', UNKNOWN_ID, encodeURIComponent("' or '1'='1")])
        for (const path of ['/Users', '/Groups']) expect((await directory.send('GET', `${path}/${id}`)).status).toBe(404)
    })
  })

  test('users and groups of another tenant are not there', async () => {
    const user = (await directory.send('POST', '/Users', { userName: 'theirs@network.test' })).json()
    const group = (await directory.send('POST', '/Groups', { displayName: 'Theirs', members: [{ value: user.id }] })).json()
    await app.context.pool.query(`update directory_user set tenant = 'another' where _id = $1`, [user.id])
    await app.context.pool.query(`update directory_group set tenant = 'another' where _id = $1`, [group.id])
    for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`])
      for (const method of ['GET', 'DELETE'] as const) expect((await directory.send(method, path)).status).toBe(404)
    expect((await directory.send('POST', '/Groups', { displayName: 'Ours', members: [{ value: user.id }] })).status).toBe(400)
  })

  test('a token is refused by the next request after its removal, on every server', async () => {
    const made = (await chief.request('POST', '/api/scim-tokens', { payload: { name: 'Second' } })).json()
    const second = await app.startSecond()
    const elsewhere = toDirectory(second, made.token)
    expect((await elsewhere.send('GET', '/Users')).status).toBe(200)
    await chief.request('DELETE', `/api/scim-tokens/${made._id}`)
    expect((await elsewhere.send('GET', '/Users')).status).toBe(401)
  })
})
