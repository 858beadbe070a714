import type { HistoryParts } from '../../../contract/history.ts'
import { recordAffairRead, recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  previewMessages,
  readWebhook,
  renewWebhookSecret,
  replayDelivery,
  sendTestEvent,
  updateWebhook,
  type Webhook,
} from './contract.ts'
import {
  assertMayShowAffairs,
  insertReplay,
  insertTestEvent,
  insertWebhook,
  removeWebhook,
  renewSecret,
  saveWebhook,
} from './mutations.server.ts'
import { readPreviews } from './previews.server.ts'
import { listAllWebhooks, listDeliveriesOf, readDelivery, findWebhook } from './queries.server.ts'
import { formatTarget } from './rules.ts'

/** The audited values of a webhook: never its secret, which for a channel is its web address. */
const toAuditValues = (webhook: Webhook) => {
  const { name, format, events, state, quiet, summary, overdue, affairs } = webhook
  const options = format === 'standard' ? {} : { format, quiet, summary, overdue, affairs }
  return { ...(name === null ? {} : { name }), url: formatTarget(webhook), events, state, ...options }
}

/** `parts` has the labels of fields of all kinds. */
export const createWebhookRoutes = (parts: HistoryParts): Route[] => [
  handle(listWebhooks, async ({ context }) => listAllWebhooks(context.db)),
  handle(readWebhook, async ({ params, context }) => findWebhook(context.db, params.id)),
  handle(createWebhook, async ({ body, user, context, request, edit }) => {
    const created = await edit(async (tx) => {
      const inserted = await insertWebhook(tx, context, user, body)
      const after = toAuditValues(await findWebhook(tx, inserted._id))
      await recordAudit(tx, request, { kind: 'webhook.created', record: inserted._id, after })
      return inserted
    })
    logSecurityEvent(context.log, request, 'webhook_made', { webhook: created._id, events: body.events })
    return created
  }),
  handle(updateWebhook, async ({ params, body, user, context, request, edit }) => {
    const saved = await edit(async (tx, ifMatchVersion) => {
      const before = await findWebhook(tx, params.id)
      await saveWebhook(tx, context, user, params.id, body, ifMatchVersion)
      const after = await findWebhook(tx, params.id)
      const event = { kind: 'webhook.changed', record: params.id, before: toAuditValues(before), after: toAuditValues(after) } as const
      await recordAudit(tx, request, event)
      return after
    })
    logSecurityEvent(context.log, request, 'webhook_changed', { webhook: params.id, fields: Object.keys(body) })
    return saved
  }),
  handle(renewWebhookSecret, async ({ params, body, context, request, edit }) => {
    const renewedSecret = await edit(async (tx, ifMatchVersion) => {
      const renewed = await renewSecret(tx, context.configuration, params.id, body.overlapHours, ifMatchVersion)
      await recordAudit(tx, request, { kind: 'webhook.changed', record: params.id, after: { secret: 'renewed', ...body } })
      return renewed
    })
    logSecurityEvent(context.log, request, 'webhook_secret_renewed', { webhook: params.id, hours: body.overlapHours })
    return renewedSecret
  }),
  handle(deleteWebhook, async ({ params, context, request, edit }) => {
    await edit(async (tx, ifMatchVersion) => {
      const before = toAuditValues(await findWebhook(tx, params.id))
      await removeWebhook(tx, params.id, ifMatchVersion)
      await recordAudit(tx, request, { kind: 'webhook.removed', record: params.id, before })
    })
    logSecurityEvent(context.log, request, 'webhook_removed', { webhook: params.id })
  }),
  handle(sendTestEvent, async ({ params, user, context, edit }) => {
    const delivery = await edit((tx) => insertTestEvent(tx, params.id, user.name, context.now()))
    return readDelivery(context.db, params.id, delivery)
  }),
  handle(previewMessages, async ({ body, user, context, request }) => {
    assertMayShowAffairs(user, body.affairs)
    if (body.affairs) await recordAffairRead(context, request, 'preview of a channel')
    return readPreviews({ ...context, parts }, body)
  }),
  handle(listDeliveries, async ({ params, query, context }) => listDeliveriesOf(context.db, params.id, query)),
  handle(replayDelivery, async ({ params, context, request, edit }) => {
    const delivery = await edit(async (tx) => {
      const sent = await insertReplay(tx, params.id, params.delivery)
      await recordAudit(tx, request, { kind: 'webhook.replayed', record: params.id, after: { delivery: params.delivery } })
      return sent
    })
    return readDelivery(context.db, params.id, delivery)
  }),
]
