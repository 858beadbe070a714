import { CompleteHistory } from '../../../platform/server/change-poll.ts'
import { type RunningJob, startJob } from '../../../platform/server/jobs.ts'
import { findProxy } from '../../../platform/server/outbound-proxy.ts'
import { Semaphore } from '../../../platform/server/semaphore.ts'
import { type MessageContext, readMessage, RENDERINGS } from './message-content.server.ts'
import { fitMessage } from './message.server.ts'
import { fillOutbox } from './outbox.server.ts'
import { formatPostError, WebhookHttpClient } from './post.server.ts'
import {
  type Claim,
  claimDue,
  DEFAULT_RETRY_POLICY,
  type RetryPolicy,
  type DueDelivery,
  findFirst,
  readWork,
  recordAttempt,
  releaseClaim,
  type AttemptResult,
  disableWebhook,
} from './queue.server.ts'
import type { ChannelFormat } from './rules.ts'
import { openSecret, sign } from './signature.server.ts'

/** The pause after a database error. */
const ERROR_PAUSE_MS = 10_000
const FAILURE = 'Webhooks cannot be sent right now; their events are kept'
/** Records sent concurrently per webhook and in total: a slow URL does not delay others. */
const MAX_PARALLEL = 8
const MAX_PARALLEL_OF_ALL = 24
/** Database connections shared by them, so that however much is sent, requests find free ones. */
const MAX_CONNECTIONS = 3
/** How long attempts in progress may take at shutdown; then they are aborted, and repeated after the next start. */
const STOP_MS = 3000
const GONE = 410
/** Answers of a channel to a message that it never takes: later ones must not wait for it. */
const REFUSED = new Set([400, 413, 422])

/** The problem of a response as text; null if it accepted the delivery. */
const findProblem = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `Answered ${status}; redirects are not followed` : `Answered ${status}`
}

/**
 * Reads events from the history and sends them to webhooks, on every server. Each delivery is sent by one server at a time and at least once; those
 * of one record in order, those of different records concurrently.
 */
export class WebhookSender {
  readonly #context: MessageContext
  readonly #retryPolicy: RetryPolicy
  readonly #client: WebhookHttpClient
  readonly #history = new CompleteHistory()
  readonly #connections = new Semaphore(MAX_CONNECTIONS)
  /** Pending sends, and their webhooks. */
  readonly #sending = new Map<Promise<void>, string>()
  readonly #aborting = new AbortController()
  #active: readonly string[] = []
  #polling: RunningJob | undefined
  #claiming: RunningJob | undefined

  constructor(context: MessageContext, retryPolicy: RetryPolicy = DEFAULT_RETRY_POLICY) {
    this.#context = context
    this.#retryPolicy = retryPolicy
    this.#client = new WebhookHttpClient({
      allowPrivate: context.configuration.allowPrivateWebhooks,
      findProxy: (address) => findProxy(address, context.configuration),
    })
  }

  start(): void {
    if (this.#polling) return
    const { log } = this.#context
    const shared = { everyMs: this.#retryPolicy.pollMs, retryMs: ERROR_PAUSE_MS, failure: FAILURE }
    this.#claiming = startJob(log, { ...shared, run: (stopping) => this.#claimDue(stopping) })
    this.#polling = startJob(log, { ...shared, run: (stopping) => this.#poll(stopping) })
  }

  /** Creates deliveries for new events. */
  async #poll(stopping: AbortSignal): Promise<void> {
    const { db, configuration } = this.#context
    const work = await readWork(db)
    if (!work) return
    const complete = this.#history.advance(work)
    this.#active = work.webhooks.map(({ _id }) => _id)
    for (const { _id, cursor } of work.webhooks) {
      let hasMore = cursor < complete
      while (hasMore && !stopping.aborted) {
        hasMore = await fillOutbox(db, _id, complete, configuration.appId, this.#retryPolicy)
        this.#claiming?.wake()
      }
    }
  }

  /** Begins to send what is due. */
  async #claimDue(stopping: AbortSignal): Promise<void> {
    const free = this.#countFree()
    if (free.size === 0) return
    for (const claim of await claimDue(this.#context.db, free, this.#retryPolicy)) {
      const sent = this.#sendRecord(claim, stopping).finally(() => {
        this.#sending.delete(sent)
        this.#claiming?.wake()
      })
      this.#sending.set(sent, claim.webhook)
    }
  }

  /** How many more records of each active webhook may be sent now. */
  #countFree(): ReadonlyMap<string, number> {
    const sending = Map.groupBy(this.#sending.values(), (webhook) => webhook)
    let remaining = MAX_PARALLEL_OF_ALL - this.#sending.size
    const free = new Map<string, number>()
    for (const webhook of this.#active) {
      const count = Math.min(MAX_PARALLEL - (sending.get(webhook)?.length ?? 0), remaining)
      if (count <= 0) continue
      free.set(webhook, count)
      remaining -= count
    }
    return free
  }

  /** Sends the pending deliveries of a record in order, until none is left or one fails. */
  async #sendRecord(claim: Claim, stopping: AbortSignal): Promise<void> {
    const { db, log } = this.#context
    try {
      let hasMore = true
      while (hasMore && !stopping.aborted) {
        const delivery = await this.#connections.run(() => findFirst(db, claim))
        const result = delivery && (await this.#attempt(claim, delivery))
        if (!delivery || result === undefined) break
        if (result.status === GONE) {
          await disableWebhook(db, claim, delivery, GONE)
          log.warn({ webhook: claim.webhook }, 'A webhook was turned off: its address answered 410')
          return
        }
        hasMore = await this.#connections.run(() => recordAttempt(db, claim, delivery, result, this.#retryPolicy))
      }
      if (hasMore) await db.transaction().execute((tx) => releaseClaim(tx, claim))
    } catch (error) {
      // The claim expires, and the delivery is sent again.
      log.warn({ err: error, webhook: claim.webhook }, 'The result of a webhook’s delivery could not be stored')
    }
  }

  /** Undefined if the server stops before there is a response. */
  async #attempt({ webhook }: Claim, delivery: DueDelivery): Promise<AttemptResult | undefined> {
    const { format } = delivery
    return format === 'standard' ? this.#postEvent(webhook, delivery) : this.#postMessage(format, delivery)
  }

  /** The address of a channel is its password, so its messages are not signed. */
  async #postMessage(format: ChannelFormat, delivery: DueDelivery): Promise<AttemptResult | undefined> {
    const message = await this.#connections.run(() => readMessage(this.#context, delivery))
    if (message === null) return { status: null, problem: null }
    const { maxBytes, render } = RENDERINGS[format]
    const result = await this.#post(delivery, fitMessage(message, maxBytes, render))
    return result && { ...result, isFinal: REFUSED.has(result.status ?? 0) }
  }

  async #postEvent(webhook: string, delivery: DueDelivery): Promise<AttemptResult | undefined> {
    const { message: id, body, secret, oldSecret } = delivery
    const { configuration } = this.#context
    const opened = openSecret(configuration, webhook, secret)
    if (opened === null)
      return { status: null, problem: 'Its secret cannot be read, because SECRET_KEY was replaced. Give the webhook a new secret.' }
    const old = oldSecret && openSecret(configuration, webhook, oldSecret)
    const timestamp = Math.floor(Date.now() / 1000)
    return this.#post(delivery, body, {
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(old === null ? [opened] : [opened, old], { id, timestamp, body }),
    })
  }

  async #post(
    { url, message }: DueDelivery,
    body: string,
    signature: Readonly<Record<string, string>> = {},
  ): Promise<AttemptResult | undefined> {
    const headers = { 'webhook-id': message, ...signature }
    try {
      const { status, retryAfterMs } = await this.#client.post({ url, headers, body, signal: this.#aborting.signal })
      return { status, problem: findProblem(status), retryAfterMs }
    } catch (error) {
      return this.#aborting.signal.aborted ? undefined : { status: null, problem: formatPostError(error) }
    }
  }

  /** Stops in order: attempts in progress get a moment to finish, and are otherwise released. */
  async stop(): Promise<void> {
    await Promise.all([this.#polling?.stop(), this.#claiming?.stop()])
    const deadline = setTimeout(() => this.#aborting.abort(), STOP_MS)
    await Promise.all(this.#sending.keys())
    clearTimeout(deadline)
    this.#client.close()
  }
}
