import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyBaseLogger } from 'fastify'

import type { MailState } from '../../../contract/mail.ts'
import type { Db, Tx } from '../../../database/connection.server.ts'
import type { Configuration } from '../configuration.ts'
import {
  cancelMail,
  DEFAULT_RETRY_POLICY,
  getMailState,
  insertMail,
  isReplacedAnswer,
  lockDueMail,
  makeAllMailsDue,
  type NewMail,
  readMailState,
  recordAttempt,
  restartMail,
  type RetryPolicy,
} from './store.ts'
import { createMailTransport, type MailTransport } from './transport.ts'

const WORKERS = 2
/** How often the queue is checked for mails that other processes stored or could not send. */
const POLL_MS = 20_000
/** The pause after a database error. */
const ERROR_PAUSE_MS = 10_000
const STOP_MS = 30_000

interface MailQueueOptions {
  readonly db: Db
  readonly configuration: Configuration
  readonly log: FastifyBaseLogger
}

/**
 * Stores mails in the table `mail` and sends each at least once. Every server's workers take the next due row and keep it locked while they send it.
 * If no workers are started, mails are only stored, and a server with workers sends them.
 */
export class MailQueue {
  readonly #db: Db
  readonly #log: FastifyBaseLogger
  readonly #host: string
  readonly #transport: MailTransport
  readonly #retryPolicy: RetryPolicy
  /** Callers that wait for the first attempt of a mail. */
  readonly #stateListeners = new Map<string, (state: MailState) => void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #stopping = new AbortController()
  #addressMails: () => Promise<unknown> = async () => undefined
  #workers: Promise<unknown> | undefined
  /** Ends the pauses of idle workers. */
  #wakeUp = new AbortController()

  constructor({ db, configuration, log }: MailQueueOptions, retryPolicy: RetryPolicy = DEFAULT_RETRY_POLICY) {
    this.#db = db
    this.#log = log
    this.#host = new URL(configuration.publicUrl).hostname
    this.#transport = createMailTransport(configuration)
    this.#retryPolicy = retryPolicy
  }

  /** Stores a mail in the transaction of what it is about, and returns its `_id`; `wake` sends it once that is committed. */
  enqueue(tx: Tx, mail: NewMail): Promise<string> {
    return insertMail(tx, mail, this.#host)
  }

  /** Restarts a mail that was not sent. */
  async restart(tx: Tx, _id: string, recipients: readonly string[]): Promise<void> {
    await restartMail(tx, _id, recipients)
  }

  /** The state of a stored mail; waits a moment for its first attempt if this process can make one. */
  async waitForState(_id: string, timeoutMs = 1500): Promise<MailState> {
    const attempted = new Promise<MailState>((resolve) => this.#stateListeners.set(_id, resolve))
    try {
      const state = await readMailState(this.#db, _id)
      if (state !== 'waiting' || this.#workers === undefined) return state
      this.wake()
      return await Promise.race([attempted, pause(timeoutMs, 'waiting' as const, { ref: false })])
    } finally {
      this.#stateListeners.delete(_id)
    }
  }

  /** Makes the workers check for due mails now. */
  wake(): void {
    this.#wakeUp.abort()
    this.#wakeUp = new AbortController()
  }

  /** Sends the mails that have just received recipients. */
  async addressSoon(): Promise<void> {
    if (this.#workers !== undefined) await this.#address()
  }

  /**
   * Starts sending; waiting mails are sent immediately. `addressMails` finds recipients for mails that have none. Works without the database, too.
   */
  start(addressMails: () => Promise<unknown>): void {
    this.#addressMails = addressMails
    this.#workers ??= this.#begin()
  }

  async #begin(): Promise<void> {
    while (!this.#stopping.signal.aborted && !(await this.#attempt(() => makeAllMailsDue(this.#db)))) await this.#sleep(ERROR_PAUSE_MS)
    await Promise.all([this.#poll(), ...Array.from({ length: WORKERS }, () => this.#work())])
  }

  async #poll(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#address()
      await this.#sleep(POLL_MS)
    }
  }

  async #address(): Promise<void> {
    await this.#attempt(this.#addressMails)
    this.wake()
  }

  async #work(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      // Read before the check, so that a call of `wake` during it is not lost.
      const wakeUp = this.#wakeUp.signal
      let hasSent = false
      const isReachable = await this.#attempt(async () => {
        hasSent = await this.#sendNext()
      })
      if (!hasSent) await this.#sleep(isReachable ? POLL_MS : ERROR_PAUSE_MS, isReachable ? wakeUp : undefined)
    }
  }

  /** Whether the work succeeded; failures are logged. */
  async #attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#log.warn({ err: error }, 'Emails are saved, but cannot be sent right now')
      return false
    }
  }

  async #sleep(ms: number, wakeUp?: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, ...(wakeUp ? [wakeUp] : [])])
    await pause(ms, undefined, { ref: false, signal }).catch(() => undefined)
  }

  /**
   * One attempt at the next due mail; false if none is due. The row stays locked until the result is written, so that no other process sends it at
   * the same time. If a process dies, its connection releases the row, and the mail is sent again with the same Message-ID.
   */
  async #sendNext(): Promise<boolean> {
    const mail = await this.#db.transaction().execute(async (tx) => {
      const due = await lockDueMail(tx)
      if (!due) return undefined
      if (await isReplacedAnswer(tx, due)) return cancelMail(tx, due._id)
      return recordAttempt(tx, due, await this.#transport.send(due), this.#transport.kind, this.#retryPolicy)
    })
    if (!mail) return false
    const state = getMailState(mail)
    this.#stateListeners.get(mail._id)?.(state)
    if (state === 'waiting') {
      this.#log.info({ mail: mail._id, problem: mail.problem }, 'An email was not accepted and will be tried again')
      this.#wakeAt(mail.nextTryAt)
    }
    return true
  }

  #wakeAt(moment: Date): void {
    if (this.#stopping.signal.aborted) return
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.wake()
      },
      Math.max(moment.getTime() - Date.now() + 20, 0),
    ).unref()
    this.#timers.add(timer)
  }

  /** Stops in order: a mail being sent is finished, or released and sent again later with the same Message-ID. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.race([this.#workers, pause(STOP_MS, undefined, { ref: false })])
  }
}
