import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
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
import { deleteOldDeliveries } from './mutations.server.ts'
import { readDeliveryCounts } from './queries.server.ts'
import { MAX_WEBHOOKS } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ SECRET_KEY: 'q8Zr2LwX0vTn4YbKc7HdMf1JgSa9PeUo' })
})

const url = 'https://intake.example.org/homeroom'
const make = async (events = ['site.changed' as const]) => {
  const top = app.as(1)
  const made = await top.send(createWebhook, { body: { url, events } })
  return { top, made, params: { id: made._id } }
}
const UNKNOWN_WEBHOOK = { id: '00000000-0000-4000-8000-000000000000' }

test('a webhook is created with a secret that no other response contains and that is stored encrypted', async () => {
  const top = app.as(1)
  const made = await top.send(createWebhook, { body: { url: `${url} `, events: ['person.left', 'site.created', 'person.left'] } })
  expect(made).toEqual({ _id: expect.any(String), secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/), version: 1 })
  const listed = (await top.send(listWebhooks)).find(({ _id }) => _id === made._id)
  expect(listed).toEqual({
    _id: made._id,
    name: null,
    url,
    format: 'standard',
    events: ['site.created', 'person.left'],
    quiet: false,
    summary: false,
    overdue: false,
    affairs: false,
    affairsBy: null,
    state: 'active',
    problem: null,
    createdAt: expect.any(String),
    createdBy: (await top.who()).name,
    oldSecretEndsAt: null,
    waiting: 0,
    failed: 0,
    lastDeliveredAt: null,
    version: 1,
  })
  const { rows } = await sql<{
    text: string
  }>`select w::text || encode(secret, 'escape') as text from webhook as w where _id = ${made._id}`.execute(app.context.db)
  expect(rows[0]?.text).not.toContain(made.secret.slice(6))
})

test.each([
  [{ url, events: [] }, 'events', 'Choose at least one event'],
  [{ url, events: ['site.exploded'] }, 'events.0', expect.any(String)],
  [{ url, events: ['webhook.test'] }, 'events.0', expect.any(String)],
  [{ url: '', events: ['site.changed'] }, 'url', expect.any(String)],
  [{ url: 'http://intake.example.org/', events: ['site.changed'] }, 'url', 'The address must begin with https://'],
  [{ url: 'https://me:secret@intake.example.org/', events: ['site.changed'] }, 'url', 'The address must not contain a user or a password'],
  [{ url: 'https://intake.example.org:25/', events: ['site.changed'] }, 'url', expect.stringContaining('cannot go to port 25')],
  [{ url: 'https://intake.example.org:8443/', events: ['site.changed'] }, 'url', expect.stringContaining('cannot go to port 8443')],
  [{ url: 'https://127.0.0.1/', events: ['site.changed'] }, 'url', expect.stringContaining('private network')],
  [{ url: 'https://[::ffff:10.0.0.1]/', events: ['site.changed'] }, 'url', expect.stringContaining('private network')],
  [{ url: 'https://localhost:3000/', events: ['site.changed'] }, 'url', expect.stringContaining('private network')],
  [{ url: `https://intake.example.org/${'x'.repeat(1000)}`, events: ['site.changed'] }, 'url', expect.any(String)],
])('%j is refused in a new webhook and in a change', async (body, path, message) => {
  const { top, params } = await make()
  const before = await top.send(listWebhooks)
  for (const answer of [
    await top.trySend(createWebhook, { body: body as never }),
    await top.trySend(updateWebhook, { params, body: body as never }),
  ]) {
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toEqual([{ path, message }])
  }
  expect(await top.send(listWebhooks)).toEqual(before)
})

test('a webhook is changed, paused and removed with its current version', async () => {
  const { top, params } = await make()
  const change = (body: object, version: number) => top.trySend(updateWebhook, { params, body, headers: { 'if-match': `"${version}"` } })
  expect((await change({ state: 'paused', events: ['person.left'] }, 1)).json()).toMatchObject({
    state: 'paused',
    events: ['person.left'],
    version: 2,
  })
  expect((await change({ state: 'active' }, 1)).statusCode).toBe(412)
  expect((await top.trySend(renewWebhookSecret, { params, body: {}, headers: { 'if-match': '"1"' } })).statusCode).toBe(412)
  expect((await top.trySend(sendTestEvent, { params })).json()).toMatchObject({ status: 409, title: 'This webhook is paused' })
  const remove = (version: number) => top.trySend(deleteWebhook, { params, headers: { 'if-match': `"${version}"` } })
  expect([(await remove(1)).statusCode, (await remove(2)).statusCode, (await remove(2)).statusCode]).toEqual([412, 204, 404])
})

test('a secret is replaced, and the old one ends at the chosen time', async () => {
  const { top, made, params } = await make()
  const next = await top.send(renewWebhookSecret, { params, body: { overlapHours: 2 } })
  expect(next).toMatchObject({ _id: made._id, version: 2 })
  expect(next.secret).not.toBe(made.secret)
  const read = async () => (await top.send(listWebhooks)).find(({ _id }) => _id === made._id)
  const ends = Date.parse((await read())?.oldSecretEndsAt ?? '')
  expect(Math.abs(ends - Date.now() - 2 * 3_600_000)).toBeLessThan(60_000)
  await top.send(renewWebhookSecret, { params, body: { overlapHours: 0 } })
  expect((await read())?.oldSecretEndsAt).toBeNull()
  expect((await top.trySend(renewWebhookSecret, { params, body: { overlapHours: 169 } })).statusCode).toBe(422)
})

describe('deliveries', () => {
  test('are listed newest first, filtered by state, in pages, with the message that was sent', async () => {
    const { top, params } = await make()
    const sent = [
      await top.send(sendTestEvent, { params }),
      await top.send(sendTestEvent, { params }),
      await top.send(sendTestEvent, { params }),
    ]
    const ids = sent.map(({ _id }) => _id).toReversed()
    const list = async (query: object) => (await top.send(listDeliveries, { params, query })).map(({ _id }) => _id)
    expect(await list({})).toEqual(ids)
    expect(await list({ before: ids[0] })).toEqual(ids.slice(1))
    expect(await list({ state: 'failed' })).toEqual([])
    expect(await list({ state: 'waiting' })).toEqual(ids)
    expect(sent[0]).toEqual({
      _id: expect.any(Number),
      message: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      body: {
        type: 'webhook.test',
        timestamp: expect.any(String),
        data: { kind: 'webhook', _id: params.id, slug: null, name: null, version: 1, changed: [], by: (await top.who()).name },
      },
      state: 'waiting',
      tries: 0,
      createdAt: expect.any(String),
      lastTryAt: null,
      nextTryAt: expect.any(String),
      endedAt: null,
      status: null,
      problem: null,
      replayOf: null,
    })
  })

  test('of another webhook, or unknown, are not found', async () => {
    const [one, other] = [await make(), await make()]
    const { _id: delivery } = await one.top.send(sendTestEvent, { params: one.params })
    for (const params of [
      { ...other.params, delivery },
      { ...one.params, delivery: delivery + 1000 },
      { ...UNKNOWN_WEBHOOK, delivery },
    ])
      expect((await one.top.trySend(replayDelivery, { params })).statusCode).toBe(404)
    expect((await one.top.trySend(listDeliveries, { params: UNKNOWN_WEBHOOK })).statusCode).toBe(404)
    expect((await one.top.request('POST', `/api/webhooks/${one.params.id}/deliveries/x/replay`)).statusCode).toBe(404)
  })

  test('are deleted 30 days after their end, not while they are pending; metrics count them', async () => {
    const { db } = app.context
    await db.deleteFrom('webhook').execute()
    const { top, params } = await make()
    const [old, recent, waiting] = [
      await top.send(sendTestEvent, { params }),
      await top.send(sendTestEvent, { params }),
      await top.send(sendTestEvent, { params }),
    ]
    const end = (_id: number, days: number) =>
      db
        .updateTable('webhook_delivery')
        .set({ state: 'failed', endedAt: sql<Date>`now() - make_interval(days => ${days})` })
        .where('_id', '=', _id)
        .execute()
    await end(old._id, 31)
    await end(recent._id, 29)
    await db
      .updateTable('webhook_delivery')
      .set({ createdAt: sql<Date>`now() - interval '40 days'` })
      .where('_id', '=', waiting._id)
      .execute()
    expect(await deleteOldDeliveries(db)).toBe(1)
    expect((await top.send(listDeliveries, { params })).map(({ _id }) => _id)).toEqual([waiting._id, recent._id])
    const counts = await readDeliveryCounts(db)
    expect(counts).toMatchObject({ waiting: 1, failed: 1 })
    expect(counts.oldestSeconds).toBeGreaterThan(39 * 86_400)
    // Deliveries of a paused webhook are not late.
    await top.send(updateWebhook, { params, body: { state: 'paused' } })
    expect(await readDeliveryCounts(db)).toEqual({ waiting: 1, failed: 1, oldestSeconds: 0 })
  })
})

test('the audit trail records each action, and never a secret', async () => {
  const { top, made, params } = await make()
  await top.send(updateWebhook, { params, body: { events: ['person.left'] } })
  const renewed = await top.send(renewWebhookSecret, { params, body: { overlapHours: 1 } })
  const { _id: delivery } = await top.send(sendTestEvent, { params })
  await top.send(replayDelivery, { params: { ...params, delivery } })
  await top.send(deleteWebhook, { params })
  const rows = await app.context.db
    .selectFrom('audit_event')
    .select(['kind', 'before', 'after'])
    .where('record', '=', made._id)
    .orderBy('_id')
    .execute()
  const [old, current] = [
    { url, events: ['site.changed'], state: 'active' },
    { url, events: ['person.left'], state: 'active' },
  ]
  expect(rows).toEqual([
    { kind: 'webhook.created', before: null, after: old },
    { kind: 'webhook.changed', before: old, after: current },
    { kind: 'webhook.changed', before: null, after: { secret: 'renewed', overlapHours: 1 } },
    { kind: 'webhook.replayed', before: null, after: { delivery } },
    { kind: 'webhook.removed', before: current, after: null },
  ])
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${made.secret.slice(6, 20)}|${renewed.secret.slice(6, 20)}`.replaceAll('+', '\\+')))
})

test(`there are at most ${MAX_WEBHOOKS} webhooks`, async () => {
  const { db } = app.context
  await db.deleteFrom('webhook').execute()
  const top = app.as(1)
  const answers = await Promise.all(
    Array.from({ length: MAX_WEBHOOKS + 3 }, () => top.trySend(createWebhook, { body: { url, events: ['site.changed'] } })),
  )
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409])
  expect(await top.send(listWebhooks)).toHaveLength(MAX_WEBHOOKS)
})
