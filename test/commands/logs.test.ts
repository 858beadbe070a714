import { createHash } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { signInLocally } from '../support/local-sign-in.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'

// Logs contain no token, ticket or address: a server with the most verbose log level receives requests that fail in every way.

const METRICS_TOKEN = 'an-operators-token-of-its-own'
const SECRET_KEY = 'a key of thirty-two letters and more, 7f3a'
let server: TestServer
beforeAll(async () => {
  server = await startServer({
    LOG_LEVEL: 'trace',
    SAMPLE: '12',
    METRICS_TOKEN,
    SECRET_KEY,
    SUPPORT_REQUESTS_TO: 'help.desk@network.test',
  })
})
afterAll(() => server.stop())

test('the log of a day with sign-ins, tokens, refusals and errors contains no secret, no email address and no phone number', async () => {
  const { url, db } = server
  const { headers, browser } = await signInLocally(url, 'super@sample.test')
  const secrets = [...Object.values(headers), ...[...browser.cookies.values()].map(({ value }) => value), METRICS_TOKEN, SECRET_KEY]
  const json = { ...headers, 'content-type': 'application/json' }
  const get = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, { redirect: 'manual', ...init })
  const send = (method: string, path: string, body: unknown, more: Record<string, string> = json) =>
    get(path, { method, headers: more, body: JSON.stringify(body) })

  const made = (await (await send('POST', '/api/account/tokens', { name: 'A program', accessLevel: 10, days: 1 })).json()) as {
    token: string
  }
  secrets.push(made.token)
  await get('/locations-api/regions_pop', { headers: { authorization: `Bearer ${made.token}` } })
  await get('/locations-api/regions_pop', { headers: { 'x-auth-token': made.token } })
  await get('/api/accounts', { headers: { authorization: `Bearer ${made.token}` } })
  await get('/locations-api/regions_pop', { headers: { authorization: 'Bearer wrong-token-of-somebody' } })
  secrets.push('wrong-token-of-somebody')
  await get('/auth/azure/callback?code=a-code-nobody-gave&state=a-state-nobody-gave')
  secrets.push('a-code-nobody-gave', 'a-state-nobody-gave')
  await get('/login?auth=a-ticket-in-an-address')
  await get('/auth/refresh', { headers: { authorization: 'Bearer a-ticket-nobody-gave' } })
  secrets.push('a-ticket-in-an-address', 'a-ticket-nobody-gave')
  await get('/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })

  const people = (await (await get('/locations-api/people', { headers })).json()) as {
    _id: string
    slug: string
    email: string
    phone: string
  }[]
  const [person] = people
  await get(`/api/search?q=${encodeURIComponent(person?.email ?? '')}`, { headers })
  await get(`/locations-api/people_sites_slug/${person?.slug}`, { headers })
  await send('PUT', `/locations-api/people/${person?._id}`, { email: 'not an address', phone: person?.phone })
  await send('POST', '/locations-api/is_support', { request: 'My number is 209-555-0177', name: 'Ann Other', email: 'ann.other@home.test' })
  secrets.push('209-555-0177', 'ann.other@home.test', 'help.desk@network.test')
  await send(
    'POST',
    '/log-error',
    { context: 'test', errorMessage: `Bearer ${made.token} of ann.other@home.test`, errorName: 'Error' },
    { 'content-type': 'application/json' },
  )
  const feed = (await (await send('POST', '/api/calendars', { name: 'A feed' })).json()) as { url: string }
  const feedSecret = new URL(feed.url).pathname.replace(/^\/calendar\/|\.ics$/g, '')
  expect((await get(`/calendar/${feedSecret}.ics`)).status).toBe(200)
  await get(`/calendar/${feedSecret}x.ics`)
  await get(`/calendar/${feedSecret}.ics`, { method: 'POST' })
  await send('POST', '/log-error', { context: 'test', errorMessage: `Failed: ${feed.url}`, errorName: 'Error', errorLocation: feed.url })
  secrets.push(feedSecret)
  const device = (await (await send('POST', '/api/devices', { name: 'A phone' })).json()) as {
    _id: string
    username: string
    password: string
  }
  const signIn = (password: string) => `Basic ${Buffer.from(`${device.username}:${password}`).toString('base64')}`
  const profile = (await (await send('POST', `/api/devices/${device._id}/profile`, { password: device.password })).json()) as {
    url: string
  }
  const ticket = new URL(profile.url).pathname.replace(/^\/dav-profile\/|\.mobileconfig$/g, '')
  expect((await get(`/dav-profile/${ticket}.mobileconfig`)).status).toBe(200)
  await get(`/dav-profile/${ticket}x.mobileconfig`)
  expect((await get('/dav/', { headers: { authorization: signIn(device.password) } })).status).toBe(200)
  expect((await get('/dav/', { headers: { authorization: signIn('a-wrong-password') } })).status).toBe(401)
  await get('/dav/a-path-of-contacts', { method: 'PUT', headers: { authorization: signIn(device.password) } })
  await send('POST', '/log-error', {
    context: 'test',
    errorMessage: `Failed: ${profile.url}`,
    errorName: 'Error',
    errorLocation: profile.url,
  })
  secrets.push(device.password, signIn(device.password), ticket, 'a-wrong-password', 'a-path-of-contacts')
  await get('/locations-api/nothing-here?token=an-address-with-a-token', { headers })
  secrets.push('an-address-with-a-token')
  // An internal server error, which is logged with its request.
  await db.schema.alterTable('favorite').renameTo('put_away').execute()
  const failed = await get('/api/favourites', { headers })
  await db.schema.alterTable('put_away').renameTo('favorite').execute()
  expect(failed.status).toBe(500)

  const failedId = failed.headers.get('x-request-id') ?? 'no id'
  // The last log lines may arrive after the response.
  await waitUntil('the failure is in the log', () => server.program.output().includes(failedId))
  const log = server.program.output()
  expect(log.split('\n').length).toBeGreaterThan(15)
  secrets.push(...people.flatMap(({ email, phone }) => [email, phone]).filter(Boolean), 'super@sample.test')
  const halves = secrets.flatMap((text) => [text, text.replace(/^Bearer /, ''), createHash('sha256').update(text).digest('hex')])
  expect([...new Set(halves)].filter((text) => text.length > 6 && log.toLowerCase().includes(text.toLowerCase()))).toEqual([])
})
