import { createHash } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { createDeparture, deleteDeparture } from '../../src/app/departures/contract.ts'
import { downloads, listDownloads } from '../../src/app/exports/contract.ts'
import type { AuditKind } from '../../src/contract/audit.ts'
import {
  createToken,
  endSession,
  listOwnSessions,
  listSessions,
  removeOwnToken,
  signOutEverywhere,
} from '../../src/features/access/accounts/contract.ts'
import { createDevice, deleteDevice } from '../../src/features/access/devices/contract.ts'
import { deleteCopy, readOffline } from '../../src/features/access/offline/contract.ts'
import { grantPermission, removePermission } from '../../src/features/access/permissions/contract.ts'
import { finishSignIn, signOut } from '../../src/features/access/session/contract.ts'
import { applyBulkChange, cancelPlannedChange, planChange, undoChangeset } from '../../src/features/changing/changesets/contract.ts'
import { saveCheckSettings } from '../../src/features/changing/checks/contract.ts'
import { readHistory, restoreFromHistory } from '../../src/features/changing/history/contract.ts'
import { createCalendar, deleteCalendar, renewCalendarAddress } from '../../src/features/deadlines/calendars/contract.ts'
import { saveDeadlineSettings } from '../../src/features/deadlines/deadlines/contract.ts'
import { endAssistant, listAssistants, saveAssistantSettings } from '../../src/features/exchange/assistants/contract.ts'
import { type AuditEvent, listAuditEvents } from '../../src/features/operations/audit/contract.ts'
import { recordInterruptedDownloads } from '../../src/platform/server/download-log.ts'
import { downloadList } from '../../src/records/list-download/contract.ts'
import { saveSettings } from '../../src/records/settings/contract.ts'
import { updateSite } from '../../src/records/sites/contract.ts'
import { type SignedInCaller, startApp, type TestApp } from '../support/app.ts'
import { ask, connectClient, letIn } from '../support/assistants.ts'
import { createImporter } from '../support/charter-import.ts'
import { startListeningApp } from '../support/listening-app.ts'
import { createProviderUser, startOidcProvider } from '../support/oidc-provider.ts'
import { getTicket, refreshSession, signIn } from '../support/provider-sign-in.ts'

// Performs each audited action with its call, and reads the recorded events as level 1.

let app: TestApp
let top: SignedInCaller
let last = 0
/** The events recorded since the test began. */
const listNew = async (): Promise<AuditEvent[]> => top.send(listAuditEvents, { query: { cursor: last } })
beforeAll(async () => {
  app = await startApp()
  top = app.as(1)
  await app.make.permission()
})
beforeEach(async () => {
  last = (await top.send(listAuditEvents, { query: { order: 'newest', limit: 1 } }))[0]?.sequence ?? 0
})

const by = async (who: SignedInCaller, token: string | null = null) => {
  const { account, azureID, name } = await who.who()
  return { account, actor: azureID, name, token, address: '127.0.0.1', request: expect.any(String) }
}
const event = (kind: AuditKind, record: unknown, after: unknown, before: unknown = null) => ({ kind, record, before, after })

describe('the audit trail records with person, address and values', () => {
  test('a permission granted and removed', async () => {
    const me = app.as(5)
    const userInfo = { azureID: 'granted@audit.test', name: 'Dana Reyes', accessLevel: 6 as const }
    const { _id } = await me.send(grantPermission, { body: { applicationID: 'homeroom', userInfo } })
    await me.send(removePermission, { params: { id: _id } })
    const events = [event('permission.granted', _id, userInfo), event('permission.removed', _id, null, userInfo)]
    const who = await by(me)
    expect(await listNew()).toEqual(
      events.map((one, at) => ({
        ...one,
        ...who,
        sequence: last + 1 + at,
        at: expect.any(String),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      })),
    )
  })

  test('an action of a program, with the name of its token', async () => {
    const me = app.as(5)
    await (await me.program()).send(saveSettings, { body: { organisation: 'Meridian' } })
    expect(await listNew()).toMatchObject([{ ...(await by(me, 'A program')), kind: 'settings.changed' }])
  })

  test('API tokens and sessions that are ended', async () => {
    const [caller, other] = [app.as(6), app.as(10)]
    const { account } = await caller.who()
    const { made } = await caller.send(createToken, { body: { name: 'Nightly', days: 30, accessLevel: 10 } })
    await caller.send(removeOwnToken, { params: { id: made._id } })
    const { made: second } = await caller.send(createToken, { body: { name: 'Weekly', days: 30, accessLevel: 10 } })
    await caller.send(signOutEverywhere, { body: { tokens: true } })
    const { account: ended } = await other.who()
    const [session] = await top.send(listSessions, { params: { id: ended } })
    await top.send(endSession, { params: { id: ended, session: session?._id ?? '' } })
    const token = { account, accessLevel: 10 }
    expect(await listNew()).toMatchObject([
      { ...(await by(caller)), ...event('api_token.created', made._id, { ...token, name: 'Nightly', days: 30 }) },
      { ...(await by(caller)), ...event('api_token.removed', made._id, null, { ...token, name: 'Nightly' }) },
      event('api_token.created', second._id, { ...token, name: 'Weekly', days: 30 }),
      event('session.ended', account, { reason: 'signed out everywhere', sessions: 1 }),
      event('api_token.removed', second._id, null, { ...token, name: 'Weekly' }),
      { ...(await by(top)), ...event('session.ended', session?._id, { account: ended, reason: 'ended from a list' }) },
    ])
  })

  test('a departure with the permissions that end, and its undoing', async () => {
    const me = app.as(5)
    const person = await app.make.person({ email: 'leaving@audit.test', name: 'Robin Lee' })
    const { _id: permission } = await app.make.permission({
      person: person._id,
      azureID: 'leaving@audit.test',
      name: 'Robin Lee',
      accessLevel: 6,
    })
    const account = await app.make.account({ azureID: 'leaving@audit.test' })
    await me.send(createDeparture, { params: { id: person._id }, body: {} })
    await me.send(deleteDeparture, { params: { id: person._id } })
    const values = { address: 'leaving@audit.test', accounts: [account._id], permissions: [permission], roles: 0 }
    const grant = { name: 'Robin Lee', azureID: 'leaving@audit.test', accessLevel: 6 }
    expect(await listNew()).toMatchObject([
      { ...(await by(me)), ...event('departure.created', person._id, values) },
      event('permission.removed', permission, null, grant),
      event('session.ended', account._id, { reason: 'no longer employed' }),
      event('departure.undone', person._id, null, values),
      event('permission.granted', permission, grant),
    ])
  })

  test('restoring a value, but not editing a record', async () => {
    const me = app.as(6)
    const site = await app.make.site({ city: 'Lodi' })
    await me.send(updateSite, { params: { id: site._id }, body: { address: { city: 'Galt' } } })
    const [change] = (await me.send(readHistory, { params: { kind: 'site', id: site._id } })).changes
    await me.send(restoreFromHistory, { params: { kind: 'site', id: site._id, change: change?._id ?? '' }, body: { fields: ['city'] } })
    expect(await listNew()).toMatchObject([
      { ...(await by(me)), ...event('change.restored', site._id, { of: 'site', change: change?._id, fields: ['city'] }) },
    ])
  })

  test('changes that are undone together', async () => {
    const me = app.as(6)
    const site = await app.make.site({ city: 'Lodi' })
    const saved = await me.send(applyBulkChange, { body: { kind: 'site', ids: [site._id], changes: { 'address.city': 'Acampo' } } })
    const id = saved.changeset?._id ?? ''
    const undone = await me.send(undoChangeset, { params: { id }, body: {} })
    const after = { changeset: undone.changeset?._id, records: 1, leftAlone: 0, overwrite: false }
    expect(await listNew()).toMatchObject([
      { ...(await by(me)), ...event('changeset.saved', id, { what: 'change of many', of: 'site', records: 1 }) },
      { ...(await by(me)), ...event('changeset.undone', id, after) },
    ])
  })

  test('planned changes and their cancellation', async () => {
    const me = app.as(6)
    const site = await app.make.site({ city: 'Lodi' })
    const body = { kind: 'site' as const, _id: site._id, day: '2199-01-31', changes: { address: { city: 'Galt' } } }
    const { _id, batch } = await me.send(planChange, { body })
    await me.send(cancelPlannedChange, { params: { id: _id } })
    const plan = { of: 'site', day: '2199-01-31', records: 1 }
    expect(await listNew()).toMatchObject([
      { ...(await by(me)), ...event('planned_change.created', batch, plan) },
      event('planned_change.canceled', _id, null, plan),
    ])
  })

  test('a permission that raises a level, with the level before', async () => {
    const { _id } = await app.make.permission({ azureID: 'raised@audit.test', name: 'Kim Park', accessLevel: 9 })
    const userInfo = { azureID: 'raised@audit.test', name: 'Kim Park', accessLevel: 6 as const }
    await app.as(5).send(grantPermission, { body: { applicationID: 'homeroom', userInfo } })
    expect(await listNew()).toMatchObject([event('permission.granted', _id, userInfo, { ...userInfo, accessLevel: 9 })])
  })

  test('a download: what and how many rows, as in the download history', async () => {
    const me = app.as(6)
    await me.trySend(downloads.finance)
    await expect.poll(listNew, { message: 'the end of the first download' }).toHaveLength(1)
    await me.trySend(downloadList, { body: { list: 'sites', format: 'csv' } })
    const { sites } = await app.context.db
      .selectFrom('site')
      .select(({ fn }) => fn.countAll<number>().as('sites'))
      .executeTakeFirstOrThrow()
    const file = { rows: sites, bytes: expect.any(Number), outcome: 'whole', startedAt: expect.any(String) }
    const events = await listNew()
    expect(events).toMatchObject([
      { ...(await by(me)), ...event('download.finished', expect.any(String), { what: 'finance', ...file }) },
      event('download.finished', expect.any(String), { what: 'List: Resource Centers (CSV)', ...file }),
    ])
    const listed = await top.send(listDownloads)
    expect(listed.slice(0, 2).map(({ _id, kind, rows, outcome }) => ({ _id, kind, rows, outcome }))).toEqual(
      events.toReversed().map(({ record, after }) => ({ _id: record, kind: after?.['what'], rows: sites, outcome: 'whole' })),
    )
  })

  test('a download interrupted by the end of the server', async () => {
    const { account, name, azureID } = await top.who()
    await sql`insert into download (account, name, "azureID", kind, at) values (${account}, ${name}, ${azureID}, 'finance', now() - interval '2 hours')`.execute(
      app.context.db,
    )
    await recordInterruptedDownloads(app.context.db)
    expect(await listNew()).toMatchObject([
      { actor: azureID, kind: 'download.finished', after: { what: 'finance', outcome: 'broken off' } },
    ])
  })

  test('settings, only those that changed', async () => {
    const me = app.as(5)
    await me.send(saveSettings, { body: { organisation: 'First' } })
    await me.send(saveSettings, { body: { organisation: 'Second', supportRequestsTo: 'help@audit.test' } })
    await me.send(saveSettings, { body: { organisation: 'Second' } })
    await me.send(saveDeadlineSettings, { body: { kinds: [{ kind: 'lease', leadDays: [30], responsible: null, regions: [] }] } })
    await me.send(saveCheckSettings, { body: { intervals: { person: 90 } } })
    expect((await listNew()).slice(1)).toMatchObject([
      {
        ...(await by(me)),
        ...event(
          'settings.changed',
          'settings',
          { organisation: 'Second', supportRequestsTo: ['help@audit.test'] },
          { organisation: 'First', supportRequestsTo: [] },
        ),
      },
      event('settings.changed', 'deadlines', { lease: { leadDays: [30] } }, { lease: null }),
      event('settings.changed', 'checks', { person: 90 }, { person: null }),
    ])
  })

  test('device passwords, without the passwords', async () => {
    const me = app.as(10)
    const { account } = await me.who()
    const { _id, password } = await me.send(createDevice, { body: { name: 'Phone' } })
    await me.send(deleteDevice, { params: { id: _id } })
    const events = await listNew()
    const named = { account, name: 'Phone' }
    expect(events).toMatchObject([{ ...(await by(me)), ...event('device.created', _id, named) }, event('device.removed', _id, null, named)])
    expect(JSON.stringify(events)).not.toContain(password)
  })

  test('assistants that are let in and ended, and what they ask', async () => {
    const me = app.as(1)
    const { account } = await me.who()
    await me.send(saveAssistantSettings, { body: { isOn: true } })
    const { tokens } = await letIn(app, me)
    await ask(await connectClient(app, tokens.access_token), 'search', { query: 'principal' })
    const [assistant] = (await me.send(listAssistants)).filter(({ owner }) => owner._id === account)
    const _id = assistant?._id ?? ''
    await me.send(endAssistant, { params: { id: _id } })
    const events = await listNew()
    const allowed = { client: 'Claude', destination: 'assistant.test', scopes: ['look_up', 'suggest_changes'] }
    expect(events).toMatchObject([
      { kind: 'settings.changed', record: 'assistants' },
      event('assistant.allowed', _id, allowed),
      { kind: 'assistant.asked', token: 'Claude', after: { client: 'Claude', tool: 'search' } },
      event('assistant.ended', _id, null, { account, client: 'Claude' }),
    ])
    expect(JSON.stringify(events)).not.toContain(tokens.access_token)
  })

  test('copies of the directory on devices', async () => {
    const me = app.as(10)
    const { token } = await me.send(readOffline)
    await me.send(readOffline, { query: { since: token } })
    await me.send(deleteCopy)
    expect((await listNew()).map(({ kind }) => kind)).toEqual(['copy.created', 'copy.removed'])
  })

  test('calendar feeds, without their addresses', async () => {
    const me = app.as(10)
    const { account } = await me.who()
    const { _id, url } = await me.send(createCalendar, { body: { name: 'Mine', filter: { responsible: 'me' } } })
    const renewed = await me.send(renewCalendarAddress, { params: { id: _id } })
    await me.send(deleteCalendar, { params: { id: _id } })
    const events = await listNew()
    expect(events).toMatchObject([
      {
        ...(await by(me)),
        ...event('calendar.created', _id, { account, name: 'Mine', filter: { responsible: 'me' }, reminderDays: null }),
      },
      event('calendar.renewed', _id, { account }),
      event('calendar.removed', _id, null, { account }),
    ])
    const secrets = [url, renewed.url].map((address) => /calendar\/([\w-]{43})/.exec(address)?.[1] ?? '')
    for (const secret of secrets) {
      expect(secret).not.toBe('')
      expect(JSON.stringify(events)).not.toContain(secret)
      expect(JSON.stringify(events)).not.toContain(createHash('sha256').update(secret).digest('hex'))
    }
  })
})

test('an import is recorded with its file and its numbers, but not a dry run', async () => {
  const { importing, ...imported } = await createImporter()
  const rows = ['1,Audit Charter,Open,1 Main St,Lodi,CA,95240,209-555-0100,San Joaquin,K-12,,']
  await importing(rows, { name: 'schools.csv', args: ['--dry-run'] })
  await importing(rows, { name: 'schools.csv' })
  expect(await imported.as(1).send(listAuditEvents)).toMatchObject([
    {
      kind: 'import.finished',
      actor: null,
      name: 'homeroom import',
      after: { what: 'charters', file: 'schools.csv', rows: 1, added: 1, changed: 0, refused: 0 },
    },
  ])
})

test('signing in, failing to sign in, signing out, and being refused by the provider are recorded', async () => {
  const provider = await startOidcProvider()
  const server = await startListeningApp({ ...provider.environment, TRUST_PROXY: '1' })
  const first = server.as(1)
  const list = async () => (await first.send(listAuditEvents)).map(({ kind, actor, name, after }) => ({ kind, actor, name, after }))
  try {
    const someone = createProviderUser({ name: 'Dana Reyes', address: 'dana@audit.test' })
    provider.currentUser = someone
    const browser = server.visit()
    const ticket = await getTicket(browser)
    const session = await refreshSession(browser, ticket)
    expect((await refreshSession(browser, ticket)).status).toBe(401)
    await browser.open(finishSignIn.path)
    const { token } = (await session.json()) as { token: string }
    await browser.open(signOut.path, { headers: { authorization: `Bearer ${token}` } })
    await server.context.db.updateTable('account').set({ closedAt: new Date() }).where('azureID', '=', 'dana@audit.test').execute()
    await getTicket(server.visit())
    const dana = { actor: 'dana@audit.test', name: 'Dana Reyes' }
    const noActor = { actor: null, name: null }
    expect(await list()).toEqual([
      { kind: 'sign_in.succeeded', ...dana, after: { accessLevel: 10 } },
      { kind: 'sign_in.failed', ...noActor, after: { kind: 'ticket', reason: expect.any(String) } },
      { kind: 'sign_in.failed', ...noActor, after: { kind: 'not_started_here', reason: expect.any(String) } },
      { kind: 'session.ended', ...dana, after: { reason: 'signed out' } },
      { kind: 'sign_in.failed', ...dana, after: { kind: 'left', reason: expect.any(String) } },
    ])
    const secrets = [ticket, token, ...[...browser.cookies].map(([, { value }]) => value)].filter((value) => value.length > 20)
    const text = JSON.stringify(await first.send(listAuditEvents))
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])

    provider.currentUser = createProviderUser()
    await signIn(server.visit())
    // An attack from one address does not fill the table.
    for (let attempt = 0; attempt < 40; attempt++) await server.anonymous.request('GET', finishSignIn.path)
    await server.anonymous.request('GET', finishSignIn.path, { headers: { 'x-forwarded-for': '192.0.2.7' } })
    const failures = await first.send(listAuditEvents, { query: { kind: 'sign_in.failed' } })
    expect(failures).toHaveLength(31)
    expect(failures.at(-1)?.address).toBe('192.0.2.7')
  } finally {
    await provider.close()
  }
})

test('the end of a session is in the trail before its next request is refused', async () => {
  const caller = app.as(10)
  const [session] = await caller.send(listOwnSessions)
  await caller.request('DELETE', `/api/account/sessions/${session?._id ?? ''}`)
  expect(await listNew()).toMatchObject([{ kind: 'session.ended', record: session?._id }])
  expect((await caller.trySend(listOwnSessions)).statusCode).toBe(401)
})
