import { beforeAll, describe, expect, test } from 'vitest'

import { calls } from '../src/calls.ts'
import { refreshSession } from '../src/features/session/contract.ts'
import { nameOf, type Call } from '../src/platform/contract/call.ts'
import { may } from '../src/platform/contract/capabilities.ts'
import { addressOf, type Caller, startApp, type TestApp } from './app.ts'

/** Every parameter of a path, filled with something that is nobody's: who may call is decided before what is asked for. */
const addressWithAnything = (call: Call): string =>
  addressOf(call, Object.fromEntries([...call.path.matchAll(/:(\w+)/g)].map((found) => [found[1], 'x'])))

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

let everyone: TestApp
beforeAll(async () => {
  everyone = await startApp()
})

describe.each(calls.map((call) => [nameOf(call), call] as const))('%s', (_name, call) => {
  const { needs } = call
  const ask = async (caller: Caller) => (await caller.request(call.method, addressWithAnything(call))).statusCode

  if (needs === 'no session') {
    test('answers without a session', async () => {
      const status = await ask(everyone.anonymous)
      // Renewing a session that is not there is refused by what the call does, not by the guard.
      expect(status === 401).toBe(call === refreshSession)
      expect(status).not.toBe(403)
    })
    return
  }

  test('is refused without a session', async () => {
    expect(await ask(everyone.anonymous)).toBe(401)
  })

  test('answers a program with an API token as it answers whoever made it, unless it takes somebody in person', async () => {
    for (const level of [1, 6, 10]) {
      const somebody = everyone.as(level)
      const asProgram = await ask(await somebody.program())
      expect(asProgram, `level ${level}`).toBe(call.inPerson ? 403 : await ask(somebody))
    }
  })

  test('answers a program by the level of its API token, where that is the less privileged', async () => {
    expect(await ask(await everyone.as(1).program(10))).toBe(may(10, needs) && !call.inPerson ? await ask(everyone.as(1)) : 403)
  })

  test(`is for those who may ${needs}, and for nobody else`, async () => {
    const statuses = await Promise.all(LEVELS.map(async (level) => [level, await ask(everyone.as(level))] as const))
    expect(statuses.filter(([, status]) => status === 403).map(([level]) => level)).toEqual(LEVELS.filter((level) => !may(level, needs)))
    expect(statuses.filter(([, status]) => status === 401 || status >= 500)).toEqual([])
  })
})

test('somebody in person is what sessions and tokens take, and nothing else', () => {
  const inPerson = calls.filter((call) => call.inPerson).map(nameOf)
  expect(inPerson).toEqual(calls.map(nameOf).filter((name) => / (\/api\/accounts?(\/|$)|\/auth\/(refresh|logout)$)/.test(name)))
})

test('the capabilities are those of section 6 and its decisions', () => {
  const levels = Object.fromEntries(
    calls.map((call) => [
      nameOf(call),
      call.needs === 'no session' ? 'anyone' : [10, 6, 5, 1].find((level) => may(level, call.needs as never)),
    ]),
  )
  const below10 = Object.fromEntries(Object.entries(levels).filter(([, level]) => level !== 10))
  expect(below10).toEqual({
    'GET /auth/azure': 'anyone',
    'GET /auth/azure/callback': 'anyone',
    'GET /auth/refresh': 'anyone',
    'GET /auth/logout': 'anyone',
    'POST /locations-api/is_support': 'anyone',
    'POST /log-error': 'anyone',
    'GET /api/accounts': 1,
    'GET /api/accounts/:id': 1,
    'GET /api/accounts/:id/sessions': 1,
    'DELETE /api/accounts/:id/sessions/:session': 1,
    'GET /api/accounts/:id/tokens': 1,
    'DELETE /api/accounts/:id/tokens/:token': 1,
    'POST /api/accounts/:id/sign-out-everywhere': 1,
    'GET /api/permissions/app_permissions/:appId': 6,
    'GET /api/permissions/candidates': 6,
    'POST /api/permissions/new_app_permission': 6,
    'DELETE /api/permissions/remove/:id': 6,
    'GET /api/sql/:query': 6,
    'POST /api/hr/known': 6,
    'POST /locations-api/people': 6,
    'GET /locations-api/charter_affair/:id': 6,
    'POST /locations-api/site': 6,
    'PATCH /locations-api/sites/:id': 6,
    'PATCH /locations-api/site_fac_updates/:id': 6,
    'PATCH /locations-api/site_enroll_updates/:id': 6,
    'POST /locations-api/site_enroll/:id/service': 6,
    'PUT /locations-api/site_enroll/:id/service': 6,
    'DELETE /locations-api/site_enroll/:id/service/:serviceId': 6,
    'POST /locations-api/site_people/:id': 6,
    'PATCH /locations-api/site_remove_staff/:id': 6,
    'POST /locations-api/sis': 6,
    'PUT /locations-api/sis': 6,
    'PUT /locations-api/sis/:id': 6,
    'DELETE /locations-api/sis/:id': 6,
    'POST /api/pictures': 6,
    'GET /api/history/:kind/:id': 6,
    'POST /api/history/:kind/:id/:change': 6,
    'GET /api/history/charter_affair/:id': 6,
    'POST /api/history/charter_affair/:id/:change': 5,
    'GET /api/requests': 6,
    'PATCH /api/requests/:id': 6,
    'POST /api/requests/:id/mail': 6,
    'GET /api/settings': 5,
    'POST /locations-api/addbrand': 6,
    'PUT /locations-api/people/:id': 6,
    'GET /api/people/:id/leaving': 6,
    'POST /api/people/:id/leaving': 6,
    'DELETE /api/people/:id/leaving': 6,
    'POST /locations-api/addcharter': 6,
    'PUT /locations-api/brandview/:id': 6,
    'PUT /locations-api/charterview/:id': 6,
    'PUT /locations-api/charter_affair/:id': 5,
    'POST /locations-api/charter_affair/:id/member': 5,
    'PUT /locations-api/charter_affair/:id/member': 5,
    'DELETE /locations-api/charter_affair/:id/member/:memberId': 5,
    'POST /locations-api/charter_affair/:id/district': 5,
    'PUT /locations-api/charter_affair/:id/district': 5,
    'DELETE /locations-api/charter_affair/:id/district/:districtId': 5,
    'PUT /api/settings': 5,
    'GET /api/site-defaults': 6,
    'GET /api/search/misses': 1,
    'PUT /api/views/:id/sharing': 6,
    'GET /api/exports/excel/charter_affairs': 6,
    'GET /api/exports/preview/charter_affairs': 6,
    'GET /api/exports/downloads': 1,
    'GET /api/usage': 1,
    'GET /api/server-state': 1,
    'GET /api/errors': 1,
    'GET /api/errors/:fingerprint': 1,
    'POST /api/errors/:fingerprint/seen': 1,
  })
})
