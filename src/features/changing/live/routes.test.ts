import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { TestApp } from '../../../../test/support/app.ts'
import { startListeningApp } from '../../../../test/support/listening-app.ts'
import { type LiveStream, openLiveStream } from '../../../../test/support/live-stream.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { buildApp } from '../../../app/app.server.ts'
import { saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { endOwnSession, listOwnSessions } from '../../access/accounts/contract.ts'
import { insertApiToken } from '../../access/session/mutations.server.ts'
import { createDeadline } from '../../deadlines/deadlines/contract.ts'
import { planChange } from '../changesets/contract.ts'
import { createComment } from '../comments/contract.ts'
import { sendChangeRequest } from '../requests/contract.ts'
import { announceForm, leaveForm } from './contract.ts'

let app: TestApp
let url: string
const opened: LiveStream[] = []
beforeAll(async () => {
  app = await startListeningApp()
  url = app.context.configuration.publicUrl
})
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})

// Clients keep connections that were never used, which are not idle for the server.
afterAll(() => app.app.server.closeAllConnections())

type Headers = Readonly<Record<string, string>>
const open = async (headers: Headers, more: Parameters<typeof openLiveStream>[2] & { at?: string } = {}): Promise<LiveStream> => {
  const stream = await openLiveStream(more.at ?? url, headers, more)
  opened.push(stream)
  return stream
}
const openAt = async (level: number) => open(await app.as(level).headers())
const soon = { timeoutMs: 2000, intervalMs: 10 }
const arrives = (stream: LiveStream, _id: string): Promise<void> =>
  waitUntil('the change arrives', () => stream.changes().some((change) => change._id === _id), soon)
const rename = (_id: string, description = randomUUID()) =>
  app.as(1).send(updateSite, { params: { id: _id }, body: { address: { description } } })

test('a stream is not held back by proxies, and kept by no cache', async () => {
  const { status, headers } = await openAt(10)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store, no-transform')
  expect(headers.get('x-accel-buffering')).toBe('no')
  expect(headers.get('content-encoding')).toBeNull()
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('without a session there is none', async () => {
  expect((await open({})).status).toBe(401)
})

test('neither a stream nor an open form keeps a session alive, and metrics and the log do not count it as slow', async () => {
  const lines: string[] = []
  const configuration = { ...app.context.configuration, port: 0, metricsTokens: ['a-token-of-operators-1'], slowMs: 1 }
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const other = await buildApp({ ...app.context, configuration, log })
  const at = await other.listen({ host: '127.0.0.1', port: 0 })
  const caller = app.as(6)
  const { account } = await caller.who()
  const session = () => app.context.db.selectFrom('session').select('usedAt').where('account', '=', account).executeTakeFirstOrThrow()
  await app.context.db
    .updateTable('session')
    .set({ usedAt: new Date(Date.now() - 10 * 60_000) })
    .where('account', '=', account)
    .execute()
  await app.catchUp()
  const before = await session()
  const headers = { ...(await caller.headers()), host: new URL(url).host }
  const stream = await open(headers, { at })
  const site = await app.make.site()
  await arrives(stream, site._id)
  await other.inject({ method: 'PUT', url: `/api/live/forms/${randomUUID()}`, headers, payload: { kind: 'site', _id: site._id } })
  expect(await session()).toEqual(before)
  const metrics = await other.inject({ url: '/metrics', headers: { host: headers.host, authorization: 'Bearer a-token-of-operators-1' } })
  expect(metrics.body).toContain('homeroom_open_streams 1\n')
  // The request for the metrics itself.
  expect(metrics.body).toContain('http_requests_in_flight 1\n')
  stream.close()
  await waitUntil('the server has noticed', async () => {
    const { body } = await other.inject({
      url: '/metrics',
      headers: { host: headers.host, authorization: 'Bearer a-token-of-operators-1' },
    })
    return body.includes('homeroom_open_streams 0\n')
  })
  expect(lines.filter((line) => line.includes('GET /api/live"'))).toEqual([])
  await other.inject({ url: '/auth', headers })
  expect(await session()).not.toEqual(before)
  other.server.closeAllConnections()
  await other.close()
})

test('HEAD ends', async () => {
  expect((await fetch(`${url}/api/live`, { method: 'HEAD', headers: await app.as(10).headers() })).status).toBe(200)
})

describe('a change', () => {
  test('arrives within two seconds with who made it, and with its fields for those who may read the history', async () => {
    const site = await app.make.site()
    const [ten, six] = [await openAt(10), await openAt(6)]
    const editor = app.as(6)
    const own = await open(await editor.headers())
    await editor.send(updateSite, { params: { id: site._id }, body: { address: { description: 'By the park' } } })
    for (const stream of [ten, six, own]) await arrives(stream, site._id)
    const change = { kind: 'site', _id: site._id, action: 'changed', at: expect.any(String), by: (await editor.who()).name }
    expect(ten.changes().filter(({ _id }) => _id === site._id)).toEqual([change])
    expect(six.changes().filter(({ _id }) => _id === site._id)).toEqual([{ ...change, changed: ['description'] }])
    expect(own.changes().filter(({ _id }) => _id === site._id)).toEqual([{ ...change, changed: ['description'], own: true }])
  })

  test('of a part is one of its record, and of a role one of the person too', async () => {
    const [site, person] = [await app.make.site(), await app.make.person()]
    const stream = await openAt(6)
    await app.make.facility(site._id, { county: 'Orange' })
    await app.make.sitePerson(site._id, 'Principal', person._id)
    await arrives(stream, person._id)
    expect(stream.changes().filter(({ _id }) => _id === site._id)).toMatchObject([
      { kind: 'site', action: 'changed', changed: ['facility_info.county'] },
      { kind: 'site', action: 'changed', changed: ['people'] },
    ])
    expect(stream.changes().filter(({ _id }) => _id === person._id)).toMatchObject([{ kind: 'person', action: 'changed' }])
  })

  test('of a charter affair reaches no one below its level, by session or API token', async () => {
    const charter = await app.make.charter()
    const affair = await app.make.affair({ charter: charter._id })
    const program = async (accessLevel: number): Promise<LiveStream> => {
      const { account } = await app.as(1).who()
      const { token } = await insertApiToken(app.context.db, { account, name: 'A program', accessLevel, days: 30 })
      return open({ authorization: `Bearer ${token}` })
    }
    const [ten, seven, limited] = [await openAt(10), await openAt(7), await program(7)]
    const [six, full] = [await openAt(6), await program(6)]
    await app
      .as(5)
      .send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { fein: '12-3456789' } }, headers: { 'if-match': '*' } })
    const site = await app.make.site()
    for (const stream of [ten, seven, limited, six, full]) await arrives(stream, site._id)
    for (const stream of [ten, seven, limited]) {
      expect(JSON.stringify(stream.events)).not.toContain(affair._id)
      expect(JSON.stringify(stream.events)).not.toContain('charter_affair')
    }
    for (const stream of [six, full])
      expect(stream.changes().filter(({ _id }) => _id === affair._id)).toMatchObject([
        { kind: 'charter_affair', changed: ['overview.fein'] },
      ])
  })

  test('of a request reaches those who answer requests, and who sent it', async () => {
    const { site } = await app.make.network()
    const [sender, other] = [app.as(10), app.as(10)]
    const [own, foreign, six] = [await open(await sender.headers()), await open(await other.headers()), await openAt(6)]
    const { _id } = await sender.send(sendChangeRequest, { body: { site: site._id, correctText: 'The gate is blue now' } })
    const last = await app.make.site()
    for (const stream of [own, foreign, six]) await arrives(stream, last._id)
    for (const stream of [own, six])
      expect(stream.changes()).toContainEqual(expect.objectContaining({ kind: 'request', action: 'created', _id }))
    expect(foreign.changes().filter(({ kind }) => kind === 'request')).toEqual([])
  })

  test('of a deadline reaches those who may read charter affairs', async () => {
    const { site } = await app.make.network()
    const [six, ten] = [await openAt(6), await openAt(10)]
    const body = { site: site._id, title: 'Fire drill', date: '2027-03-01', kind: 'lease' } as const
    const { _id } = await app.as(5).send(createDeadline, { body })
    await arrives(six, _id)
    const last = await app.make.site()
    for (const stream of [six, ten]) await arrives(stream, last._id)
    expect(six.changes()).toContainEqual(expect.objectContaining({ kind: 'deadline', action: 'created', _id }))
    expect(ten.changes().filter(({ kind }) => kind === 'deadline')).toEqual([])
  })

  test('made at another server arrives too, whichever way it is saved', async () => {
    const second = await app.startSecond()
    const site = await app.make.site()
    const stream = await openAt(10)
    // One statement, found by polling; then a transaction, which notifies.
    await second.as(1).send(updateSite, { params: { id: site._id }, body: { address: { description: 'Elsewhere' } } })
    await arrives(stream, site._id)
    const made = await second.make.site()
    await arrives(stream, made._id)
    expect(stream.changes().find(({ _id }) => _id === made._id)).toMatchObject({ kind: 'site', action: 'created' })
    await second.stop()
  })
})

describe('what has no history', () => {
  const toldOf = (stream: LiveStream, kind: string): boolean => stream.list('kinds').some(({ kinds }) => kinds.includes(kind))

  test('a comment is told to everyone within two seconds, and a planned change to those who may plan', async () => {
    const site = await app.make.site()
    const [ten, six] = [await openAt(10), await openAt(6)]
    await app.as(10).send(createComment, { params: { kind: 'site', id: site._id }, body: { text: 'The gate is closed on Mondays' } })
    await waitUntil('the comment is told', () => toldOf(ten, 'comment') && toldOf(six, 'comment'), soon)
    const body = { kind: 'site' as const, _id: site._id, day: '2031-07-01', changes: { 'address.phone': '209-555-0142' } }
    await app.as(6).send(planChange, { body })
    await waitUntil('the planned change is told', () => toldOf(six, 'planned_change'), soon)
    expect(toldOf(ten, 'planned_change')).toBe(false)
  })

  test('a client that comes back reads it again', async () => {
    const headers = await app.as(10).headers()
    const stream = await open(headers)
    const site = await app.make.site()
    await arrives(stream, site._id)
    const lastEvent = stream.events.findLast(({ id }) => id !== undefined)?.id ?? ''
    expect((await open(headers, { lastEvent })).list('kinds')).toEqual([{ kinds: ['comment'] }])
  })
})

describe('a stream ends', () => {
  test('when its session ends', async () => {
    const caller = app.as(10)
    const [stream, other] = [await open(await caller.headers()), await openAt(10)]
    const [session] = await caller.send(listOwnSessions)
    await caller.send(endOwnSession, { params: { id: session?._id ?? '' } })
    await waitUntil('it ends', stream.isEnded, soon)
    expect(other.isEnded()).toBe(false)
  })

  test('when the level changes', async () => {
    const caller = app.as(6)
    const [stream, other] = [await open(await caller.headers()), await openAt(6)]
    const { account } = await caller.who()
    await app.context.db.updateTable('permission').set({ accessLevel: 5 }).where('account', '=', account).execute()
    await waitUntil('it ends', stream.isEnded, soon)
    expect(other.isEnded()).toBe(false)
  })

  test('when a session opens too many', async () => {
    const headers = await app.as(10).headers()
    const streams: LiveStream[] = []
    for (let at = 0; at < 10; at++) streams.push(await open(headers))
    await waitUntil('the oldest have ended', () => streams.filter((stream) => stream.isEnded()).length === 2, soon)
    expect(streams.map((stream) => stream.isEnded())).toEqual([true, true, ...Array.from({ length: 8 }, () => false)])
  })

  test('when the server stops, which does not wait for it', async () => {
    const second = await startListeningApp()
    const stream = await open(await second.as(10).headers(), { at: second.context.configuration.publicUrl })
    const from = performance.now()
    await second.stop()
    await waitUntil('it ends', stream.isEnded, soon)
    expect(performance.now() - from).toBeLessThan(3000)
  })
})

describe('a client that comes back', () => {
  test('learns what it missed, also from another server', async () => {
    const [site, later] = [await app.make.site(), await app.make.site()]
    const headers = await app.as(6).headers()
    const stream = await open(headers)
    await rename(site._id)
    await arrives(stream, site._id)
    const lastEvent = stream.events.findLast(({ id }) => id !== undefined)?.id ?? ''
    stream.close()
    await rename(later._id)
    const back = await open(headers, { lastEvent })
    expect(back.changes()).toContainEqual(expect.objectContaining({ _id: later._id, changed: ['description'] }))
    const second = await app.startSecond()
    await second.app.listen({ host: '127.0.0.1', port: 0 })
    const elsewhere = await open({ ...headers, host: new URL(url).host }, { lastEvent, at: second.app.listeningOrigin })
    expect(elsewhere.changes().map(({ _id }) => _id)).toContain(later._id)
    await second.stop()
  })

  test('of another database is told to read everything again', async () => {
    const headers = await app.as(10).headers()
    expect((await open(headers, { lastEvent: '999999999' })).list('reset')).toEqual([{}])
  })

  test('learns at first what has changed since its page was read', async () => {
    const site = await app.make.site()
    await rename(site._id)
    const stream = await open(await app.as(10).headers(), { query: '?age=30' })
    expect(stream.changes().map(({ _id }) => _id)).toContain(site._id)
    expect((await openAt(10)).changes()).toEqual([])
  })
})

describe('an open form', () => {
  const announce = (caller: ReturnType<TestApp['as']>, form: string, _id: string, kind: 'site' | 'charter_affair' = 'site') =>
    caller.trySend(announceForm, { params: { form }, body: { kind, _id } })

  test('says who else has it open, until they leave', async () => {
    const second = await app.startSecond()
    const [site, mine, theirs] = [await app.make.site(), randomUUID(), randomUUID()]
    const [me, other] = [app.as(6), second.as(5)]
    const stream = await open(await me.headers())
    expect((await announce(me, mine, site._id)).json()).toEqual({ editors: [] })
    await announce(other, theirs, site.slug)
    const { name } = await other.who()
    await waitUntil('the other is shown', () => stream.list('editors').length === 1, soon)
    expect(stream.list('editors')).toEqual([{ form: mine, editors: [name] }])
    expect((await announce(me, mine, site._id)).json()).toEqual({ editors: [name] })
    await other.send(leaveForm, { params: { form: theirs } })
    await waitUntil('the other is gone', () => stream.list('editors').length === 2, soon)
    expect(stream.list('editors')[1]).toEqual({ form: mine, editors: [] })
    await second.stop()
  })

  test('is forgotten within ten seconds without a word, and asked about until then', async () => {
    const [site, mine, theirs] = [await app.make.site(), randomUUID(), randomUUID()]
    const [me, other] = [app.as(6), app.as(6)]
    const stream = await open(await me.headers())
    await announce(other, theirs, site._id)
    await announce(me, mine, site._id)
    const from = performance.now()
    await waitUntil(
      'the other is forgotten',
      async () => {
        await announce(me, mine, site._id)
        return stream.list('editors').some(({ editors }) => editors.length === 0)
      },
      { timeoutMs: 10_000, intervalMs: 500 },
    )
    expect(performance.now() - from).toBeLessThan(10_000)
    expect(stream.list('announce').length).toBeGreaterThan(0)
  })

  test('is shown neither to its own account nor to someone who may not edit the record', async () => {
    const site = await app.make.site()
    const [me, ten] = [app.as(6), app.as(10)]
    const [stream, below] = [await open(await me.headers()), await open(await ten.headers())]
    const [one, two] = [randomUUID(), randomUUID()]
    await announce(me, one, site._id)
    expect((await announce(me, two, site._id)).json()).toEqual({ editors: [] })
    expect((await announce(ten, randomUUID(), site._id)).statusCode).toBe(403)
    await rename(site._id)
    for (const each of [stream, below]) await arrives(each, site._id)
    for (const each of [stream, below]) expect(each.list('editors')).toEqual([])
    const affair = await app.make.affair({})
    expect((await announce(me, randomUUID(), affair.charter, 'charter_affair')).statusCode).toBe(403)
  })

  test('is closed only by who opened it', async () => {
    const [site, form] = [await app.make.site(), randomUUID()]
    const [me, other] = [app.as(6), app.as(6)]
    await announce(me, form, site._id)
    await other.send(leaveForm, { params: { form } })
    await announce(other, form, site._id)
    expect((await announce(other, randomUUID(), site._id)).json()).toEqual({ editors: [(await me.who()).name] })
  })
})

test('a change of very many records names only their kinds, and a client that missed it reads everything again', async () => {
  const headers = await app.as(10).headers()
  const stream = await open(headers)
  await sql`insert into person (name, slug, email) select 'Many ' || n, 'many-' || n, 'many' || n || '@factory.test'
    from generate_series(1, 1000) as n`.execute(app.context.db)
  await waitUntil('the kinds arrive', () => stream.list('many').length > 0, soon)
  expect(stream.list('many')).toEqual([{ kinds: ['person'] }])
  expect(stream.changes()).toEqual([])
  const lastEvent = stream.events[0]?.id ?? ''
  expect((await open(headers, { lastEvent })).list('reset')).toEqual([{}])
})
