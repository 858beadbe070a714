import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  readWebhook,
  renewWebhookSecret,
  replayDelivery,
  sendTestEvent,
  updateWebhook,
} from './contract.ts'
import { insertReplay, insertTestEvent, insertWebhook, removeWebhook, renewSecret, saveWebhook } from './mutations.server.ts'
import { listAllWebhooks, listDeliveriesOf, readDelivery, findWebhook } from './queries.server.ts'

export const webhookRoutes: Route[] = [
  handle(listWebhooks, async ({ context }) => listAllWebhooks(context.db)),
  handle(readWebhook, async ({ params, context }) => findWebhook(context.db, params.id)),
  handle(createWebhook, async ({ body, user, context, request, edit }) => {
    const made = await edit((tx) => insertWebhook(tx, context.configuration, body, user.name))
    logSecurityEvent(context.log, request, 'webhook_made', { webhook: made._id, events: body.events })
    return made
  }),
  handle(updateWebhook, async ({ params, body, context, request, edit }) => {
    await edit((tx, seen) => saveWebhook(tx, context.configuration, params.id, body, seen))
    logSecurityEvent(context.log, request, 'webhook_changed', { webhook: params.id, fields: Object.keys(body) })
    return findWebhook(context.db, params.id)
  }),
  handle(renewWebhookSecret, async ({ params, body, context, request, edit }) => {
    const made = await edit((tx, seen) => renewSecret(tx, context.configuration, params.id, body.overlapHours, seen))
    logSecurityEvent(context.log, request, 'webhook_secret_renewed', { webhook: params.id, hours: body.overlapHours })
    return made
  }),
  handle(deleteWebhook, async ({ params, context, request, edit }) => {
    await edit((tx, seen) => removeWebhook(tx, params.id, seen))
    logSecurityEvent(context.log, request, 'webhook_removed', { webhook: params.id })
  }),
  handle(sendTestEvent, async ({ params, user, context, edit }) => {
    const delivery = await edit((tx) => insertTestEvent(tx, params.id, user.name, context.now()))
    return readDelivery(context.db, params.id, delivery)
  }),
  handle(listDeliveries, async ({ params, query, context }) => listDeliveriesOf(context.db, params.id, query)),
  handle(replayDelivery, async ({ params, context, edit }) => {
    const delivery = await edit((tx) => insertReplay(tx, params.id, params.delivery))
    return readDelivery(context.db, params.id, delivery)
  }),
]
