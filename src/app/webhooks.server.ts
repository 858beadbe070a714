import { WebhookSender } from '../features/operations/webhooks/sender.server.ts'
import type { AppContext } from '../platform/server/app-context.ts'

/** Sends events to webhooks while the server runs. Returns a function that stops it. */
export const startWebhooks = (context: AppContext): (() => Promise<void>) => {
  if (!context.configuration.serve.has('app')) return async () => undefined
  const sender = new WebhookSender(context)
  sender.start()
  return () => sender.stop()
}
