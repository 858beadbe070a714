import { beforeAll, expect, test } from 'vitest'

import { calls } from '../../src/app/routes.server.ts'
import { callName } from '../../src/contract/call.ts'
import { readCalendar } from '../../src/features/deadlines/calendars/contract.ts'
import { type Caller, startApp, type TestApp } from '../support/app.ts'
import { injectInto, isStream } from '../support/http-requests.ts'
import { createTestNetwork, type TestNetwork } from './access/test-network.ts'
import { createValidRequest } from './access/valid-requests.ts'

// Browsers may cache only responses that everyone signed in may read and that are the same for all.

const KEPT = [
  'GET /api/help/pictures/:name',
  'GET /locations-api/regions_pop',
  'GET /locations-api/regionbyslug/:slug',
  'GET /locations-api/brand',
  'GET /locations-api/brand/:id',
  'GET /locations-api/brandview/:id',
  'GET /locations-api/charters_pop',
  'GET /locations-api/charter-student-total',
  'GET /locations-api/charterbyslug/:slug',
  'GET /locations-api/charterview/:id',
  'GET /locations-api/sites_pop',
  'GET /locations-api/site_summaries',
  'GET /locations-api/siteslugprograms/:slug',
  'GET /locations-api/programtypes',
  'GET /locations-api/sis',
  'GET /locations-api/sis/:id',
  'GET /locations-api/people',
  'GET /locations-api/people_sites_divide/:group',
  'GET /locations-api/people_sites_slug/:slug',
  'GET /api/people/:slug/vcard',
  'GET /locations-api/roles',
  'GET /locations-api/roles/leadership',
  'GET /locations-api/roles/student-support',
  'GET /api/pictures/:id',
  'GET /api/profile-photo/:person',
  'GET /api/counts',
  'GET /api/places',
  'GET /api/coverage',
  'GET /api/coverage/:region',
]
const reads = calls.filter(({ method }) => method === 'GET')

let app: TestApp
let network: TestNetwork
let callers: Caller[]
beforeAll(async () => {
  app = await startApp()
  const { context, make } = app
  network = await createTestNetwork({ context, make, send: injectInto(app.app, '127.0.0.1:3000') })
  callers = [app.as(10), app.as(1)]
})

test('what may be kept are calls there are', () => {
  const names = reads.map(callName)
  expect(KEPT.filter((name) => !names.includes(name))).toEqual([])
})

const named = (isKept: boolean) =>
  reads.filter((call) => KEPT.includes(callName(call)) === isKept).map((call) => [callName(call), call] as const)
const METHODS = ['GET', 'HEAD'] as const

/** Requests something that exists, as a user with access. */
const answersTo = async (call: (typeof reads)[number]) => {
  const { path: url, as = network.owner } = await createValidRequest(call, network)
  const headers = { host: '127.0.0.1:3000', ...as.headers }
  const methods = call.path.startsWith('/auth/') ? METHODS.slice(0, 1) : METHODS
  const stream = isStream(url) ? { payloadAsStream: true as const } : {}
  const answers = await Promise.all(methods.map((method) => app.app.inject({ method, url, headers, ...stream })))
  return { url, answers }
}

test.each(named(false))('%s is kept by no browser', async (_name, call) => {
  for (const { statusCode, headers } of (await answersTo(call)).answers) {
    expect(statusCode).toBeLessThan(400)
    expect(headers['cache-control']).toBe(isStream(call.path) ? 'no-store, no-transform' : 'no-store')
    // Calendar programs request the same file for years, and are not browsers.
    expect(typeof headers['etag']).toBe(call === readCalendar ? 'string' : 'undefined')
  }
})

test.each(named(true))('%s may be kept, and is the same for everyone', async (_name, call) => {
  const { url, answers } = await answersTo(call)
  for (const { headers } of answers) {
    expect(headers['cache-control']).toMatch(/^private, /)
    expect(headers['vary']).toMatch(/Authorization.*Cookie/)
  }
  const [one, other] = await Promise.all(callers.map((caller) => caller.request('GET', url)))
  expect([one?.statusCode, other?.statusCode]).toEqual([200, 200])
  expect(other?.rawPayload.equals(one?.rawPayload ?? Buffer.alloc(0))).toBe(true)
  expect(other?.headers['etag']).toBe(one?.headers['etag'])
  const etag = one?.headers['etag'] ?? ''
  const again = await app.as(10).request('GET', url, { headers: { 'if-none-match': etag } })
  expect(again.statusCode).toBe(etag === '' ? 200 : 304)
})

test('the user’s own photo is not cached by a browser, nor is a refusal', async () => {
  const answers = [
    await app.as(10).request('GET', '/api/profile-photo/me'),
    await app.as(10).request('GET', '/api/settings'),
    await app.as(10).request('GET', '/locations-api/brand/nobody'),
    await app.anonymous.request('GET', '/locations-api/brand'),
  ]
  expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store', 'no-store', 'no-store'])
})

test('without a write as well', async () => {
  const answer = await app.as(10).request('POST', '/api/favourites', { payload: { kind: 'site', id: network.site._id } })
  expect(answer.headers['cache-control']).toBe('no-store')
})
