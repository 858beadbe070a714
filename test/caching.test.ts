import { beforeAll, describe, expect, test } from 'vitest'

import { askWithin } from '../prove/parts/asking.ts'
import { addressOf, attemptOf, setStage, type Stage } from '../prove/parts/attempts.ts'
import { calls } from '../src/calls.ts'
import { nameOf } from '../src/platform/contract/call.ts'
import { type Caller, startApp, type TestApp } from './app.ts'

// What a browser may keep of the answers: what everybody signed in may read and is the same for all, and nothing else.

const KEPT = [
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
let stage: Stage
let callers: Caller[]
beforeAll(async () => {
  app = await startApp()
  const { house, make } = app
  stage = await setStage({ house, make, ask: askWithin(app.app, '127.0.0.1:3000') })
  callers = [app.as(10), app.as(1)]
})

test('what may be kept are calls there are', () => {
  const names = reads.map(nameOf)
  expect(KEPT.filter((name) => !names.includes(name))).toEqual([])
})

describe.each(reads.map((call) => [nameOf(call), call] as const))('%s', (name, call) => {
  const isKept = KEPT.includes(name)
  test(isKept ? 'may be kept, and is the same for everybody' : 'is kept by no browser', async () => {
    const attempt = await attemptOf(call, stage)
    const url = addressOf(call, attempt)
    const owner = { ...attempt.headers, ...(attempt.as ?? stage.owner).headers }
    for (const method of call.path.startsWith('/auth/') ? (['GET'] as const) : (['GET', 'HEAD'] as const)) {
      const answer = await app.app.inject({ method, url, headers: { host: '127.0.0.1:3000', ...owner } })
      expect(answer.statusCode).toBeLessThan(400)
      if (!isKept) {
        expect(answer.headers['cache-control']).toBe('no-store')
        expect(answer.headers['etag']).toBeUndefined()
      } else {
        expect(answer.headers['cache-control']).toMatch(/^private, /)
        for (const header of ['Authorization', 'Cookie']) expect(answer.headers['vary']).toContain(header)
      }
    }
    if (!isKept) return
    const both = await Promise.all(callers.map((caller) => caller.request('GET', url)))
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(both[1]?.rawPayload.equals(both[0]?.rawPayload ?? Buffer.alloc(0))).toBe(true)
    expect(both[1]?.headers['etag']).toBe(both[0]?.headers['etag'])
    const etag = both[0]?.headers['etag']
    if (etag === undefined) return
    expect((await app.as(10).request('GET', url, { headers: { 'if-none-match': String(etag) } })).statusCode).toBe(304)
  })
})

test('one’s own photo is kept by no browser, and nor is what is refused', async () => {
  const answers = [
    await app.as(10).request('GET', '/api/profile-photo/me'),
    await app.as(10).request('GET', '/api/settings'),
    await app.as(10).request('GET', '/locations-api/brand/nobody'),
    await app.anonymous.request('GET', '/locations-api/brand'),
  ]
  expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store', 'no-store', 'no-store'])
})

test('no write is kept either', async () => {
  const answer = await app.as(10).request('POST', '/api/favourites', { payload: { kind: 'site', id: stage.site._id } })
  expect(answer.headers['cache-control']).toBe('no-store')
})
