import { beforeAll, beforeEach, expect, type MockInstance, test, vi } from 'vitest'

import { createDeparture, deleteDeparture } from '../../src/app/departures/contract.ts'
import {
  endSession,
  listOwnSessions,
  listSessions,
  listTokens,
  createToken,
  removeOwnToken,
  removeToken,
  signOutEverywhere,
  signOutAccount,
} from '../../src/features/access/accounts/contract.ts'
import { createDevice, deleteDevice } from '../../src/features/access/devices/contract.ts'
import { grantPermission, removePermission } from '../../src/features/access/permissions/contract.ts'
import { completeSignIn } from '../../src/features/access/session/complete-sign-in.server.ts'
import { toFailureEvent } from '../../src/features/access/session/provider.server.ts'
import { createCalendar, deleteCalendar, renewCalendarAddress } from '../../src/features/deadlines/calendars/contract.ts'
import { createWebhook, deleteWebhook, renewWebhookSecret, updateWebhook } from '../../src/features/exchange/webhooks/contract.ts'
import { saveSettings } from '../../src/records/settings/contract.ts'
import { type SignedInCaller, startApp, type TestApp } from '../support/app.ts'

// Sign-ins, changes of permissions and refused attempts: one line each, at the default log level.

let app: TestApp
let warn: MockInstance
beforeAll(async () => {
  app = await startApp()
  warn = vi.spyOn(app.context.log, 'warn')
  await app.make.permission()
})
beforeEach(() => warn.mockClear())

const logged = (): unknown[] => warn.mock.calls.map(([line]) => line as unknown)
const by = async (who: SignedInCaller) => ({ account: (await who.who()).account, reqId: expect.any(String), address: '127.0.0.1' })
let made = 0
const userInfo = () => ({ azureID: `told${++made}@events.test`, name: 'Somebody Private' })

test('a grant and a removal, with the record and its level', async () => {
  const me = app.as(5)
  const { _id } = await me.send(grantPermission, { body: { applicationID: 'homeroom', userInfo: { ...userInfo(), accessLevel: 6 } } })
  await me.send(removePermission, { params: { id: _id } })
  expect(logged()).toEqual([
    { event: 'permission_granted', ...(await by(me)), permission: _id, person: null, level: 6 },
    { event: 'permission_removed', ...(await by(me)), permission: _id, level: 6 },
  ])
})

test('a leaving and its undoing, also by a program', async () => {
  const me = app.as(6)
  const program = await me.program()
  const person = await app.make.person()
  await me.send(createDeparture, { params: { id: person.slug }, body: {} })
  await program.send(deleteDeparture, { params: { id: person._id } })
  expect(logged()).toEqual([
    { event: 'person_left', ...(await by(me)), person: person._id },
    { event: 'leaving_undone', ...(await by(me)), program: true, person: person._id },
  ])
})

test('a calendar feed created, given a new address and removed by level 1 is recorded with owner and actor, without its address', async () => {
  const [top, caller] = [app.as(1), app.as(10)]
  const { account: of } = await caller.who()
  const { _id: calendar } = await caller.send(createCalendar, { body: { name: 'Private name' } })
  await caller.send(renewCalendarAddress, { params: { id: calendar } })
  await top.send(deleteCalendar, { params: { id: calendar } })
  expect(logged()).toEqual([
    { event: 'calendar_made', ...(await by(caller)), of, calendar },
    { event: 'calendar_renewed', ...(await by(caller)), of, calendar },
    { event: 'calendar_removed', ...(await by(top)), of, calendar },
  ])
})

test('a device password created and removed by level 1 is recorded with owner and actor, without the password', async () => {
  const [top, caller] = [app.as(1), app.as(10)]
  const { account: of } = await caller.who()
  const { _id: device } = await caller.send(createDevice, { body: { name: 'Private name' } })
  await top.send(deleteDevice, { params: { id: device } })
  expect(logged()).toEqual([
    { event: 'device_made', ...(await by(caller)), of, device },
    { event: 'device_removed', ...(await by(top)), of, device },
  ])
})

test('creating, changing and removing a webhook or its secret is recorded without its address or secret', async () => {
  const top = app.as(1)
  const { _id: webhook } = await top.send(createWebhook, { body: { url: 'https://private.example/', events: ['site.changed'] } })
  const params = { id: webhook }
  await top.send(updateWebhook, { params, body: { url: 'https://private.example/other' } })
  await top.send(renewWebhookSecret, { params, body: {} })
  await top.send(deleteWebhook, { params })
  expect(logged()).toEqual([
    { event: 'webhook_made', ...(await by(top)), webhook, events: ['site.changed'] },
    { event: 'webhook_changed', ...(await by(top)), webhook, fields: ['url'] },
    { event: 'webhook_secret_renewed', ...(await by(top)), webhook, hours: 24 },
    { event: 'webhook_removed', ...(await by(top)), webhook },
  ])
})

test('tokens made and removed, sessions ended, signing out everywhere: of which account and by which', async () => {
  const [top, caller] = [app.as(1), app.as(6)]
  const { account: of } = await caller.who()
  const make = async () => (await caller.send(createToken, { body: { name: 'Private name', days: 30, accessLevel: 10 } })).made._id
  const [one, other] = [await make(), await make()]
  await caller.send(removeOwnToken, { params: { id: one } })
  const [session] = await top.send(listSessions, { params: { id: of } })
  expect((await top.send(listTokens, { params: { id: of } })).length).toBe(2)
  await top.send(removeToken, { params: { id: of, token: other } })
  await top.send(endSession, { params: { id: of, session: session?._id ?? '' } })
  await top.send(signOutAccount, { params: { id: of }, body: {} })
  const theirs = app.as(10)
  await theirs.send(listOwnSessions)
  await theirs.send(signOutEverywhere, { body: { tokens: true } })
  expect(logged()).toEqual([
    { event: 'api_token_made', ...(await by(caller)), of, token: one, level: 10, days: 30 },
    { event: 'api_token_made', ...(await by(caller)), of, token: other, level: 10, days: 30 },
    { event: 'api_token_removed', ...(await by(caller)), of, token: one },
    { event: 'api_token_removed', ...(await by(top)), of, token: other },
    { event: 'session_ended', ...(await by(top)), of, session: session?._id },
    { event: 'signed_out_everywhere', ...(await by(top)), of, sessions: 0, tokens: 0 },
    { event: 'signed_out_everywhere', ...(await by(theirs)), of: (await theirs.who()).account, sessions: 1, tokens: 0 },
  ])
})

test('a request refused for insufficient access, before and after the guard, is an event; one that fails for other reasons is not', async () => {
  const me = app.as(6)
  const { _id } = await app.make.permission()
  await me.trySend(saveSettings, { body: {} })
  await me.trySend(removePermission, { params: { id: _id } })
  await me.trySend(removePermission, { params: { id: 'nobody' } })
  await me.trySend(grantPermission, { body: { applicationID: 'other', userInfo: userInfo() } })
  const refused = { event: 'access_refused', ...(await by(me)), status: 403 }
  expect(logged()).toEqual([
    { ...refused, call: 'PUT /api/settings', reason: 'You do not have access to do this' },
    { ...refused, call: 'DELETE /api/permissions/remove/:id', reason: 'You can’t remove someone with more access than you' },
  ])
})

test('a sign-in that this browser did not start, and an invalid ticket', async () => {
  await app.anonymous.request('GET', '/auth/azure/callback?code=a-code&state=a-state')
  const ticket = 'ab'.repeat(32)
  await app.anonymous.request('GET', '/auth/refresh', { headers: { authorization: `Bearer ${ticket}` } })
  const failed = { event: 'sign_in_failed', reqId: expect.any(String), account: null, address: '127.0.0.1', reason: expect.any(String) }
  expect(logged()).toEqual([
    { ...failed, kind: 'not_started_here' },
    { ...failed, kind: 'ticket' },
  ])
  expect(JSON.stringify(logged())).not.toMatch(/a-code|a-state|abab/)
})

test('a sign-in of someone who was marked as left, with the account where there was one', async () => {
  const colleague = app.as(10)
  const { account, azureID, name } = await colleague.who()
  const person = await app.make.person({ email: azureID })
  await app.as(6).send(createDeparture, { params: { id: person._id }, body: {} })
  const { tenant, objectId } = await app.context.db.selectFrom('account').selectAll().where('_id', '=', account).executeTakeFirstOrThrow()
  const never = await app.make.person()
  await app.as(6).send(createDeparture, { params: { id: never._id }, body: {} })
  const failure = (identity: { objectId: string; address: string }) =>
    completeSignIn(app.context, {
      identity: { tenant, name, ...identity },
      idToken: 'i',
      tokens: { accessToken: 'a', expiresAt: Date.now() },
      browser: 'b',
      request: 'r',
    }).catch(toFailureEvent)
  const left = { kind: 'left', reason: 'this person has left' }
  expect(await failure({ objectId, address: azureID })).toEqual({ ...left, account })
  // The account that the sign-in would have created does not exist.
  expect(await failure({ objectId: 'new', address: never.email ?? '' })).toEqual({ ...left, account: null })
})
