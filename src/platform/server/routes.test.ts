import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

import { network, startApp } from '../../../test/support/app.ts'
import { signInAt } from '../../../test/support/sessions.ts'
import { buildApp } from '../../app/app.server.ts'
import { openDatabase, setActor } from '../../database/connection.server.ts'
import { listBrands } from '../../records/brands/contract.ts'
import { readSite } from '../../records/sites/contract.ts'

const json = { 'content-type': 'application/json' }

test.each([
  ['broken JSON', 'POST', '/locations-api/is_support', { headers: json, payload: '{"request"' }, 400],
  ['an empty body', 'POST', '/locations-api/is_support', { headers: json, payload: '' }, 400],
  ['a malformed URL', 'GET', '/locations-api/brand/%zz', {}, 400],
  ['an unknown call', 'GET', '/locations-api/nothing', {}, 404],
  ['a URL that is too long', 'GET', `/locations-api/brand/${'x'.repeat(12_000)}`, {}, 404],
  [
    'a body nested too deep',
    'POST',
    '/log-error',
    { headers: json, payload: `{"requestData":${'['.repeat(20_000)}${']'.repeat(20_000)}}` },
    422,
  ],
  ['a POST to a page', 'POST', '/locations-api', {}, 404],
  ['an unknown record', 'GET', '/locations-api/brand/nobody', {}, 404],
  ['an unknown group', 'GET', '/locations-api/people_sites_divide/CLOWNS', {}, 404],
  ['a wrong method', 'DELETE', '/locations-api/brand', {}, 405],
  ['a body that is too large', 'POST', '/locations-api/is_support', { payload: { request: 'x'.repeat(1_100_000) } }, 413],
  ['a content type other than JSON', 'POST', '/locations-api/is_support', { headers: { 'content-type': 'text/plain' }, payload: 'x' }, 415],
  ['a missing field', 'POST', '/locations-api/is_support', { payload: {} }, 422],
  ['an unknown field', 'POST', '/locations-api/is_support', { payload: { request: 'x', level: 1 } }, 422],
  ['a character that cannot be kept', 'POST', '/locations-api/is_support', { payload: { request: 'a\u0000b' } }, 422],
] as const)('%s is answered as a problem with the right status', async (_what, method, url, more, status) => {
  const { as } = await network()
  const response = await as(10).request(method, url, more)
  expect(response.statusCode).toBe(status)
  expect(response.headers['content-type']).toContain('application/problem+json')
  expect(response.json()).toMatchObject({ status, title: expect.any(String) })
  expect(response.body).not.toMatch(/node_modules|\.ts:\d/)
})

test('a wrong method lists the allowed ones', async () => {
  const { as } = await network()
  expect((await as(10).request('DELETE', '/locations-api/brand')).headers['allow']).toBe('GET, HEAD')
})

test('a field error names its field', async () => {
  const { anonymous } = await network()
  const response = await anonymous.request('POST', '/locations-api/is_support', { payload: { request: 'x', level: 1 } })
  expect(response.json().errors).toEqual([{ path: 'level', message: expect.any(String) }])
})

test('a trailing slash is ignored', async () => {
  const { as } = await network()
  expect((await as(10).request('GET', '/locations-api/sis/')).statusCode).toBe(200)
})

test('every record is found by its _id, its slug in any case, and a former slug', async () => {
  const { as, context, site } = await network()
  await context.db.insertInto('former_slug').values({ table: 'site', slug: 'as-it-was', record: site._id }).execute()
  for (const slug of [site._id, site.slug, site.slug.toUpperCase(), 'As-It-Was']) {
    expect(await as(10).send(readSite, { params: { slug } })).toMatchObject({ _id: site._id })
  }
})

test('a list is sent plain, as gzip or as brotli, with the same content and a strong ETag for each', async () => {
  const { as } = await startApp()
  const caller = as(10)
  const get = (encoding: string) => caller.request('GET', '/locations-api/roles', { headers: { 'accept-encoding': encoding } })
  const [plain, gzip, brotli] = [await get('identity'), await get('gzip'), await get('br')]
  expect([plain.headers['content-encoding'], gzip.headers['content-encoding'], brotli.headers['content-encoding']]).toEqual([
    undefined,
    'gzip',
    'br',
  ])
  expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
  expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true)
  const tags = [plain, gzip, brotli].map((response) => String(response.headers['etag']))
  expect(new Set(tags).size).toBe(3)
  for (const tag of tags) {
    expect(tag).toMatch(/^"/)
    const again = await caller.request('GET', '/locations-api/roles', { headers: { 'if-none-match': tag } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  }
})

test('an ETag is not accepted without a session', async () => {
  const { as, anonymous } = await network()
  const tag = String((await as(10).request('GET', '/locations-api/brand')).headers['etag'])
  expect((await anonymous.request('GET', '/locations-api/brand', { headers: { 'if-none-match': tag } })).statusCode).toBe(401)
})

test('a list gets a new ETag after a table it reads has changed', async () => {
  const { as, make } = await startApp()
  const caller = as(10)
  await make.brand({ brandName: 'First' })
  const before = await caller.trySend(listBrands)
  await make.brand({ brandName: 'Second' })
  const after = await caller.trySend(listBrands, { headers: { 'if-none-match': String(before.headers['etag']) } })
  expect(after.statusCode).toBe(200)
  expect(after.json().map(({ brandName }: { brandName: string }) => brandName)).toEqual(['First', 'Second'])
})

test('a change by another process reaches the lists of this process', async () => {
  const { as, context } = await startApp()
  const caller = as(10)
  expect(await caller.send(listBrands)).toEqual([])
  // Bypasses the server, like an import or another server.
  await context.db.transaction().execute(async (tx) => {
    await setActor(tx, { account: null, name: 'Another process' })
    await tx.insertInto('brand').values({ brandName: 'From afar', slug: 'from-afar' }).execute()
  })
  await expect.poll(async () => (await caller.send(listBrands)).length).toBe(1)
})

test('a picture is stored under the SHA-256 of its bytes, and browsers cache it permanently', async () => {
  const { as, context } = await network()
  const bytes = Buffer.from('not really a picture')
  const _id = createHash('sha256').update(bytes).digest('hex')
  await context.db.insertInto('picture').values({ _id, type: 'image/webp', width: 1, height: 1, bytes }).execute()
  const response = await as(10).request('GET', `/api/pictures/${_id}`)
  expect(response.rawPayload.equals(bytes)).toBe(true)
  expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': expect.stringContaining('immutable') })
  expect((await as(10).request('GET', `/api/pictures/${'0'.repeat(64)}`)).statusCode).toBe(404)
})

test('a person without a photo in the directory has the fallback image', async () => {
  const { as, principal } = await network()
  for (const person of ['me', principal.slug]) {
    const response = await as(10).request('GET', `/api/profile-photo/${person}`)
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  }
  expect((await as(10).request('GET', '/api/profile-photo/nobody')).statusCode).toBe(404)
})

test('an unavailable database is 503 with Retry-After, not a sign-out', async () => {
  const { context } = await network()
  const { headers } = await signInAt(context, 10)
  const unreachable = openDatabase({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'nowhere' }, 1)
  const app = await buildApp({ ...context, ...unreachable })
  for (const url of ['/locations-api/brand', '/readyz']) {
    const response = await app.inject({ url, authority: '127.0.0.1:3000', headers })
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
  }
  await app.close()
})

test('health checks respond without a session', async () => {
  const { anonymous } = await network()
  expect((await anonymous.request('GET', '/healthz')).json()).toEqual({ status: 'alive' })
  expect((await anonymous.request('GET', '/readyz')).json()).toMatchObject({ status: 'ready', warnings: expect.any(Array) })
  expect((await anonymous.request('GET', '/metrics')).statusCode).toBe(404)
})

test('metrics are shown only to callers with the metrics token', async () => {
  const { anonymous } = await startApp({ METRICS_TOKEN: 'a-token-of-sixteen' })
  const get = (token?: string) =>
    anonymous.request('GET', '/metrics', token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  expect((await get()).statusCode).toBe(401)
  expect((await get('another')).statusCode).toBe(404)
  expect((await get('a-token-of-sixteen')).body).toContain('http_request_duration_seconds')
})

test('every signed-in person can read the description of the API, call by call', async () => {
  const { as } = await network()
  const { openapi, paths } = (await as(10).request('GET', '/openapi.json')).json()
  expect(openapi).toBe('3.1.0')
  expect(paths['/locations-api/charter_affair/{id}'].get.description).toContain('read a charter affair')
  expect(Object.keys(paths['/api/settings'].put.requestBody.content)).toEqual(['application/json'])
  expect(paths['/api/pictures'].post.requestBody.content).toMatchObject({
    'multipart/form-data': { schema: { required: ['file'], properties: { file: { type: 'string', format: 'binary' } } } },
  })
  expect((await as(10).request('GET', '/docs')).body).toContain('GET /locations-api/sites_pop')
})

test('the page that describes the API has its own style, allowed by its hash', async () => {
  const { as } = await network()
  const { body, headers } = await as(10).request('GET', '/docs')
  const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''
  expect(style).toContain('color-scheme')
  expect(headers['content-security-policy']).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
})

test('a large record is compressed, has its own ETag, and is 304 if it is known', async () => {
  const { as, make } = await network()
  const site = await make.site({ description: 'Long '.repeat(4000) })
  const caller = as(10)
  const get = (headers: Record<string, string>) => caller.trySend(readSite, { params: { slug: site.slug }, headers })
  const packed = await get({ 'accept-encoding': 'br' })
  expect(packed.headers['content-encoding']).toBe('br')
  expect(JSON.parse(brotliDecompressSync(packed.rawPayload).toString())).toEqual((await get({})).json())
  const again = await get({ 'accept-encoding': 'br', 'if-none-match': String(packed.headers['etag']) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('a HEAD request uses no ticket and ends no session', async () => {
  const { as } = await network()
  const caller = as(10)
  for (const address of ['/auth/refresh', '/auth/logout']) expect((await caller.request('HEAD' as never, address)).statusCode).toBe(405)
  expect((await caller.request('GET', '/auth')).statusCode).toBe(200)
})

test('a request to another loopback name is redirected to the configured one', async () => {
  const { app } = await network()
  const response = await app.inject({ url: '/locations-api/brand?x=1', authority: 'localhost:3000' })
  expect([response.statusCode, response.headers['location']]).toEqual([307, 'http://127.0.0.1:3000/locations-api/brand?x=1'])
})

test('only the configured parts respond', async () => {
  const { anonymous } = await startApp({ SERVE: 'locations' })
  expect((await anonymous.request('GET', '/auth')).statusCode).toBe(404)
  expect((await anonymous.request('GET', '/locations-api/brand')).statusCode).toBe(401)
})

test('too many requests of one kind are refused with 429 and Retry-After', async () => {
  const { anonymous } = await startApp()
  const get = () =>
    anonymous.request('POST', '/locations-api/is_support', { payload: { request: 'help', name: 'Ada', email: 'ada@school.example' } })
  const answers = []
  for (let n = 0; n < 21; n++) answers.push((await get()).statusCode)
  expect(answers).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  expect(Number((await get()).headers['retry-after'])).toBeGreaterThan(0)
})

test('the log records who was refused which call and from where, without tokens or the contents of the path', async () => {
  const { context, as, anonymous } = await startApp()
  const [warn, info] = [vi.spyOn(context.log, 'warn'), vi.spyOn(context.log, 'info')]
  const reader = as(10)
  await reader.request('PATCH', '/locations-api/sites/some-private-name', { payload: {} })
  const { account, headers } = await reader.who()
  expect(warn.mock.calls).toEqual([
    [
      {
        event: 'access_refused',
        reqId: expect.any(String),
        call: 'PATCH /locations-api/sites/:id',
        account,
        address: '127.0.0.1',
        status: 403,
        reason: 'You do not have access to do this',
      },
      'A request was refused',
    ],
  ])
  await anonymous.request('GET', '/locations-api/people', { headers: { authorization: headers.authorization } })
  expect(info.mock.calls[0]?.[0]).toMatchObject({ call: 'GET /locations-api/people', account: null, status: 401 })
  for (let n = 0; n < 21; n++)
    await anonymous.request('POST', '/locations-api/is_support', { payload: { request: 'help', name: 'Ada', email: 'ada@school.example' } })
  expect(warn.mock.calls.at(-1)?.[0]).toMatchObject({ call: 'POST /locations-api/is_support', status: 429 })
  const logged = JSON.stringify([...warn.mock.calls, ...info.mock.calls])
  expect(logged).not.toContain('some-private-name')
  expect(logged).not.toContain(headers.authorization.slice(7))
})

test('every table of records keeps its history', async () => {
  const { context } = await network()
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    where c.table_schema = 'public' and c.column_name = 'version'
      and c.table_name not in ('calendar', 'webhook') -- a feed belongs to one account, and no one else changes it; webhooks are no records
      and (select count(distinct t.trigger_name) from information_schema.triggers t
        where t.event_object_table = c.table_name and t.trigger_name in ('set_version', 'record_history')) < 2`.execute(context.db)
  expect(rows).toEqual([])
})
