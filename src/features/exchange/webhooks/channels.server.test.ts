import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { createCardValidator } from '../../../../test/support/adaptive-cards.ts'
import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { createWebhookTools, type TestWebhook } from '../../../../test/support/webhooks.ts'
import type { BodyOf } from '../../../contract/call.ts'
import { saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { createProposal, sendChangeRequest } from '../../changing/requests/contract.ts'
import { createDeadline, updateDeadline } from '../../deadlines/deadlines/contract.ts'
import { createWebhook, replayDelivery, sendTestEvent, updateWebhook } from './contract.ts'
import { insertDeadlineMessages, insertWebhook } from './mutations.server.ts'

const findErrors = createCardValidator()

/** A Monday in 2026, at 9:00 in Los Angeles. */
const MONDAY = '2026-12-07'
const atNine = (day: string): Date => new Date(`${day}T17:00:00Z`)

let clock: Date
let app: TestApp
beforeAll(async () => {
  app = await startApp({ WEBHOOK_PRIVATE_TARGETS: 'allow', TIME_ZONE: 'America/Los_Angeles' }, undefined, undefined, () => clock)
})
beforeEach(() => {
  clock = atNine('2026-12-02')
})
const { setUp, startSender, saveSite, stop } = createWebhookTools(() => app)
afterEach(stop)

type Channel = Omit<BodyOf<typeof createWebhook>, 'url'>
const setUpChannel = (channel: Partial<Channel> = {}) => setUp(channel.events ?? ['site.changed'], { format: 'teams', ...channel })

/** The texts of a received message in either format, in order. */
const listTexts = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(listTexts)
  if (typeof value !== 'object' || value === null) return []
  const { text } = value as { text?: unknown }
  return [...(typeof text === 'string' ? [text] : []), ...Object.values(value).flatMap(listTexts)]
}
const readMessages = ({ endpoint }: TestWebhook): string[] =>
  endpoint.received.map(({ text }) => {
    const body = JSON.parse(text) as { attachments?: { content: unknown }[]; blocks?: unknown }
    if (body.attachments) expect(findErrors(body.attachments[0]?.content)).toEqual([])
    return listTexts(body.blocks ?? body.attachments).join('|')
  })
const readLast = (channel: TestWebhook): string => (readMessages(channel).at(-1) ?? '').replaceAll('\u2060', '')
/** Everything that a channel received, with addresses. */
const readAll = ({ endpoint }: TestWebhook): string => endpoint.received.map(({ text }) => text).join('\n')

describe('a message about an event', () => {
  test.each(['teams', 'slack'] as const)('says in %s who changed what, from, to, and has the link', async (format) => {
    const channel = await setUpChannel({ format })
    const site = await app.make.site({ displayName: `Lodi ${format}`, phone: '209-555-0100' })
    const editor = app.as(6)
    startSender()
    await editor.send(updateSite, { params: { id: site._id }, body: { address: { phone: '209-555-0199' } } })
    await channel.waitFor(1)
    const { name } = await editor.who()
    expect(readLast(channel)).toContain(`Lodi ${format}|${name} changed the site.|Phone|209-555-0100| → |209-555-0199`)
    expect(readAll(channel)).toContain(`${app.context.configuration.publicUrl}/location/${site.slug}`)
    expect(channel.endpoint.received[0]?.headers['webhook-signature']).toBeUndefined()
  })

  test('that suggests a change has its fields and leads to the decision', async () => {
    const channel = await setUpChannel({ events: ['request.created'] })
    const site = await app.make.site({ displayName: 'Suggested Annex', phone: '209-555-0100' })
    const sender = app.as(10)
    startSender()
    const { _id } = await sender.send(createProposal, {
      body: { record: { kind: 'site', _id: site._id }, changes: { 'address.phone': '209-555-0199' }, note: 'It moved' },
    })
    await channel.waitFor(1)
    expect(readLast(channel)).toContain(
      `Suggested Annex|${(await sender.who()).name} suggests 1 change.|Phone|209-555-0100| → |209-555-0199|Why|It moved`,
    )
    expect(readAll(channel)).toContain(`"title":"Review","url":"${app.context.configuration.publicUrl}/requests/${_id}"`)
  })

  test('that is a request has its text, and no email address', async () => {
    const channel = await setUpChannel({ events: ['request.created'], format: 'slack' })
    const sender = app.as(10)
    startSender()
    await sender.send(sendChangeRequest, { body: { correctText: 'The <!channel> sign is wrong', location: 'Lodi' } })
    await channel.waitFor(1)
    expect(readLast(channel)).toContain('Text|The <!channel> sign is wrong')
    expect(readAll(channel)).not.toContain('<!channel')
    expect(readAll(channel)).not.toContain((await sender.who()).azureID)
  })

  test('is made when it is sent: a name that was changed in the meantime is not in it', async () => {
    const channel = await setUpChannel()
    const site = await app.make.site({ displayName: 'Former Name' })
    channel.endpoint.answer = () => 503
    startSender({ pausesMs: [500] })
    await saveSite(site._id)
    await waitUntil('it was tried', async () => (await channel.deliveries())[0]?.tries === 1)
    await app.make.write((tx) => tx.updateTable('site').set({ displayName: 'Next Name' }).where('_id', '=', site._id).execute())
    channel.endpoint.answer = () => 200
    await waitUntil('it was delivered', async () => (await channel.deliveries()).some(({ state }) => state === 'delivered'))
    expect(readLast(channel)).toContain('Next Name|')
  })

  test('is stored without any value', async () => {
    const channel = await setUpChannel()
    startSender()
    const site = await app.make.site()
    await app.as(6).send(updateSite, { params: { id: site._id }, body: { address: { phone: '209-555-0177' } } })
    await channel.waitFor(1)
    const { rows } = await sql<{ body: string }>`select body from webhook_delivery where webhook = ${channel.params.id}::uuid`.execute(
      app.context.db,
    )
    expect(rows.map(({ body }) => body).join('')).not.toContain('0177')
  })
})

test('the test message shows a sample, and is not gathered', async () => {
  const channel = await setUpChannel({ quiet: true })
  startSender({ quietMs: 3_600_000 })
  await channel.top.send(sendTestEvent, { params: channel.params })
  await channel.waitFor(1)
  expect(readLast(channel)).toContain('Test message from Homeroom')
})

describe('a charter affair', () => {
  const SECRET = 'FEIN 94-1234567'
  const setUpAffair = async () => {
    const charter = await app.make.charter()
    const officer = app.as(5)
    await officer.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { fein: 'old' } } })
    const save = (fein: string) => officer.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { fein } } })
    return { charter, officer, save }
  }

  test('is said to have changed, without its values, until that is turned on for the channel', async () => {
    const { charter, officer, save } = await setUpAffair()
    const channel = await setUpChannel({ events: ['charter_affair.changed', 'request.created', 'request.answered'] })
    startSender()
    await save(SECRET)
    await channel.waitFor(1)
    expect(readLast(channel)).toContain(`${charter.name}|${(await officer.who()).name} changed the charter affair.`)
    await officer.send(createProposal, {
      body: { record: { kind: 'charter_affair', _id: charter._id }, changes: { 'overview.fein': `${SECRET}8` }, note: `Now ${SECRET}` },
    })
    await channel.waitFor(2)
    expect(readLast(channel)).toContain('suggests 1 change. What is suggested is shown only to people who can open the charter affair.')
    expect(readAll(channel)).not.toContain('94-1234567')

    await channel.top.send(updateWebhook, { params: channel.params, body: { affairs: true } })
    await save(`${SECRET}9`)
    await channel.waitFor(3)
    expect(readLast(channel)).toContain(`${SECRET}| → |${SECRET}9`)
  })

  test('that was turned off before a message was sent is not in it', async () => {
    const { save } = await setUpAffair()
    const channel = await setUpChannel({ events: ['charter_affair.changed'], affairs: true, quiet: true })
    startSender({ quietMs: 1500 })
    await save(SECRET)
    await waitUntil('it is stored', async () => (await channel.deliveries()).length === 1)
    await channel.top.send(updateWebhook, { params: channel.params, body: { affairs: false } })
    await channel.waitFor(1)
    expect(readAll(channel)).not.toContain('94-1234567')
  })

  test('is shown only in the channel for which it was turned on: another address or format turns it off', async () => {
    const { top, params, endpoint, read } = await setUpChannel({ affairs: true })
    expect(await read()).toMatchObject({ affairs: true, affairsBy: (await top.who()).name })
    await top.send(updateWebhook, { params, body: { events: ['person.left'] } })
    expect(await read()).toMatchObject({ affairs: true })
    await top.send(updateWebhook, { params, body: { url: `${endpoint.url}/other` } })
    expect(await read()).toMatchObject({ affairs: false, affairsBy: null })
    await top.send(updateWebhook, { params, body: { url: endpoint.url, affairs: true } })
    await top.send(updateWebhook, { params, body: { format: 'slack' } })
    expect(await read()).toMatchObject({ affairs: false, affairsBy: null })
  })

  test('is turned on by level 5 or lower only', async () => {
    const body = { ...EMPTY, events: ['site.changed' as const], affairs: true, url: 'https://hooks.example.org/a' }
    const insert = (accessLevel: number) =>
      app.context.db.transaction().execute((tx) => insertWebhook(tx, app.context, { name: 'Ana Ruiz', accessLevel }, body))
    await expect(insert(6)).rejects.toMatchObject({ status: 403 })
    const { _id } = await insert(5)
    await app.context.db.deleteFrom('webhook').where('_id', '=', _id).execute()
    for (const level of [2, 5, 10]) expect((await app.as(level).trySend(createWebhook, { body })).statusCode).toBe(403)
  })
})

const EMPTY = { name: null, format: 'teams', quiet: false, summary: false, overdue: false, affairs: false } as const

test.each([
  [{ events: ['site.changed'], quiet: true }, 'quiet'],
  [{ events: ['site.changed'], summary: true }, 'summary'],
  [{ events: ['site.changed'], affairs: true }, 'affairs'],
  [{ events: [], format: 'slack' }, 'events'],
  [{ events: [], format: 'slack', quiet: true }, 'events'],
  [{ events: ['site.changed'], format: 'irc' }, 'format'],
])('%j is refused in a new webhook and in a change', async (body, path) => {
  const { top, params } = await setUp()
  const url = 'https://hooks.example.org/a'
  for (const answer of [
    await top.trySend(createWebhook, { body: { ...body, url } as never }),
    await top.trySend(updateWebhook, { params, body: body as never }),
  ]) {
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toEqual([{ path, message: expect.any(String) }])
  }
})

test('a channel can have the summary alone, and its address is not in the audit trail', async () => {
  const { params, top, endpoint } = await setUpChannel({ events: [], summary: true })
  await top.send(updateWebhook, { params, body: { overdue: true } })
  const { rows } = await sql<{ text: string }>`
    select a::text as text from audit_event as a where record = ${params.id}`.execute(app.context.db)
  expect(rows).toHaveLength(2)
  expect(rows.map(({ text }) => text).join('')).not.toContain(new URL(endpoint.url).pathname)
})

describe('a quiet channel', () => {
  test('gathers what happens into one message, sent once by two servers, also after one of them stopped', async () => {
    const channel = await setUpChannel({ quiet: true })
    const second = await app.startSecond()
    const sites = [await app.make.site({ displayName: 'Lodi' }), await app.make.site({ displayName: 'Galt' })]
    const first = startSender({ quietMs: 3000 })
    startSender({ quietMs: 3000 }, second)
    for (const { _id } of sites) await saveSite(_id, 2)
    await waitUntil('they are stored', async () => (await channel.deliveries()).length === 4)
    expect(channel.endpoint.received).toEqual([])
    await first.stop()
    startSender({ quietMs: 3000 })
    await channel.waitFor(1)
    await waitUntil('all were delivered', async () => (await channel.deliveries()).every(({ state }) => state === 'delivered'))
    expect(readLast(channel)).toMatch(/^4 changes\|Lodi\|.*\|Lodi\|.*\|Galt\|.*\|Galt\|/)

    await saveSite(sites[0]?._id ?? '')
    await waitUntil('it is stored', async () => (await channel.deliveries()).length === 5)
    expect(channel.endpoint.received).toHaveLength(1)
    await channel.waitFor(2)
    // A single change is a message like any other.
    expect(readLast(channel)).toMatch(/^Lodi\|/)
  })

  test('sends what it gathered when it is no longer quiet', async () => {
    const channel = await setUpChannel({ quiet: true })
    startSender({ quietMs: 3_600_000 })
    await saveSite((await app.make.site())._id)
    await waitUntil('it is stored', async () => (await channel.deliveries()).length === 1)
    await channel.top.send(updateWebhook, { params: channel.params, body: { quiet: false } })
    await channel.waitFor(1)
    expect(await channel.read()).toMatchObject({ quiet: false })
  })

  test('tries again with what came since', async () => {
    const channel = await setUpChannel({ quiet: true })
    const site = await app.make.site()
    channel.endpoint.answer = () => 503
    startSender({ quietMs: 100, pausesMs: [1500] })
    await saveSite(site._id)
    await channel.waitFor(1)
    await saveSite(site._id)
    channel.endpoint.answer = () => 200
    await channel.waitFor(2)
    await waitUntil('both were delivered', async () => (await channel.deliveries()).every(({ state }) => state === 'delivered'))
    expect(readLast(channel)).toMatch(/^2 changes\|/)
  })
})

describe('the limits of a channel', () => {
  test('messages come one after the other with a pause between them', async () => {
    const channel = await setUpChannel()
    const sites = await Promise.all(Array.from({ length: 5 }, () => app.make.site()))
    const times: number[] = []
    channel.endpoint.answer = () => {
      times.push(Date.now())
      return 200
    }
    startSender({ messagePauseMs: 300 })
    for (const { _id } of sites) await saveSite(_id)
    await channel.waitFor(5)
    expect(channel.endpoint.mostAtOnce()).toBe(1)
    const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(250)
  })

  test('a 429 is repeated after the time that it names', async () => {
    const channel = await setUpChannel({ format: 'slack' })
    const times: number[] = []
    channel.endpoint.answer = () => {
      times.push(Date.now())
      return times.length === 1 ? { status: 429, headers: { 'retry-after': '2' } } : 200
    }
    startSender({ pausesMs: [10] })
    await saveSite((await app.make.site())._id)
    await channel.waitFor(2)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1900)
  })

  test('a message that is refused as invalid is given up, and the next one is sent', async () => {
    const channel = await setUpChannel()
    channel.endpoint.answer = () => (channel.endpoint.received.length === 1 ? 400 : 200)
    startSender()
    await saveSite((await app.make.site())._id, 2)
    await channel.waitFor(2)
    await waitUntil('the second one was delivered', async () => (await channel.deliveries())[0]?.state === 'delivered')
    const [, refused] = await channel.deliveries()
    expect(refused).toMatchObject({ state: 'failed', problem: 'Answered 400', tries: 1 })
    await channel.top.send(replayDelivery, { params: { ...channel.params, delivery: refused?._id ?? 0 } })
    await channel.waitFor(3)
    expect(readMessages(channel)[2]).toBe(readMessages(channel)[0])
  })

  test('more than a hundred that wait become one', async () => {
    const channel = await setUpChannel()
    const { _id } = await app.make.site()
    await app.make.write(async (tx) => {
      for (let at = 0; at < 120; at++)
        await tx
          .updateTable('site')
          .set({ finance_id: String(at) })
          .where('_id', '=', _id)
          .execute()
    })
    startSender()
    await waitUntil('all were delivered', async () => {
      const states = (await channel.deliveries()).map(({ state }) => state)
      return states.length === 100 && states.every((state) => state === 'delivered')
    })
    expect(channel.endpoint.received).toHaveLength(1)
    expect(readLast(channel)).toMatch(/^120 changes\|.*\|and 96 more$/)
  })
})

describe('deadlines', () => {
  const add = async (title: string, date: string, of: { site?: string; charter?: string }) =>
    app.as(5).send(createDeadline, { body: { title, date, kind: 'lease', ...of } as never })
  const run = async (...apps: TestApp[]) => {
    await Promise.all(apps.map(({ catchUp }) => catchUp())) // the server whose turn it is has to know the deadlines
    await Promise.all([app, ...apps].map(({ context }) => insertDeadlineMessages({ ...context, now: () => clock })))
  }

  test('are summed up on Monday morning, once by two servers, with those of charters only where that is turned on', async () => {
    const site = await app.make.site({ displayName: 'Leased Annex' })
    const charter = await app.make.charter()
    await add('Renew the lease', '2026-12-10', { site: site._id })
    await add('Petition of Harbor', '2026-12-11', { charter: charter._id })
    const [plain, trusted] = [
      await setUpChannel({ events: [], summary: true }),
      await setUpChannel({ events: [], summary: true, affairs: true, format: 'slack' }),
    ]
    const second = await app.startSecond()
    startSender()
    await run()
    clock = new Date('2026-12-07T14:00:00Z') // 6:00
    await run()
    expect((await plain.deliveries()).length).toBe(0)
    clock = atNine(MONDAY)
    await run(second, second)
    await run()
    clock = atNine('2026-12-09')
    await run()
    await Promise.all([plain.waitFor(1), trusted.waitFor(1)])
    expect(readLast(plain)).toContain('Deadlines this week, Dec 7 to 13')
    expect(readLast(plain)).toContain('Dec 10: Renew the lease')
    expect(readLast(plain)).not.toContain('Harbor')
    expect(readLast(trusted)).toContain('Petition of Harbor')
    clock = atNine('2026-12-14')
    await run(second)
    await Promise.all([plain.waitFor(2), trusted.waitFor(2)])
  })

  test('that became overdue are told once, and not if they were handled by then', async () => {
    const site = await app.make.site({ displayName: 'Galt Annex' })
    await add('Insurance of Galt', '2026-12-20', { site: site._id })
    const [channel, second] = [await setUpChannel({ events: [], overdue: true }), await app.startSecond()]
    clock = atNine('2026-12-20')
    await run(second)
    startSender()
    const count = () => readMessages(channel).filter((text) => text.includes('Insurance of Galt')).length
    clock = new Date('2026-12-21T14:00:00Z') // 6:00
    await run()
    expect(count()).toBe(0)
    clock = atNine('2026-12-21')
    await run(second, second)
    await waitUntil('it was told', () => count() === 1)
    clock = atNine('2026-12-22')
    await run(second)
    const next = await add('Permit of Galt', '2026-12-22', { site: site._id })
    clock = atNine('2026-12-23')
    await app.as(5).send(updateDeadline, { params: { id: next._id }, body: { state: 'handled' } as never })
    await run(second)
    await add('Inspection of Galt', '2026-12-22', { site: site._id })
    await run(second)
    await waitUntil('the other one was told', () => readLast(channel).includes('Inspection of Galt'))
    expect(readLast(channel)).toContain('A deadline is overdue')
    expect(count()).toBe(1)
    expect(readMessages(channel).join('')).not.toContain('Permit')
  })
})
