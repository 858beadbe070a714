import { sql } from 'kysely'

import { ACTIVITY_PARTS } from '../../src/app/exports/history.ts'
import type { Delivery, Webhook } from '../../src/features/exchange/webhooks/contract.ts'
import { createWebhook, deleteWebhook, listDeliveries, listWebhooks } from '../../src/features/exchange/webhooks/contract.ts'
import type { RetryPolicy } from '../../src/features/exchange/webhooks/queue.server.ts'
import type { EventType } from '../../src/features/exchange/webhooks/rules.ts'
import { WebhookSender } from '../../src/features/exchange/webhooks/sender.server.ts'
import type { SignedInCaller, TestApp } from './app.ts'
import { waitUntil } from './wait-until.ts'
import { startWebhookEndpoint, type WebhookEndpoint } from './webhook-endpoint.ts'

const POLICY: RetryPolicy = {
  pollMs: 50,
  pausesMs: [20, 40],
  giveUpAfterMs: 24 * 3_600_000,
  leaseMs: 60_000,
  quietMs: 1000,
  messagePauseMs: 20,
}

/** A webhook of level 1 with its own endpoint. */
export interface TestWebhook {
  readonly endpoint: WebhookEndpoint
  readonly top: SignedInCaller
  readonly params: { readonly id: string }
  readonly secret: string
  readonly deliveries: () => Promise<Delivery[]>
  /** Waits until this many messages have arrived. */
  readonly waitFor: (messages: number) => Promise<void>
  readonly read: () => Promise<Webhook | undefined>
}

/** Webhooks and senders of a test; `stop` stops them. */
export const createWebhookTools = (getApp: () => TestApp) => {
  const open: (() => Promise<void>)[] = []
  return {
    stop: async (): Promise<void> => {
      for (const close of open.splice(0).toReversed()) await close()
    },
    startSender: (policy: Partial<RetryPolicy> = {}, on: Pick<TestApp, 'context'> = getApp()): WebhookSender => {
      const sender = new WebhookSender({ ...on.context, parts: ACTIVITY_PARTS }, { ...POLICY, ...policy })
      sender.start()
      open.push(() => sender.stop())
      return sender
    },
    setUp: async (events: readonly EventType[] = ['site.changed'], options: object = {}): Promise<TestWebhook> => {
      const endpoint = await startWebhookEndpoint()
      open.push(() => endpoint.stop())
      const top = getApp().as(1)
      const { _id: id, secret } = await top.send(createWebhook, { body: { ...options, url: endpoint.url, events: [...events] } })
      open.push(async () => void (await top.trySend(deleteWebhook, { params: { id } })))
      const params = { id }
      return {
        endpoint,
        top,
        params,
        secret,
        deliveries: () => top.send(listDeliveries, { params }),
        waitFor: (messages) => waitUntil(`${messages} messages came`, () => endpoint.received.length === messages),
        read: async () => (await top.send(listWebhooks)).find(({ _id }) => _id === id),
      }
    },
    /** Saves a site this many times, one save after the other. */
    saveSite: async (_id: string, times = 1): Promise<void> => {
      const next = { finance_id: sql<string>`coalesce(finance_id, '') || 'x'` }
      for (let time = 0; time < times; time++)
        await getApp().make.write((tx) => tx.updateTable('site').set(next).where('_id', '=', _id).execute())
    },
  }
}
