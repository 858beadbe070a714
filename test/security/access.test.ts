import { beforeAll, describe, expect, test } from 'vitest'

import { calls } from '../../src/app/routes.server.ts'
import { callName } from '../../src/contract/call.ts'
import { can } from '../../src/contract/capabilities.ts'
import { startApp } from '../support/app.ts'
import { injectInto } from '../support/http-requests.ts'
import { AccessReport, checkCallAccess } from './access/call-access.ts'
import { type Credential, createCredentials } from './access/credentials.ts'
import { PAGES, readAppPages } from './access/pages.ts'
import { collectRoutes, findUnknownRoutes, checkPathSpellings, checkMethods } from './access/routes.ts'
import { createTestNetwork, type TestNetwork } from './access/test-network.ts'

// The access checks of `npm run prove:access`, without a network and without a browser.

let network: TestNetwork
let routes: Set<string>
let credentials: Credential[]
beforeAll(async () => {
  const started = await collectRoutes(() => startApp())
  const { app, context, make } = started.made
  const target = { context, make, send: injectInto(app, new URL(context.configuration.publicUrl).host) }
  routes = started.routes
  network = await createTestNetwork(target)
  credentials = await createCredentials(target)
})

describe.each(calls.map((call) => [callName(call), call] as const))('%s', (_name, call) => {
  test(`is for ${call.capability === 'no session' ? 'everyone' : `people who can ${call.capability}`}, and changes nothing for everyone else`, async () => {
    const report = new AccessReport()
    await checkCallAccess(call, credentials, network, report)
    expect([...report.mismatches, ...report.changed]).toEqual([])
    expect(report.succeeded).toBe(1)
  })
})

test('the server registers only the calls and a few named routes', () => {
  const strange = findUnknownRoutes(routes)
  expect(strange).toEqual([])
})

test('anything that is not a call answers 404 or 405 under every method, and no spelling of an address leads past the guard', async () => {
  const { attempts } = await checkMethods(network.send, routes, [], [network.owner.headers])
  expect(attempts.tried).toBeGreaterThan(1000)
  expect(attempts.wrong).toEqual([])
  expect((await checkPathSpellings(network.send)).wrong).toEqual([])
})

test('each page has the guard that the written list of pages gives it', () => {
  expect(readAppPages()).toEqual(PAGES)
})

test('someone in person is what sessions and tokens take, and nothing else', () => {
  const sessionOnly = calls.filter((call) => call.sessionOnly).map(callName)
  expect(sessionOnly).toEqual(
    calls
      .map(callName)
      .filter((name) =>
        / (\/api\/(accounts?|assistants|calendars|devices|scim-tokens|live\/forms)(\/|$)|\/api\/setup\/remove-sample$|\/auth\/(refresh|logout|offline|azure\/test)$)/.test(
          name,
        ),
      ),
  )
})

test('the capabilities are those of the written table of levels', () => {
  const levels = Object.fromEntries(
    calls.map((call) => [
      callName(call),
      call.capability === 'no session' ? 'anyone' : [10, 6, 5, 1].find((level) => can(level, call.capability as never)),
    ]),
  )
  const below10 = Object.fromEntries(Object.entries(levels).filter(([, level]) => level !== 10))
  expect(below10).toEqual({
    'GET /auth/azure': 'anyone',
    'GET /auth/azure/callback': 'anyone',
    'GET /auth/azure/test': 1,
    'GET /auth/refresh': 'anyone',
    'GET /auth/logout': 'anyone',
    'GET /auth/offline': 'anyone',
    'POST /locations-api/is_support': 'anyone',
    'POST /log-error': 'anyone',
    'POST /api/verify': 'anyone',
    'GET /calendar/:secret.ics': 'anyone',
    'GET /dav-profile/:ticket.mobileconfig': 'anyone',
    'GET /api/setup': 1,
    'PATCH /api/setup/steps/:step': 1,
    'GET /api/setup/findings': 1,
    'POST /api/setup/test-mail': 1,
    'POST /api/setup/remove-sample': 1,
    'GET /api/accounts': 1,
    'GET /api/accounts/:id': 1,
    'GET /api/people/:id/access': 6,
    'GET /api/accounts/:id/sessions': 1,
    'DELETE /api/accounts/:id/sessions/:session': 1,
    'GET /api/accounts/:id/tokens': 1,
    'DELETE /api/accounts/:id/tokens/:token': 1,
    'POST /api/accounts/:id/sign-out-everywhere': 1,
    'GET /api/accounts/:id/comments': 1,
    'DELETE /api/accounts/:id/comments': 1,
    'GET /api/audit': 1,
    'GET /api/audit/actors': 1,
    'GET /api/audit/entries': 1,
    'GET /api/audit/workbook': 1,
    'GET /api/erase/:kind/:id': 1,
    'POST /api/erase': 1,
    'GET /api/erasures': 1,
    'GET /api/scim-tokens': 1,
    'POST /api/scim-tokens': 1,
    'DELETE /api/scim-tokens/:id': 1,
    'GET /api/level-mappings': 1,
    'PUT /api/level-mappings': 1,
    'GET /api/level-mappings/groups': 1,
    'GET /api/permissions/app_permissions/:appId': 6,
    'GET /api/permissions/groups': 6,
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
    'GET /api/history/permission/:id': 6,
    'GET /api/history/charter_affair/:id': 6,
    'GET /api/past-days/charter_affair/:id': 6,
    'POST /api/history/charter_affair/:id/:change': 5,
    'GET /api/requests': 6,
    'POST /api/archive': 6,
    'GET /api/archive/:kind/:id': 6,
    'DELETE /api/archive/:kind/:id': 6,
    'POST /api/bulk/preview': 6,
    'POST /api/bulk/apply': 6,
    'GET /api/changesets/:id': 6,
    'POST /api/changesets/:id/undo': 6,
    'POST /api/saves/undo': 6,
    'GET /api/planned': 6,
    'POST /api/planned': 6,
    'DELETE /api/planned/:id': 6,
    'POST /api/planned/:id/keep': 6,
    'GET /api/sheets/:kind': 6,
    'POST /api/sheets/:kind/file': 6,
    'POST /api/sheets/:kind/preview': 6,
    'GET /api/sheets/preview/:id': 6,
    'POST /api/sheets/preview/:id/apply': 6,
    'GET /api/sheets/preview/:id/progress': 6,
    'POST /api/sheets/preview/:id/stop': 6,
    'GET /api/sheets/preview/:id/file': 6,
    'POST /api/imports/:kind': 5,
    'GET /api/imports': 5,
    'PATCH /api/imports/:id': 5,
    'GET /api/imports/:id': 5,
    'POST /api/imports/:id/apply': 5,
    'PATCH /api/requests/:id': 6,
    'POST /api/requests/:id/mail': 6,
    'GET /api/settings': 5,
    'POST /locations-api/addbrand': 6,
    'PUT /locations-api/people/:id': 6,
    'GET /api/people/disabled': 6,
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
    'GET /api/settings/deadlines': 5,
    'PUT /api/settings/deadlines': 5,
    'PUT /api/settings/checks': 5,
    'PUT /api/settings/facility-types': 5,
    'GET /api/site-defaults': 6,
    'GET /api/deadlines/unread': 6,
    'GET /api/deadlines/contradictions': 6,
    'GET /api/deadlines/charters/:id/texts': 6,
    'POST /api/deadlines': 5,
    'DELETE /api/deadlines/:id': 5,
    'GET /api/search/misses': 1,
    'PUT /api/views/:id/sharing': 6,
    'GET /api/exports/excel/charter_affairs': 6,
    'POST /api/dossiers': 6,
    'GET /api/dossiers': 6,
    'GET /api/dossiers/:id': 6,
    'GET /api/dossiers/:id/pdf': 6,
    'GET /api/dossiers/:id/zip': 6,
    'GET /api/exports/preview/charter_affairs': 6,
    'GET /api/exports/downloads': 1,
    'GET /api/usage': 1,
    'GET /api/server-state': 1,
    'GET /api/errors': 1,
    'GET /api/errors/:fingerprint': 1,
    'POST /api/errors/:fingerprint/seen': 1,
    'GET /api/duplicates': 6,
    'POST /api/duplicates/dismiss': 6,
    'POST /api/duplicates/find': 6,
    'POST /api/merges/preview': 6,
    'POST /api/merges': 6,
    'GET /api/webhooks': 1,
    'GET /api/webhooks/:id': 1,
    'POST /api/webhooks': 1,
    'PATCH /api/webhooks/:id': 1,
    'POST /api/webhooks/:id/secret': 1,
    'DELETE /api/webhooks/:id': 1,
    'POST /api/webhooks/preview': 1,
    'POST /api/webhooks/:id/test': 1,
    'GET /api/webhooks/:id/deliveries': 1,
    'POST /api/webhooks/:id/deliveries/:delivery/replay': 1,
    'GET /api/settings/assistants': 1,
    'PUT /api/settings/assistants': 1,
  })
})
