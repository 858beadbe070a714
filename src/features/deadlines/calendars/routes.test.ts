import { randomUUID } from 'node:crypto'

import ICAL from 'ical.js'
import { sql } from 'kysely'
import nodeIcal from 'node-ical'
import { describe, expect, test } from 'vitest'

import { network, type SignedInCaller, startApp, type TestApp } from '../../../../test/support/app.ts'
import { createDeparture, deleteDeparture } from '../../../app/departures/contract.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import { saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { listDeadlines, updateDeadline } from '../deadlines/contract.ts'
import { addDays } from '../deadlines/rules.ts'
import { createCalendar, deleteCalendar, listCalendars, renewCalendarAddress } from './contract.ts'

const TODAY = toIsoDay(new Date(), 'America/Los_Angeles')

/** A charter with two dates, one of its sites with a lease, and someone with a calendar of both. */
const setUp = async (level = 6) => {
  const net = await network()
  const { make, as, app, context } = net
  const charter = await make.charter({ name: `Größe, “Ä”; 🎉 ${randomUUID()}` })
  const site = await make.site({ charter: charter._id })
  const [officer, owner] = [as(5), as(level)]
  const params = { id: charter._id }
  const save = (overview: object) => officer.send(saveCharterAffair, { params, body: { overview } })
  await save({ charter_expiration_date: '06/30/2031', wasc_visit_date: 'March 2032' })
  await officer.send(updateFacility, { params: { id: site._id }, body: { lease_end: '2029-05-31' } })
  const filter = { charter: charter.slug }
  const feed = await owner.send(createCalendar, { body: { name: 'Mine', filter, reminderDays: 7 } })
  const { host } = new URL(context.configuration.publicUrl)
  const readAddress = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
    await net.catchUp()
    return app.inject({ method, url: new URL(url).pathname, authority: host, headers })
  }
  /** The events, as read by two parsers. */
  const readEvents = async (url = feed.url) => {
    const response = await readAddress(url)
    expect(response.statusCode, response.body.slice(0, 300)).toBe(200)
    const calendar = new ICAL.Component(ICAL.parse(response.body) as never[])
    const events = calendar.getAllSubcomponents('vevent').map((component) => {
      const { uid, summary, startDate, sequence } = new ICAL.Event(component)
      return { uid, summary, date: startDate.toString(), sequence }
    })
    const others = Object.values(nodeIcal.sync.parseICS(response.body)).filter((item) => item?.type === 'VEVENT')
    expect(others.map((item) => [item?.uid, item?.summary])).toEqual(events.map(({ uid, summary }) => [uid, summary]))
    return events
  }
  const findDeadline = async (title: string) => {
    const found = (await officer.send(listDeadlines, { query: filter })).find((one) => one.title === title)
    if (!found) throw new Error(`There is no ${title}`)
    return found
  }
  return { ...net, charter, site, officer, owner, save, filter, feed, readAddress, readEvents, findDeadline }
}

const statusOf = async (caller: SignedInCaller, id: string, version?: number) =>
  (await caller.trySend(deleteCalendar, { params: { id }, ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }) }))
    .statusCode

describe('a calendar feed', () => {
  test('has every deadline that matches its filter, each with a stable id', async () => {
    const { feed, charter, site, readEvents, findDeadline, context } = await setUp()
    const { publicUrl } = context.configuration
    expect(feed).toMatchObject({ deadlines: 3, version: 1, url: expect.stringMatching(/\/calendar\/[\w-]{43}\.ics$/) })
    expect(feed.url.startsWith(`${publicUrl}/calendar/`)).toBe(true)
    const uidOf = async (title: string) => `${(await findDeadline(title))._id}@${new URL(publicUrl).hostname}`
    expect(await readEvents()).toEqual([
      { uid: await uidOf('Lease ends'), summary: `Lease ends: ${site.displayName}`, date: '2029-05-31', sequence: 1 },
      { uid: await uidOf('Charter expires'), summary: `Charter expires: ${charter.name}`, date: '2031-06-30', sequence: 1 },
      { uid: await uidOf('WASC visit'), summary: `WASC visit: ${charter.name}`, date: '2032-03-31', sequence: 1 },
    ])
  })

  test('moves an event whose date changes, and marks one that is handled or put off', async () => {
    const { readEvents, save, officer, findDeadline, charter } = await setUp()
    const [, before] = await readEvents()
    await save({ charter_expiration_date: '07/31/2031' })
    const [, moved] = await readEvents()
    expect(moved).toMatchObject({ uid: before?.uid, date: '2031-07-31' })
    expect(moved?.sequence).toBeGreaterThan(before?.sequence ?? 0)
    const { _id: id } = await findDeadline('Charter expires')
    await officer.send(updateDeadline, { params: { id }, body: { state: 'snoozed', snoozedUntil: addDays(TODAY, 3) } })
    const [, putOff] = await readEvents()
    expect(putOff).toMatchObject({ uid: before?.uid, summary: `Put off: Charter expires: ${charter.name}` })
    await officer.send(updateDeadline, { params: { id }, body: { state: 'handled' } })
    const [, handled] = await readEvents()
    expect(handled).toMatchObject({ uid: before?.uid, summary: `Handled: Charter expires: ${charter.name}` })
    expect(handled?.sequence).toBeGreaterThan(putOff?.sequence ?? 0)
  })

  test('is a calendar file that is not cached, and is not sent again if it is unchanged', async () => {
    const { feed, readAddress, save } = await setUp()
    const response = await readAddress(feed.url)
    expect(response.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    const head = await readAddress(feed.url, {}, 'HEAD')
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', response.headers['content-length']])
    const { etag } = response.headers
    const again = await readAddress(feed.url, { 'if-none-match': String(etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    await save({ charter_expiration_date: '07/31/2031' })
    expect((await readAddress(feed.url, { 'if-none-match': String(etag) })).statusCode).toBe(200)
  })

  test('has the deadlines of its owner if it is limited to their own', async () => {
    const { owner, make, officer, findDeadline, readEvents } = await setUp()
    const person = await make.person({ email: (await owner.who()).azureID })
    const { url, deadlines } = await owner.send(createCalendar, { body: { name: 'Own', filter: { responsible: 'me' } } })
    expect([deadlines, await readEvents(url)]).toEqual([0, []])
    const { _id: id } = await findDeadline('WASC visit')
    await officer.send(updateDeadline, { params: { id }, body: { responsible: person._id } })
    expect(await readEvents(url)).toMatchObject([{ date: '2032-03-31' }])
  })

  test('has the deadlines that match its search text', async () => {
    const { owner, filter, readEvents } = await setUp()
    const { url, deadlines } = await owner.send(createCalendar, { body: { name: 'WASC', filter: { ...filter, q: 'march 20' } } })
    expect(deadlines).toBe(1)
    expect(await readEvents(url)).toMatchObject([{ date: '2032-03-31' }])
  })

  test('is refused with a filter by a record that does not exist, and is empty once that record is deleted', async () => {
    const { owner, make, readEvents } = await setUp()
    const create = (filter: object) => owner.trySend(createCalendar, { body: { name: 'Of a charter', filter } })
    expect((await create({ charter: 'nowhere' })).json()).toMatchObject({ status: 422, errors: [{ path: 'filter' }] })
    for (const wrong of [{ kind: 'party' }, { from: '2030-02-30' }, { unknown: 'x' }]) expect((await create(wrong)).statusCode).toBe(422)
    const charter = await make.charter()
    const { url } = (await create({ charter: charter.slug })).json<{ url: string }>()
    await make.write((tx) => tx.deleteFrom('charter').where('_id', '=', charter._id).execute())
    expect(await readEvents(url)).toEqual([])
    expect((await owner.send(listCalendars, {})).find(({ name }) => name === 'Of a charter')).toMatchObject({ deadlines: 0 })
  })
})

describe('access to a calendar feed', () => {
  const titles = (events: readonly { summary: string }[]) => events.map(({ summary }) => summary.split(':')[0])

  test('ends for charters at the next read when the level of the owner ends, and returns with it', async () => {
    const { owner, readEvents, context } = await setUp()
    expect(titles(await readEvents())).toEqual(['Lease ends', 'Charter expires', 'WASC visit'])
    const { account, azureID } = await owner.who()
    await context.db.deleteFrom('permission').where('account', '=', account).execute()
    expect(titles(await readEvents())).toEqual(['Lease ends'])
    const { appId: applicationID } = context.configuration
    await context.db.insertInto('permission').values({ applicationID, azureID, name: 'x', account, accessLevel: 6 }).execute()
    expect(titles(await readEvents())).toEqual(['Lease ends', 'Charter expires', 'WASC visit'])
  })

  test('is limited to leases for someone without a level', async () => {
    const { feed, readEvents } = await setUp(10)
    expect(feed.deadlines).toBe(1)
    expect(titles(await readEvents())).toEqual(['Lease ends'])
  })

  test('ends when the owner leaves, even if that is undone', async () => {
    const { as, make, feed, owner, readAddress } = await setUp()
    const person = await make.person({ email: (await owner.who()).azureID })
    const administrator = as(1)
    expect((await readAddress(feed.url)).statusCode).toBe(200)
    await administrator.send(createDeparture, { params: { id: person._id }, body: {} })
    expect((await readAddress(feed.url)).statusCode).toBe(404)
    await administrator.send(deleteDeparture, { params: { id: person._id } })
    expect((await readAddress(feed.url)).statusCode).toBe(404)
  })

  test('is refused while the account is disabled or belongs to another tenant', async () => {
    const { feed, owner, readAddress, context } = await setUp()
    const { account } = await owner.who()
    const update = (columns: object) => context.db.updateTable('account').set(columns).where('_id', '=', account).execute()
    await update({ closedAt: new Date() })
    expect((await readAddress(feed.url)).statusCode).toBe(404)
    await update({ closedAt: null })
    expect((await readAddress(feed.url)).statusCode).toBe(200)
    await update({ tenant: 'another tenant' })
    expect((await readAddress(feed.url)).statusCode).toBe(404)
  })

  test('is refused with an unknown or invalid address', async () => {
    const { feed, readAddress } = await setUp()
    const last = feed.url.at(-5) === 'A' ? 'B' : 'A'
    const wrong = [`${feed.url.slice(0, -5)}${last}.ics`, feed.url.replace(/[^/]+$/, 'x.ics'), feed.url.slice(0, -4), `${feed.url}x`]
    for (const url of [...wrong, feed.url.replace('.ics', '%00.ics')])
      expect((await readAddress(url, { accept: 'text/html' })).statusCode).toBe(404)
  })
})

describe('the list of calendar feeds', () => {
  test('shows the content of each, and when and by which program it was last read, but not its address', async () => {
    const { owner, feed, filter, readAddress } = await setUp()
    const [before] = await owner.send(listCalendars, {})
    expect(before).toEqual({
      _id: feed._id,
      name: 'Mine',
      filter,
      reminderDays: 7,
      deadlines: 3,
      createdAt: expect.any(String),
      lastUsedAt: null,
      reader: null,
      isInUse: true,
      owner: { _id: (await owner.who()).account, name: (await owner.who()).name },
      version: 1,
    })
    await readAddress(feed.url, { 'user-agent': 'Microsoft Office/16.0 (Microsoft Outlook Mail 16.0)' })
    const [after] = await owner.send(listCalendars, {})
    expect(after).toMatchObject({ reader: 'Outlook', lastUsedAt: expect.any(String), version: 1 })
    expect(Math.abs(Date.parse(after?.lastUsedAt ?? '') - Date.now())).toBeLessThan(60_000)
  })

  test('shows which feeds were not read for 14 days', async () => {
    const { owner, feed, context } = await setUp()
    const isInUse = async (columns: { createdAt?: Date; lastUsedAt?: Date }) => {
      await context.db.updateTable('calendar').set(columns).where('_id', '=', feed._id).execute()
      return (await owner.send(listCalendars, {}))[0]?.isInUse
    }
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    expect(await isInUse({ createdAt: daysAgo(13.9) })).toBe(true)
    expect(await isInUse({ createdAt: daysAgo(14.1) })).toBe(false)
    expect(await isInUse({ lastUsedAt: daysAgo(13.9) })).toBe(true)
    expect(await isInUse({ lastUsedAt: daysAgo(14.1) })).toBe(false)
  })

  test('contains only the user’s own; level 1 may request everyone’s', async () => {
    const { owner, as, feed } = await setUp()
    const [other, top] = [as(5), as(1)]
    expect(await other.send(listCalendars, {})).toEqual([])
    expect((await other.trySend(listCalendars, { query: { all: 'true' } })).statusCode).toBe(403)
    const all = await top.send(listCalendars, { query: { all: 'true' } })
    const owned = { _id: (await owner.who()).account, name: (await owner.who()).name }
    expect(all.find(({ _id }) => _id === feed._id)).toMatchObject({ owner: owned, deadlines: null })
    expect(await top.send(listCalendars, {})).toEqual([])
  })

  test('is limited to fifty per person', async () => {
    const { as } = await network()
    const owner = as(10)
    const make = (at: number) => owner.trySend(createCalendar, { body: { name: `Feed ${at}` } })
    for (let at = 0; at < 50; at++) expect((await make(at)).statusCode).toBe(200)
    expect((await make(50)).statusCode).toBe(409)
  })
})

describe('the address of a feed', () => {
  test('is stored only as its hash', async () => {
    const { feed, context } = await setUp()
    const secret = /([\w-]{43})\.ics$/.exec(feed.url)?.[1] ?? ''
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(context.db)
    expect(rows.map(({ name }) => name)).toContain('calendar')
    for (const { name } of rows) {
      const found = await sql`select 1 from ${sql.table(name)} as t where position(${secret} in t::text) > 0`.execute(context.db)
      expect(found.rows, name).toEqual([])
    }
  })

  test('ends immediately when it is replaced by a new one, which has the same deadlines', async () => {
    const { owner, feed, readAddress, readEvents } = await setUp()
    await readAddress(feed.url)
    const params = { id: feed._id }
    const next = await owner.send(renewCalendarAddress, { params })
    expect(next).toMatchObject({ _id: feed._id, deadlines: 3, version: 2 })
    expect((await readAddress(feed.url)).statusCode).toBe(404)
    expect(await readEvents(next.url)).toHaveLength(3)
    const stale = await owner.trySend(renewCalendarAddress, { params, headers: { 'if-match': '"1"' } })
    expect(stale.statusCode).toBe(412)
    expect((await readAddress(next.url)).statusCode).toBe(200)
  })

  test('ends immediately when its owner or level 1 removes it, and no one else can', async () => {
    const { owner, officer, as, feed, readAddress } = await setUp()
    expect((await officer.trySend(renewCalendarAddress, { params: { id: feed._id } })).statusCode).toBe(404)
    expect(await statusOf(officer, feed._id)).toBe(404)
    expect(await statusOf(owner, feed._id, 7)).toBe(412)
    expect((await readAddress(feed.url)).statusCode).toBe(200)
    expect(await statusOf(owner, feed._id, 1)).toBe(204)
    expect((await readAddress(feed.url)).statusCode).toBe(404)
    expect(await statusOf(owner, feed._id)).toBe(404)
    const other = await owner.send(createCalendar, { body: { name: 'Another' } })
    const top = as(1)
    expect((await top.trySend(renewCalendarAddress, { params: { id: other._id } })).statusCode).toBe(404)
    expect(await statusOf(top, other._id)).toBe(204)
    expect((await readAddress(other.url)).statusCode).toBe(404)
  })
})

test('two servers answer for one address, and both know when it is removed', async () => {
  const app: TestApp = await startApp()
  const second = await app.startSecond()
  const owner = app.as(10)
  const { _id: id, url } = await owner.send(createCalendar, { body: { name: 'Shared' } })
  const path = new URL(url).pathname
  expect((await second.anonymous.request('GET', path)).statusCode).toBe(200)
  await owner.send(deleteCalendar, { params: { id } })
  expect((await second.anonymous.request('GET', path)).statusCode).toBe(404)
})
