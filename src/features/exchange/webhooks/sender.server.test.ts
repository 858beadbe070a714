import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { startWebhookEndpoint, type WebhookEndpoint } from '../../../../test/support/webhook-endpoint.ts'
import { createWebhookTools } from '../../../../test/support/webhooks.ts'
import { renewWebhookSecret, replayDelivery, sendTestEvent, updateWebhook } from './contract.ts'
import { fillOutbox } from './outbox.server.ts'
import { claimDue, DEFAULT_RETRY_POLICY, findFirst, recordAttempt } from './queue.server.ts'

/** In `npm run test:all`, the number that the product promises. */
const EVENTS = process.env['TEST_ALL'] === '1' ? 10_000 : 600

let app: TestApp
beforeAll(async () => {
  app = await startApp({ WEBHOOK_PRIVATE_TARGETS: 'allow' })
})
const { setUp, startSender, saveSite, stop } = createWebhookTools(() => app)
afterEach(stop)

const versionsOf = ({ received }: WebhookEndpoint, site: string) =>
  received.flatMap(({ body: { data } }) => (data._id === site ? [data.version] : []))
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

describe('order', () => {
  test(`${EVENTS} events of concurrent saves: none is lost or sent twice, and those of a record keep their order`, async () => {
    const { endpoint, waitFor, deliveries } = await setUp()
    const sites = await Promise.all(Array.from({ length: 20 }, () => app.make.site()))
    const senders = [startSender(), startSender({}, await app.startSecond())]
    endpoint.answer = async ({ body }) => {
      await new Promise(setImmediate)
      return (body.data.version ?? 0) % 13 === 0 && Math.random() < 0.5 ? 503 : 204
    }
    const each = EVENTS / sites.length
    await Promise.all(sites.map(({ _id }) => saveSite(_id, each)))
    await expect.poll(async () => new Set(endpoint.received.map(({ id }) => id)).size, { timeout: 180_000, interval: 200 }).toBe(EVENTS)
    const isDelivered = async () => (await deliveries()).every(({ state }) => state === 'delivered')
    // On a busy machine a result may not be stored in time; its claim expires after a minute.
    await waitUntil('no delivery is pending', isDelivered, { timeoutMs: 120_000 })
    for (const site of sites) {
      const versions = versionsOf(endpoint, site._id)
      // A refused delivery was sent again before the next one.
      expect(versions.filter((version, at) => version !== versions[at - 1])).toEqual(range(site.version + 1, each))
    }
    expect(endpoint.mostAtOnce()).toBeGreaterThan(1)
    await Promise.all(senders.map((sender) => sender.stop()))
    await waitFor(endpoint.received.length)
  }, 360_000)

  test('a save that is committed after a later one is sent as well', async () => {
    const { endpoint, waitFor } = await setUp()
    const [slow, quick] = [await app.make.site(), await app.make.site()]
    startSender()
    const { promise: hold, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: started, resolve: begin } = Promise.withResolvers<void>()
    const saving = app.make.write(async (tx) => {
      await tx.updateTable('site').set({ finance_id: 'slow' }).where('_id', '=', slow._id).execute()
      begin()
      await hold
    })
    await started
    await saveSite(quick._id)
    letGo()
    await saving
    await waitFor(2)
    expect([versionsOf(endpoint, slow._id), versionsOf(endpoint, quick._id)]).toEqual([[slow.version + 1], [quick.version + 1]])
  })

  test('a record whose delivery fails does not delay others, and its later events are sent after it', async () => {
    const { endpoint, waitFor, deliveries } = await setUp()
    const [bad, good] = [await app.make.site(), await app.make.site()]
    let isBad = true
    endpoint.answer = ({ body }) => (isBad && body.data._id === bad._id ? 500 : 200)
    startSender()
    await saveSite(bad._id, 3)
    await saveSite(good._id, 2)
    await waitUntil('the working webhook got its message', () => versionsOf(endpoint, good._id).length === 2)
    await waitUntil('the failing webhook was tried a few times', () => versionsOf(endpoint, bad._id).length > 2)
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
  test('is retried with the same id and a new timestamp, and is given up when its time is over', async () => {
    const { endpoint, top, params, deliveries, read } = await setUp()
    const site = await app.make.site()
    endpoint.answer = () => 503
    startSender({ pausesMs: [5, 10, 20], giveUpAfterMs: 2000 })
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

  test('is also one with a redirect, a closed connection or no response; redirects are not followed', async () => {
    const { endpoint, deliveries } = await setUp()
    const elsewhere = await startWebhookEndpoint()
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
    await elsewhere.stop()
  })

  test('is retried immediately on request', async () => {
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

  test('with status 410 turns off its webhook', async () => {
    const { endpoint, top, params, deliveries, read, waitFor } = await setUp()
    const sites = [await app.make.site(), await app.make.site()]
    endpoint.answer = () => 500
    startSender({ pausesMs: [3_600_000] })
    for (const { _id } of sites) await saveSite(_id, 2)
    // If the result of an attempt were stored after the replay, it would delay the replay.
    await waitUntil('both were tried', async () => (await deliveries()).filter(({ tries }) => tries === 1).length === 2)
    endpoint.answer = () => 410
    const waiting = await deliveries()
    await top.send(replayDelivery, { params: { ...params, delivery: waiting.at(-1)?._id ?? 0 } })
    await waitUntil('the webhook is off', async () => (await read())?.state === 'off')
    expect(await read()).toMatchObject({
      waiting: 0,
      failed: 4,
      problem: 'Answered 410 (gone), so this webhook was turned off',
    })
    expect((await top.trySend(sendTestEvent, { params })).statusCode).toBe(409)
    // Changes while it is off are not sent; those after it is on again are.
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
  test('that stops in the middle loses nothing: another server or the next start continues', async () => {
    const { endpoint, deliveries } = await setUp()
    const sites = await Promise.all(Array.from({ length: 10 }, () => app.make.site()))
    const first = startSender()
    endpoint.answer = () => (endpoint.received.length > 30 ? 'hangs' : 200)
    await Promise.all(sites.map(({ _id }) => saveSite(_id, 10)))
    await waitUntil('some deliveries are waiting for a response', () => endpoint.received.length > 30)
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

  test('that is killed releases its claimed deliveries after a while', async () => {
    const { endpoint, params, deliveries, waitFor } = await setUp()
    const site = await app.make.site()
    const sender = startSender()
    await saveSite(site._id)
    await waitFor(1)
    await sender.stop()
    await saveSite(site._id)
    // The state after `kill -9`: claimed by a server that never returns.
    await sql`insert into webhook_queue (webhook, record, claim, "nextTryAt") values (${params.id}, ${`site:${site._id}`}, gen_random_uuid(), now() + interval '2 seconds')`.execute(
      app.context.db,
    )
    startSender()
    await waitUntil('the delivery is stored', async () => (await deliveries()).length === 2)
    await waitFor(2)
    await waitUntil('all were delivered', async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    expect(new Set(endpoint.received.map(({ id }) => id)).size).toBe(2)
  })

  test('sends at most eight records to a webhook at a time, and a webhook that does not respond delays no other', async () => {
    const [slow, quick] = [await setUp(), await setUp()]
    slow.endpoint.answer = () => 'hangs'
    const sites = await Promise.all(Array.from({ length: 20 }, () => app.make.site()))
    startSender()
    for (const { _id } of sites) await saveSite(_id)
    await quick.waitFor(20)
    await waitUntil('eight deliveries are waiting for a response', () => slow.endpoint.received.length >= 8)
    expect([slow.endpoint.received.length, slow.endpoint.mostAtOnce()]).toEqual([8, 8])
  })
})

test('no more records are claimed than there are free slots, even if the count in the database is old', async () => {
  const { params } = await setUp()
  await app.make.write(async (tx) => {
    const add = (from: number, to: number) =>
      sql`insert into webhook_queue (webhook, record) select ${params.id}, 'site:' || number from generate_series(${from}::int, ${to}::int) as number`.execute(
        tx,
      )
    await add(1, 1)
    await sql`analyze webhook_queue`.execute(tx)
    await add(2, 20)
    expect(await claimDue(tx, new Map([[params.id, 8]]), DEFAULT_RETRY_POLICY)).toHaveLength(8)
    await sql`delete from webhook_queue`.execute(tx)
  })
})

test('a claim ends with the last pending delivery of its record, so that later events are sent once', async () => {
  const { params } = await setUp()
  const { _id } = await app.make.site()
  await saveSite(_id, 2)
  const { db, configuration } = app.context
  await fillOutbox(db, params.id, Number.MAX_SAFE_INTEGER, configuration.appId, DEFAULT_RETRY_POLICY)
  const [claim] = await claimDue(db, new Map([[params.id, 1]]), DEFAULT_RETRY_POLICY)
  if (!claim) throw new Error('Nothing was claimed')
  const send = async (): Promise<boolean> => {
    const delivery = await findFirst(db, claim)
    return delivery !== undefined && (await recordAttempt(db, claim, delivery, { status: 204, problem: null }, DEFAULT_RETRY_POLICY))
  }
  expect(await send()).toBe(true)
  expect(await send()).toBe(false)
})

test('a paused webhook gets the events of the pause when it is resumed', async () => {
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

test('the old and the new secret both sign during the overlap, then only the new one', async () => {
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

test('a private address is not connected to, even if it was allowed when the webhook was created', async () => {
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

test('a port that is not one of a web server is not connected to, even if the webhook was stored before it was refused', async () => {
  const { deliveries } = await setUp()
  const site = await app.make.site()
  startSender()
  await app.context.db.updateTable('webhook').set({ url: 'http://127.0.0.1:25/' }).execute()
  await saveSite(site._id)
  await waitUntil('it was refused', async () => (await deliveries()).some(({ tries }) => tries > 0))
  expect((await deliveries()).map(({ problem }) => problem)).toEqual(['Webhooks cannot go to port 25. Leave the port out of the address.'])
})
