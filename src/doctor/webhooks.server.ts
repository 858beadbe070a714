import net, { type LookupFunction } from 'node:net'
import tls from 'node:tls'

import { createPublicLookup, findTargetError } from '../features/exchange/webhooks/target.server.ts'
import type { Configuration } from '../platform/server/configuration.ts'
import { findProxy } from '../platform/server/outbound-proxy.ts'
import { getErrorReason } from '../platform/server/startup-errors.ts'
import { queryDatabase } from './database.server.ts'
import { type Finding, failed, note, passed } from './finding.ts'

interface WebhookState {
  readonly url: string
  readonly state: string
  readonly waiting: number
  readonly failed: number
}

/** Only connects, because the other program could mistake a request for an event. */
const connect = (url: URL, lookup: LookupFunction | undefined, timeoutMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const options = { host, port: Number(url.port) || (isSecure ? 443 : 80), ...(lookup ? { lookup } : {}) }
    const socket = isSecure ? tls.connect({ ...options, ...(net.isIP(host) === 0 ? { servername: host } : {}) }) : net.connect(options)
    const end = (error?: Error): void => {
      socket.destroy()
      if (error) reject(error)
      else resolve()
    }
    socket.once(isSecure ? 'secureConnect' : 'connect', () => end())
    socket.once('error', end)
    socket.setTimeout(timeoutMs, () => end(new Error('it does not answer in time')))
  })

const check = async (configuration: Configuration, webhook: WebhookState, timeoutMs: number): Promise<Finding> => {
  const { url: address, state, waiting } = webhook
  const url = new URL(address)
  // Only the host, because the path of a webhook may be secret.
  const name = `that of ${url.host}`
  const counts = `${waiting} waiting, ${webhook.failed} failed`
  if (state !== 'active') return note(`${name} is ${state === 'off' ? 'turned off: see its page' : state} (${counts})`)
  const allowPrivate = configuration.allowPrivateWebhooks
  const mistake = findTargetError(address, allowPrivate)
  if (mistake !== undefined) return failed(`${name} gets nothing: ${mistake}; change it, or set WEBHOOK_PRIVATE_TARGETS=allow`)
  if (findProxy(address, configuration) !== undefined) return note(`${name} goes through the proxy (${counts})`)
  try {
    await connect(url, allowPrivate ? undefined : createPublicLookup(), timeoutMs)
    return passed(`${name} can be reached (${counts})`)
  } catch (error) {
    return failed(`${name} cannot be reached: ${getErrorReason(error)} (${counts}); look at its page`)
  }
}

/** Whether the webhooks are reachable, and how many deliveries are pending. */
export const checkWebhooks = async (configuration: Configuration, timeoutMs: number): Promise<Finding[]> => {
  const webhooks = await queryDatabase<WebhookState>(
    configuration,
    timeoutMs,
    `select url, state,
      (select count(*)::int from webhook_delivery as delivery where delivery.webhook = webhook._id and delivery.state = 'waiting') as waiting,
      (select count(*)::int from webhook_delivery as delivery where delivery.webhook = webhook._id and delivery.state = 'failed') as failed
     from webhook order by "createdAt", _id`,
  )
  if (webhooks === undefined) return []
  if (webhooks.length === 0) return [note('there is none')]
  return Promise.all(webhooks.map((webhook) => check(configuration, webhook, timeoutMs)))
}
