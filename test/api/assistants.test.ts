import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { createDeparture } from '../../src/app/departures/contract.ts'
import { insertApiToken } from '../../src/features/access/session/mutations.server.ts'
import {
  endAssistant,
  listAssistants,
  readAssistantSettings,
  saveAssistantSettings,
} from '../../src/features/exchange/assistants/contract.ts'
import { listSites } from '../../src/records/sites/contract.ts'
import { startApp, type TestApp } from '../support/app.ts'
import {
  answerRequest,
  buildAuthorizeUrl,
  connectClient,
  createSender,
  createVerifier,
  exchangeCode,
  letIn,
  REDIRECT_ADDRESS,
  registerClient,
} from '../support/assistants.ts'

let started: Promise<TestApp> | undefined
const setUp = async () => {
  const server = await (started ??= startApp({ MCP: 'on' }))
  return { server, send: createSender(server), resource: `${server.context.configuration.publicUrl}/mcp` }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const ACCEPT = { accept: 'application/json, text/event-stream' }

describe('while assistants are off', () => {
  test('nothing of them is there, until level 1 turns them on', async () => {
    const server = await startApp()
    const send = createSender(server)
    const paths = ['/mcp', '/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server', '/oauth/authorize']
    const read = () => Promise.all(paths.map(async (path) => (await send(path)).status))
    expect(await read()).toEqual([404, 404, 404, 404])
    expect((await send('/oauth/register', { method: 'POST', json: { redirect_uris: [REDIRECT_ADDRESS] } })).status).toBe(404)
    expect((await server.as(5).trySend(saveAssistantSettings, { body: { isOn: true } })).statusCode).toBe(403)
    const admin = server.as(1)
    expect(await admin.send(readAssistantSettings)).toMatchObject({ isOn: false, isOnByConfiguration: false })
    expect(await admin.send(saveAssistantSettings, { body: { isOn: true } })).toMatchObject({ isOn: true })
    expect(await read()).toEqual([401, 200, 200, 400])
    await admin.send(saveAssistantSettings, { body: { isOn: false } })
    expect(await read()).toEqual([404, 404, 404, 404])
  })
})

describe('signing in', () => {
  test('a refused program learns where to sign in', async () => {
    const { send, resource, server } = await setUp()
    const { publicUrl } = server.context.configuration
    const refused = await send('/mcp', { method: 'POST', json: INITIALIZE, headers: ACCEPT })
    const metadata = `${publicUrl}/.well-known/oauth-protected-resource/mcp`
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}", scope="look_up suggest_changes"`,
    ])
    expect((await send('/.well-known/oauth-protected-resource/mcp')).json()).toMatchObject({
      resource,
      authorization_servers: [publicUrl],
    })
    expect((await send('/.well-known/oauth-authorization-server')).json()).toMatchObject({
      issuer: publicUrl,
      registration_endpoint: `${publicUrl}/oauth/register`,
      authorization_endpoint: `${publicUrl}/oauth/authorize`,
      token_endpoint: `${publicUrl}/oauth/token`,
      revocation_endpoint: `${publicUrl}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
    })
  })

  test.each([
    [['http://assistant.test/callback']],
    [['cursor://callback']],
    [['https://assistant.test/#part']],
    [[]],
    [Array.from({ length: 11 }, (_, number) => `https://assistant.test/${number}`)],
  ])('a program cannot register with %j', async (redirect_uris) => {
    const { send } = await setUp()
    const answer = await send('/oauth/register', { method: 'POST', json: { client_name: 'Claude', redirect_uris } })
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_redirect_uri'])
  })

  test('the port of a loopback address is free, all else of an address is exact', async () => {
    const { send, resource, server } = await setUp()
    const registered = ['http://127.0.0.1:33418/', 'http://localhost/callback?from=code', 'http://[::1]/', REDIRECT_ADDRESS]
    const client = await registerClient(send, { redirect_uris: registered })
    const { challenge } = createVerifier()
    const statusOf = async (redirect_uri: string) =>
      (await send(buildAuthorizeUrl(resource, { client, challenge, more: { redirect_uri } }))).status
    const taken = ['http://127.0.0.1:50001/', 'http://127.0.0.1/', 'http://localhost:50001/callback?from=code', 'http://[::1]:9/']
    for (const address of [...registered, ...taken]) expect(await statusOf(address), address).toBe(303)
    const refused = [
      'http://127.0.0.1:33418/other', 'http://127.0.0.1:33418', 'http://127.0.0.1:33418/?more', 'https://127.0.0.1:33418/',
      'http://localhost:33418/', 'http://localhost/callback', 'http://127.0.0.2:33418/', 'http://127.0.0.1.evil.test/',
      'http://127.0.0.1:33418@evil.test/', 'http://evil.test@127.0.0.1:33418/', 'http://127.0.0.1:1/#part', `${REDIRECT_ADDRESS}?more`,
      'https://assistant.test:8443/callback', 'http://assistant.test/callback', 'http://127.0.0.1:33418/%2e%2e/', 'http://127.1:33418/',
    ] // prettier-ignore
    for (const address of refused) expect(await statusOf(address), address).toBe(400)

    const person = server.as(10)
    const { verifier, challenge: own } = createVerifier()
    const more = { redirect_uri: 'http://127.0.0.1:50001/' }
    const { origin, searchParams } = await answerRequest(server, person, { client, challenge: own, more })
    expect(origin).toBe('http://127.0.0.1:50001')
    const form = { client_id: client, code: searchParams.get('code') ?? '', code_verifier: verifier }
    expect((await exchangeCode(send, { ...form, ...more })).status).toBe(200)
    expect(await person.send(listAssistants)).toMatchObject([{ destination: 'a program on your computer (127.0.0.1:50001)' }])
  })

  test('a code is not given for another port than that of the request', async () => {
    const { send, server } = await setUp()
    const client = await registerClient(send, { redirect_uris: ['http://127.0.0.1/'] })
    const { verifier, challenge } = createVerifier()
    const answered = await answerRequest(server, server.as(10), { client, challenge, more: { redirect_uri: 'http://127.0.0.1:50001/' } })
    const form = { client_id: client, code: answered.searchParams.get('code') ?? '', code_verifier: verifier }
    expect((await exchangeCode(send, { ...form, redirect_uri: 'http://127.0.0.1:50002/' })).status).toBe(400)
  })

  test('a program has no secret, and nothing it names is requested', async () => {
    const { send } = await setUp()
    const answer = await send('/oauth/register', {
      method: 'POST',
      json: {
        client_name: 'Name\u0000 with\nbreaks '.repeat(20),
        redirect_uris: [REDIRECT_ADDRESS],
        token_endpoint_auth_method: 'client_secret_basic',
        jwks_uri: 'https://assistant.test/keys',
        logo_uri: 'https://assistant.test/logo',
        grant_types: ['authorization_code', 'client_credentials'],
      },
    })
    expect(answer.status).toBe(201)
    const client = answer.json()
    expect(client).toMatchObject({ token_endpoint_auth_method: 'none', grant_types: ['authorization_code'] })
    expect(Object.keys(client)).not.toEqual(expect.arrayContaining(['client_secret']))
    expect(Object.keys(client)).not.toEqual(expect.arrayContaining(['jwks_uri']))
    expect(String(client['client_name'])).toMatch(/^[^\0\n]{1,80}$/)
  })

  test('registered programs that no one lets in are bounded in number, and gone after a day', async () => {
    const { send, server } = await setUp()
    const { db } = server.context
    await sql`insert into assistant_client (_id, metadata, "createdAt")
      select 'unused ' || n, '{}', now() - interval '2 hours' from generate_series(1, 1000) as n`.execute(db)
    const client = await registerClient(send)
    const { rows } = await sql<{ count: number; mine: number }>`
      select count(*)::int as count, count(*) filter (where _id = ${client})::int as mine
      from assistant_client where "grantedAt" is null`.execute(db)
    expect(rows).toEqual([{ count: 1000, mine: 1 }])
    await sql`delete from assistant_client where _id like 'unused %'`.execute(db)
  })

  test('a person lets it in once, for 15 minutes at a time', async () => {
    const { server, send } = await setUp()
    const person = server.as(6)
    const { tokens, client, code, verifier } = await letIn(server, person)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'look_up suggest_changes' })
    expect(await person.send(listAssistants)).toMatchObject([
      { name: 'Claude', destination: 'assistant.test', scopes: ['look_up', 'suggest_changes'], lastUsedAt: null },
    ])
    // A code works once, and used twice it ends the access.
    await connectClient(server, tokens.access_token)
    expect((await exchangeCode(send, { client_id: client, code, code_verifier: verifier })).status).toBe(400)
    await expect(connectClient(server, tokens.access_token)).rejects.toThrow('not signed in')
  })

  test('a refreshed token replaces the one before, which then ends the access', async () => {
    const { server, send } = await setUp()
    const { tokens, client } = await letIn(server, server.as(6))
    const refresh = (token: string) =>
      send('/oauth/token', { method: 'POST', form: { grant_type: 'refresh_token', client_id: client, refresh_token: token } })
    const renewed = await refresh(tokens.refresh_token)
    expect(renewed.status).toBe(200)
    const next = renewed.json() as unknown as typeof tokens
    await connectClient(server, next.access_token)
    expect((await refresh(tokens.refresh_token)).status).toBe(400)
    await expect(connectClient(server, next.access_token)).rejects.toThrow('not signed in')
  })

  test('a request needs PKCE with S256, its own redirect address and this resource', async () => {
    const { send, resource } = await setUp()
    const client = await registerClient(send)
    const { challenge } = createVerifier()
    const statusOf = async (more: Record<string, string>) => {
      const { status, headers } = await send(buildAuthorizeUrl(resource, { client, challenge, more }))
      const to = headers['location']
      return [status, to === undefined ? null : new URL(to, resource).searchParams.get('error')]
    }
    expect(await statusOf({})).toEqual([303, null])
    expect(await statusOf({ code_challenge: '' })).toEqual([303, 'invalid_request'])
    expect(await statusOf({ code_challenge_method: 'plain' })).toEqual([303, 'invalid_request'])
    expect(await statusOf({ redirect_uri: `${REDIRECT_ADDRESS}/` })).toEqual([400, null])
    expect(await statusOf({ redirect_uri: 'https://evil.test/callback' })).toEqual([400, null])
    expect(await statusOf({ resource: 'https://other.test/mcp' })).toEqual([303, 'invalid_target'])
    expect(await statusOf({ prompt: 'none' })).toEqual([303, 'consent_required'])
    const error = await send(buildAuthorizeUrl(resource, { client, challenge, more: { redirect_uri: 'https://<b>evil.test' } }))
    expect(error.text).toContain('This request cannot be answered')
    expect(error.text).not.toContain('<b>')
  })

  test('a code is useless with another verifier or program', async () => {
    const { server, send } = await setUp()
    const person = server.as(10)
    const client = await registerClient(send)
    const { challenge, verifier } = createVerifier()
    const getCode = async () => (await answerRequest(server, person, { client, challenge })).searchParams.get('code') ?? ''
    expect((await exchangeCode(send, { client_id: client, code: await getCode(), code_verifier: createVerifier().verifier })).status).toBe(
      400,
    )
    const other = await registerClient(send)
    expect((await exchangeCode(send, { client_id: other, code: await getCode(), code_verifier: verifier })).status).toBe(400)
    expect((await exchangeCode(send, { client_id: client, code: await getCode(), code_verifier: verifier })).status).toBe(200)
  })

  test('a person can refuse, and no one else can answer the request', async () => {
    const { server, send, resource } = await setUp()
    const client = await registerClient(send)
    const { challenge } = createVerifier()
    const refused = await answerRequest(server, server.as(10), { client, challenge }, false)
    expect(refused.origin + refused.pathname).toBe(REDIRECT_ADDRESS)
    expect(refused.searchParams.get('error')).toBe('access_denied')
    expect(refused.searchParams.get('state')).toBe('its state')
    // Without the cookie of the browser that began it.
    const begun = await send(buildAuthorizeUrl(resource, { client, challenge }))
    const id = String(begun.headers['location']).split('/').at(-1) ?? ''
    const stranger = await server.as(1).request('POST', `/api/assistants/consent/${id}`, { payload: { allow: true } })
    expect(stranger.statusCode).toBe(404)
  })

  test('nothing in the tables is a token or a code', async () => {
    const { server } = await setUp()
    const { tokens, code } = await letIn(server, server.as(10))
    const { rows } = await sql<{ row: string }>`
      select assistant_token::text as row from assistant_token union all select assistant_grant::text from assistant_grant
      union all select assistant_client::text from assistant_client`.execute(server.context.db)
    const stored = rows.map(({ row }) => row).join('\n')
    for (const secret of [tokens.access_token, tokens.refresh_token, code]) expect(stored).not.toContain(secret)
  })
})

describe('access', () => {
  const connect = async (level: number, scope?: string) => {
    const { server, send } = await setUp()
    const person = server.as(level)
    const { tokens, client } = await letIn(server, person, {}, scope)
    return { server, send, person, tokens, client }
  }
  const statusOf = async (server: TestApp, token: string) => {
    const answer = await createSender(server)('/mcp', {
      method: 'POST',
      json: INITIALIZE,
      headers: { ...ACCEPT, authorization: `Bearer ${token}` },
    })
    return answer.status
  }

  test('a token works on every server, and nowhere but at this address', async () => {
    const { server, tokens } = await connect(6)
    const second = await server.startSecond()
    const client = await connectClient(second, tokens.access_token)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search')
    for (const path of ['/auth', listSites.path, '/api/account', '/scim/v2/Users', '/dav/'])
      expect((await createSender(server)(path, { headers: { authorization: `Bearer ${tokens.access_token}` } })).status, path).toBe(401)
  })

  test('it ends on the account page, by level 1, by the program, and with the account', async () => {
    const mine = await connect(6)
    const [assistant] = await mine.person.send(listAssistants)
    expect((await mine.server.as(2).trySend(endAssistant, { params: { id: assistant?._id ?? '' } })).statusCode).toBe(404)
    await mine.person.send(endAssistant, { params: { id: assistant?._id ?? '' } })
    expect(await statusOf(mine.server, mine.tokens.access_token)).toBe(401)

    const another = await connect(10)
    const admin = another.server.as(1)
    const { account } = await another.person.who()
    const found = (await admin.send(listAssistants)).find(({ owner }) => owner._id === account)
    await admin.send(endAssistant, { params: { id: found?._id ?? '' } })
    expect(await statusOf(another.server, another.tokens.access_token)).toBe(401)

    const revoked = await connect(10)
    const form = { token: revoked.tokens.refresh_token, client_id: revoked.client }
    expect((await revoked.send('/oauth/revoke', { method: 'POST', form })).status).toBe(200)
    expect(await statusOf(revoked.server, revoked.tokens.access_token)).toBe(401)
    expect(await revoked.person.send(listAssistants)).toEqual([])

    const closed = await connect(10)
    const { azureID } = await closed.person.who()
    const left = await closed.server.make.person({ email: azureID })
    await closed.server.as(1).send(createDeparture, { params: { id: left._id }, body: { handOver: [], deadlinesTo: null } })
    expect(await statusOf(closed.server, closed.tokens.access_token)).toBe(401)
  })

  test('a change of level counts at the next question', async () => {
    const { server, person, tokens } = await connect(6)
    const client = await connectClient(server, tokens.access_token)
    const getKinds = async () => JSON.stringify((await client.listTools()).tools)
    expect(await getKinds()).toContain('charter_affair')
    const { account } = await person.who()
    await server.context.db.deleteFrom('permission').where('account', '=', account).execute()
    expect(await getKinds()).not.toContain('charter_affair')
  })

  test('an API token works for programs without a person', async () => {
    const { server } = await setUp()
    const owner = server.as(6)
    const { account } = await owner.who()
    const { token } = await insertApiToken(server.context.db, { account, name: 'Nightly report', accessLevel: 10, days: 1 })
    const client = await connectClient(server, token)
    expect(JSON.stringify(await client.listTools())).not.toContain('charter_affair')
  })

  test('without the scope to suggest, the tool is missing and a call of it is refused', async () => {
    const { server, send, tokens } = await connect(10, 'look_up')
    const client = await connectClient(server, tokens.access_token)
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('suggest_change')
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'suggest_change', arguments: {} } }
    const refused = await send('/mcp', {
      method: 'POST',
      json: call,
      headers: { ...ACCEPT, authorization: `Bearer ${tokens.access_token}` },
    })
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([403, expect.stringContaining('error="insufficient_scope"')])
  })

  test('pages of other sites are refused', async () => {
    const { send, tokens } = await connect(10)
    const headers = { ...ACCEPT, authorization: `Bearer ${tokens.access_token}` }
    const from = async (origin: string) =>
      (await send('/mcp', { method: 'POST', json: INITIALIZE, headers: { ...headers, origin } })).status
    expect(await from('https://evil.test')).toBe(403)
    expect((await send('/mcp', { headers })).status).toBe(405)
  })

  test('current and previous versions of the protocol are spoken', async () => {
    const { send, tokens } = await connect(10)
    const headers = { ...ACCEPT, authorization: `Bearer ${tokens.access_token}` }
    for (const protocolVersion of ['2025-11-25', '2025-06-18']) {
      const json = { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } }
      const answer = (await send('/mcp', { method: 'POST', json, headers })).json()
      expect(answer['result']).toMatchObject({ protocolVersion, serverInfo: { name: 'homeroom' } })
    }
  })

  test('an assistant that asks too much has to wait', async () => {
    const { send, tokens } = await connect(10)
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'lodi' } } }
    const headers = { ...ACCEPT, authorization: `Bearer ${tokens.access_token}` }
    const statuses: number[] = []
    for (let count = 0; count < 125; count++) statuses.push((await send('/mcp', { method: 'POST', json: call, headers })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
  })
})
