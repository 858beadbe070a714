import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { startWebhookEndpoint, type WebhookEndpoint } from '../../../../test/support/webhook-endpoint.ts'
import { grantPermission, removePermission } from '../../administration/permissions/contract.ts'
import { answerRequest, sendSupportRequest } from '../../changing/requests/contract.ts'
import { saveCharterAffair } from '../../records/charter-affairs/contract.ts'
import { createDeparture, deleteDeparture } from '../../records/departures/contract.ts'
import { updateFacility } from '../../records/facility/contract.ts'
import { updatePerson } from '../../records/people/contract.ts'
import { updateSite } from '../../records/sites/contract.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  renewWebhookSecret,
  replayDelivery,
  sendTestEvent,
  updateWebhook,
} from './contract.ts'
import type { DeliveryPolicy } from './queue.server.ts'
import { EVENT_TYPES, type EventType } from './rules.ts'
import { WebhookSender } from './sender.server.ts'

const POLICY: DeliveryPolicy = { pausesMs: [20, 40], giveUpAfterMs: 24 * 3_600_000, leaseMs: 60_000 }
/** In `npm run test:all` as many as the product promises. */
const EVENTS = process.env['TEST_ALL'] === '1' ? 10_000 : 1000

let app: TestApp
beforeAll(async () => {
  app = await startApp({ WEBHOOK_PRIVATE_TARGETS: 'allow' })
})

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

const startSender = (policy: Partial<DeliveryPolicy> = {}, on: TestApp = app) => {
  const sender = new WebhookSender(on.context, { ...POLICY, ...policy })
  sender.start()
  open.push(() => sender.stop())
  return sender
}

/** A webhook of level 1 that leads to an endpoint of its own. */
const setUp = async (events: readonly EventType[] = ['site.changed']) => {
  const endpoint = await startWebhookEndpoint()
  open.push(() => endpoint.stop())
  const top = app.as(1)
  const { _id: id, secret } = await top.send(createWebhook, { body: { url: endpoint.url, events: [...events] } })
  open.push(async () => void (await top.ask(deleteWebhook, { params: { id } })))
  const params = { id }
  const deliveries = () => top.send(listDeliveries, { params })
  const waitFor = (count: number) => expect.poll(() => endpoint.received.length, { timeout: 20_000 }).toBe(count)
  const read = async () => (await top.send(listWebhooks)).find(({ _id }) => _id === id)
  return { endpoint, top, params, secret, deliveries, waitFor, read }
}

/** Saves a site so often, one save after the other. */
const saveSite = async (_id: string, times = 1) => {
  for (let time = 0; time < times; time++)
    await app.make.write((tx) =>
      tx
        .updateTable('site')
        .set({ finance_id: sql<string>`coalesce(finance_id, '') || 'x'` })
        .where('_id', '=', _id)
        .execute(),
    )
}

const versionsOf = ({ received }: WebhookEndpoint, site: string) =>
  received.flatMap(({ body: { data } }) => (data._id === site ? [data.version] : []))
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

describe('a message', () => {
  test('says which record, which fields and by whom, is signed, and has none of the values', async () => {
    const { endpoint, secret, waitFor } = await setUp()
    const { _id, slug, displayName, version } = await app.make.site()
    const editor = app.as(6)
    startSender()
    await editor.send(updateSite, { params: { id: _id }, body: { finance_id: '4711999', address: { city: 'Lodi' } } })
    await waitFor(1)
    const [{ body, text, headers, id } = { body: null, text: '', headers: {}, id: '' }] = endpoint.received
    expect(body).toEqual({
      type: 'site.changed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {
        kind: 'site',
        _id,
        slug,
        name: displayName,
        version: version + 1,
        changed: expect.arrayContaining(['city', 'finance_id']),
        by: (await editor.who()).name,
      },
    })
    expect(body?.data.changed).toHaveLength(2)
    expect(text).not.toMatch(/4711999|Lodi/)
    expect(headers).toMatchObject({ 'content-type': 'application/json' })
    expect(id).toMatch(/^msg_[0-9a-f]{32}$/)
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body)
  })

  test('comes of each kind of event, in the order of what happened', async () => {
    const { endpoint, waitFor } = await setUp(EVENT_TYPES)
    const [officer, top] = [app.as(5), app.as(1)]
    startSender()
    const typesOf = (_id: string) => endpoint.received.flatMap(({ body }) => (body.data._id === _id ? [body.type] : []))

    const site = await app.make.site()
    await officer.send(updateFacility, { params: { id: site._id }, body: { county: 'Kern' } })
    const person = await app.make.person()
    await app.make.sitePerson(site._id, 'Principal', person._id)
    await officer.send(updatePerson, { params: { id: person._id }, body: { phone: '209-555-0101' } })
    await officer.send(createDeparture, { params: { id: person._id }, body: {} })
    await officer.send(deleteDeparture, { params: { id: person._id } })
    const { _id: request } = await officer.send(sendSupportRequest, { body: { request: 'Private words' } })
    await officer.send(answerRequest, { params: { id: request }, body: { state: 'done', word: 'Other words' } })
    await officer.send(answerRequest, { params: { id: request }, body: { state: 'open', word: null } })
    const userInfo = { azureID: 'granted@webhooks.test', name: 'Ana Ruiz', accessLevel: 6 }
    const { _id: grant } = await top.send(grantPermission, { body: { applicationID: 'homeroom', userInfo } })
    await top.send(removePermission, { params: { id: grant } })
    const brand = await app.make.brand()
    await waitUntil('the last event came', () => typesOf(brand._id).length > 0)
    await waitUntil(
      'all of the others came',
      () => typesOf(person._id).length === 7 && typesOf(site._id).length === 5 && typesOf(grant).length === 2,
    )

    const changedOf = (_id: string) => endpoint.received.flatMap(({ body: { data } }) => (data._id === _id ? [data.changed] : []))
    expect(typesOf(site._id)).toEqual(['site.created', ...Array.from({ length: 4 }, () => 'site.changed')])
    expect(changedOf(site._id)).toEqual([[], ['facility_info.county'], ['people'], ['people'], ['people']])
    expect(typesOf(person._id)).toEqual(['person.created', 'person.changed', 'person.changed', ...typesOf(person._id).slice(3)])
    // A departure and its undoing: the role that ends and returns, and the person.
    expect(typesOf(person._id).slice(3, 5).toSorted()).toEqual(['person.changed', 'person.left'])
    expect(typesOf(person._id).slice(5).toSorted()).toEqual(['person.changed', 'person.returned'])
    expect(typesOf(request)).toEqual(['request.created', 'request.answered', 'request.reopened'])
    expect(typesOf(grant)).toEqual(['grant.created', 'grant.removed'])
    expect(endpoint.received.map(({ text }) => text).join()).not.toMatch(/Private words|Other words|209-555|granted@/)
    await waitFor(endpoint.received.length)
  })

  test('about a charter affair has the fact alone, and goes to those who asked for it by name', async () => {
    const named = await setUp(['charter_affair.created', 'charter_affair.changed'])
    const others = await setUp(EVENT_TYPES.filter((type) => !type.startsWith('charter_affair.')))
    const charter = await app.make.charter()
    startSender()
    const officer = app.as(5)
    await officer.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { notes: 'Confidential' } } })
    await officer.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { notes: 'Confidential too' } } })
    await saveCharterName(charter._id)
    await named.waitFor(3)
    await waitUntil('the other event came', () => others.endpoint.received.some(({ body }) => body.data._id === charter._id))
    const told = named.endpoint.received.map(({ body: { type, data } }) => ({ type, ...data }))
    expect(told).toMatchObject([
      { type: 'charter_affair.created', changed: [], slug: charter.slug },
      { type: 'charter_affair.changed', changed: [], slug: charter.slug },
      { type: 'charter_affair.changed', changed: [], name: expect.any(String) },
    ])
    expect(named.endpoint.received.map(({ text }) => text).join()).not.toMatch(/Confidential|overview|mou|notes/)
    expect(others.endpoint.received.map(({ body }) => body.type)).not.toContain('charter_affair.changed')
  })

  test('tells nothing that happened before its webhook was there, and nothing that was not saved', async () => {
    const site = await app.make.site()
    await saveSite(site._id)
    const { endpoint, waitFor } = await setUp()
    await app.make
      .write(async (tx) => {
        await tx.updateTable('site').set({ finance_id: 'rolled back' }).where('_id', '=', site._id).execute()
        throw new Error('No')
      })
      .catch(() => undefined)
    startSender()
    await saveSite(site._id)
    await waitFor(1)
    expect(versionsOf(endpoint, site._id)).toEqual([site.version + 2])
  })
})

const saveCharterName = (_id: string) =>
  app.make.write((tx) => tx.updateTable('charter').set({ abbreviation: 'X' }).where('_id', '=', _id).execute())

describe('order', () => {
  test(`${EVENTS} events of many writers: none is lost, none comes twice, none of a record before an earlier one`, async () => {
    const { endpoint, waitFor, deliveries } = await setUp()
    const sites = await Promise.all(Array.from({ length: 20 }, () => app.make.site()))
    const senders = [startSender(), startSender({}, await app.startSecond())]
    endpoint.answer = async ({ body }) => {
      await new Promise(setImmediate)
      return (body.data.version ?? 0) % 47 === 0 && Math.random() < 0.5 ? 503 : 204
    }
    const each = EVENTS / sites.length
    await Promise.all(sites.map(({ _id }) => saveSite(_id, each)))
    await expect.poll(async () => new Set(endpoint.received.map(({ id }) => id)).size, { timeout: 120_000, interval: 200 }).toBe(EVENTS)
    await waitUntil('nothing waits', async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    for (const site of sites) {
      const versions = versionsOf(endpoint, site._id)
      // One that was refused came again before the next.
      expect(versions.filter((version, at) => version !== versions[at - 1])).toEqual(range(site.version + 1, each))
    }
    expect(endpoint.mostAtOnce()).toBeGreaterThan(1)
    await Promise.all(senders.map((sender) => sender.stop()))
    await waitFor(endpoint.received.length)
  }, 180_000)

  test('a save that is committed after a later one is told as well', async () => {
    const { endpoint, waitFor } = await setUp()
    const [slow, quick] = [await app.make.site(), await app.make.site()]
    startSender()
    const { promise: hold, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const saving = app.make.write(async (tx) => {
      await tx.updateTable('site').set({ finance_id: 'slow' }).where('_id', '=', slow._id).execute()
      begin()
      await hold
    })
    await begun
    await saveSite(quick._id)
    letGo()
    await saving
    await waitFor(2)
    expect([versionsOf(endpoint, slow._id), versionsOf(endpoint, quick._id)]).toEqual([[slow.version + 1], [quick.version + 1]])
  })

  test('a record whose delivery fails keeps no other waiting, and its later events come after it', async () => {
    const { endpoint, waitFor, deliveries } = await setUp()
    const [bad, good] = [await app.make.site(), await app.make.site()]
    let isBad = true
    endpoint.answer = ({ body }) => (isBad && body.data._id === bad._id ? 500 : 200)
    startSender()
    await saveSite(bad._id, 3)
    await saveSite(good._id, 2)
    await waitUntil('the good one is told', () => versionsOf(endpoint, good._id).length === 2)
    await waitUntil('the bad one was tried a few times', () => versionsOf(endpoint, bad._id).length > 2)
    expect(new Set(versionsOf(endpoint, bad._id))).toEqual(new Set([bad.version + 1]))
    expect((await deliveries()).filter(({ state }) => state === 'waiting')).toMatchObject([
      { tries: 0, status: null, nextTryAt: null },
      { tries: 0, nextTryAt: null },
      { status: 500, problem: 'Answered 500', nextTryAt: expect.any(String) },
    ])
    isBad = false
    await waitUntil('all were delivered', async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    expect(versionsOf(endpoint, bad._id).slice(-3)).toEqual(range(bad.version + 1, 3))
    await waitFor(endpoint.received.length)
  })
})

describe('a failed delivery', () => {
  test('is tried again under the same id with a new timestamp, and given up after its time', async () => {
    const { endpoint, top, params, deliveries, read } = await setUp()
    const site = await app.make.site()
    endpoint.answer = () => 503
    startSender({ pausesMs: [30, 60, 120], giveUpAfterMs: 2500 })
    await saveSite(site._id)
    await waitUntil('it was given up', async () => (await deliveries())[0]?.state === 'failed')
    const [given] = await deliveries()
    expect(given).toMatchObject({
      status: 503,
      problem: 'Answered 503',
      tries: endpoint.received.length,
      nextTryAt: null,
      endedAt: expect.any(String),
    })
    expect(endpoint.received.length).toBeGreaterThan(4)
    expect(new Set(endpoint.received.map(({ id }) => id)).size).toBe(1)
    expect(await read()).toMatchObject({ waiting: 0, failed: 1, lastDeliveredAt: null })

    endpoint.answer = () => 200
    const before = endpoint.received.length
    const again = await top.send(replayDelivery, { params: { ...params, delivery: given?._id ?? 0 } })
    expect(again).toMatchObject({ message: given?.message, body: given?.body, replayOf: given?._id, state: 'waiting', tries: 0 })
    await waitUntil('it was delivered', async () => (await deliveries())[0]?.state === 'delivered')
    expect(endpoint.received.slice(before).map(({ id, text }) => [id, text])).toEqual([[given?.message, endpoint.received[0]?.text]])
    expect(await read()).toMatchObject({ waiting: 0, failed: 1, lastDeliveredAt: expect.any(String) })
  })

  test('is one that redirects, breaks off or does not answer; redirects are not followed', async () => {
    const { endpoint, deliveries } = await setUp()
    const elsewhere = await startWebhookEndpoint()
    open.push(() => elsewhere.stop())
    const answers = [
      'breaks',
      { status: 302, headers: { location: elsewhere.url } },
      { status: 307, headers: { location: elsewhere.url } },
      200,
    ] as const
    const problems: (string | null)[] = []
    let at = 0
    endpoint.answer = async () => {
      problems.push((await deliveries())[0]?.problem ?? null)
      return answers[at++] ?? 200
    }
    startSender()
    await saveSite((await app.make.site())._id)
    await waitUntil('it was delivered', async () => (await deliveries())[0]?.state === 'delivered')
    expect(problems).toEqual([
      null,
      'socket hang up',
      'Answered 302; redirects are not followed',
      'Answered 307; redirects are not followed',
    ])
    expect(elsewhere.connections()).toBe(0)
  })

  test('that still waits is tried at once where somebody asks for it', async () => {
    const { endpoint, top, params, deliveries, waitFor } = await setUp()
    endpoint.answer = () => 500
    startSender({ pausesMs: [3_600_000] })
    await saveSite((await app.make.site())._id)
    await waitUntil('it was tried', async () => (await deliveries())[0]?.tries === 1)
    endpoint.answer = () => 200
    const [delivery] = await deliveries()
    expect(await top.send(replayDelivery, { params: { ...params, delivery: delivery?._id ?? 0 } })).toMatchObject({
      _id: delivery?._id,
      state: 'waiting',
    })
    await waitFor(2)
    await waitUntil('it was delivered', async () => (await deliveries())[0]?.state === 'delivered')
    expect(await deliveries()).toHaveLength(1)
  })

  test('by an address that is gone turns the webhook off', async () => {
    const { endpoint, top, params, deliveries, read, waitFor } = await setUp()
    const sites = [await app.make.site(), await app.make.site()]
    endpoint.answer = () => 500
    startSender({ pausesMs: [3_600_000] })
    for (const { _id } of sites) await saveSite(_id, 2)
    await waitFor(2)
    endpoint.answer = () => 410
    const waiting = await deliveries()
    await top.send(replayDelivery, { params: { ...params, delivery: waiting.at(-1)?._id ?? 0 } })
    await waitUntil('it is off', async () => (await read())?.state === 'off')
    expect(await read()).toMatchObject({
      waiting: 0,
      failed: 4,
      problem: 'Answered 410 (gone), so this webhook was turned off',
    })
    expect((await top.ask(sendTestEvent, { params })).statusCode).toBe(409)
    // What happens while it is off is not told, and what happens once it is on again is.
    await saveSite(sites[0]?._id ?? '')
    endpoint.answer = () => 200
    const before = endpoint.received.length
    await top.send(updateWebhook, { params, body: { state: 'active' } })
    await saveSite(sites[1]?._id ?? '')
    await waitFor(before + 1)
    expect(endpoint.received.at(-1)?.body.data._id).toBe(sites[1]?._id)
  })
})

describe('a server', () => {
  test('that stops in the middle loses nothing: another one, or the next start, goes on', async () => {
    const { endpoint, deliveries } = await setUp()
    const sites = await Promise.all(Array.from({ length: 10 }, () => app.make.site()))
    const first = startSender()
    endpoint.answer = () => (endpoint.received.length > 30 ? 'hangs' : 200)
    await Promise.all(sites.map(({ _id }) => saveSite(_id, 10)))
    await waitUntil('some hang', () => endpoint.received.length > 30)
    await first.stop()
    endpoint.answer = () => 200
    startSender()
    await waitUntil('everything was delivered', async () => {
      const states = (await deliveries()).map(({ state }) => state)
      return states.length === 100 && states.every((state) => state === 'delivered')
    })
    for (const site of sites) {
      const versions = versionsOf(endpoint, site._id)
      expect(versions.filter((version, at) => version !== versions[at - 1])).toEqual(range(site.version + 1, 10))
    }
  })

  test('that dies gives back what it had claimed, after a while', async () => {
    const { params, deliveries, waitFor } = await setUp()
    const site = await app.make.site()
    const sender = startSender()
    await saveSite(site._id)
    await waitFor(1)
    await sender.stop()
    await saveSite(site._id)
    // As it is after `kill -9`: claimed by someone who never comes back.
    await sql`insert into webhook_queue (webhook, record, claim, "nextTryAt") values (${params.id}, ${`site:${site._id}`}, gen_random_uuid(), now() + interval '2 seconds')`.execute(
      app.context.db,
    )
    startSender()
    await waitUntil('it is known', async () => (await deliveries()).length === 2)
    await waitFor(2)
    await waitUntil('all were delivered', async () => (await deliveries()).every(({ state }) => state === 'delivered'))
  })

  test('sends at most eight records to a webhook at once, and one that hangs keeps no other webhook waiting', async () => {
    const [slow, quick] = [await setUp(), await setUp()]
    slow.endpoint.answer = () => 'hangs'
    const sites = await Promise.all(Array.from({ length: 20 }, () => app.make.site()))
    startSender()
    for (const { _id } of sites) await saveSite(_id)
    await quick.waitFor(20)
    await waitUntil('eight hang', () => slow.endpoint.received.length >= 8)
    expect([slow.endpoint.received.length, slow.endpoint.mostAtOnce()]).toEqual([8, 8])
  })
})

test('a paused webhook gets what happened meanwhile once it goes on', async () => {
  const { endpoint, top, params, deliveries, waitFor } = await setUp()
  const site = await app.make.site()
  startSender()
  await top.send(updateWebhook, { params, body: { state: 'paused' } })
  await saveSite(site._id, 2)
  const other = await setUp()
  await saveSite((await app.make.site())._id)
  await other.waitFor(1)
  expect([endpoint.received.length, await deliveries()]).toEqual([0, []])
  await top.send(updateWebhook, { params, body: { state: 'active' } })
  await waitFor(3)
  expect(versionsOf(endpoint, site._id)).toEqual(range(site.version + 1, 2))
})

test('a new secret signs beside the old one for the overlap, then alone', async () => {
  const { endpoint, top, params, secret: old, waitFor } = await setUp()
  startSender()
  const verifies = (secret: string) => {
    const { text, headers } = endpoint.received.at(-1) ?? { text: '', headers: {} }
    try {
      return new Webhook(secret).verify(text, headers as Record<string, string>) !== undefined
    } catch {
      return false
    }
  }
  const { secret } = await top.send(renewWebhookSecret, { params, body: {} })
  await top.send(sendTestEvent, { params })
  await waitFor(1)
  expect([verifies(old), verifies(secret)]).toEqual([true, true])
  const { secret: last } = await top.send(renewWebhookSecret, { params, body: { overlapHours: 0 } })
  await top.send(sendTestEvent, { params })
  await waitFor(2)
  expect([verifies(secret), verifies(last)]).toEqual([false, true])
})

test('a private target is not connected to, whatever was allowed when its webhook was made', async () => {
  const { endpoint, deliveries } = await setUp()
  const site = await app.make.site()
  const { context } = app
  const strict = { ...app, context: { ...context, configuration: { ...context.configuration, allowPrivateWebhooks: false } } }
  const sender = startSender({}, strict)
  const port = new URL(endpoint.url).port
  for (const url of [
    endpoint.url,
    `https://127.0.0.1:${port}`,
    `https://2130706433:${port}`,
    `https://[::ffff:127.0.0.1]:${port}`,
    `https://localhost:${port}`,
  ]) {
    await context.db.updateTable('webhook').set({ url }).execute()
    await saveSite(site._id)
    await waitUntil('it was refused', async () => (await deliveries()).some(({ tries, problem }) => tries > 0 && problem !== null))
    await context.db.deleteFrom('webhook_queue').execute()
    await context.db.deleteFrom('webhook_delivery').execute()
  }
  await sender.stop()
  expect(endpoint.connections()).toBe(0)
})
