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
/** How often mails are looked for that another process has stored, or could not send. */
const POLL_MS = 20_000
/** The pause after an error of the database. */
const ERROR_PAUSE_MS = 10_000
const STOP_MS = 30_000

interface MailQueueOptions {
  readonly db: Db
  readonly configuration: Configuration
  readonly log: FastifyBaseLogger
}

/**
 * Stores mails in the table `mail` and sends each at least once. The workers of every server take the next due row, and keep it locked while they
 * send it. Without started workers mails are stored, and sent by whichever server starts some.
 */
export class MailQueue {
  readonly #db: Db
  readonly #log: FastifyBaseLogger
  readonly #host: string
  readonly #transport: MailTransport
  readonly #retryPolicy: RetryPolicy
  /** Who waits for the first attempt of a mail. */
  readonly #stateListeners = new Map<string, (state: MailState) => void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #stopping = new AbortController()
  #addressMails: () => Promise<unknown> = async () => undefined
  #workers: Promise<unknown> | undefined
  /** Ends the pauses of the idle workers. */
  #wakeUp = new AbortController()

  constructor({ db, configuration, log }: MailQueueOptions, retryPolicy: RetryPolicy = DEFAULT_RETRY_POLICY) {
    this.#db = db
    this.#log = log
    this.#host = new URL(configuration.publicUrl).hostname
    this.#transport = createMailTransport(configuration)
    this.#retryPolicy = retryPolicy
  }

  /** Stores a mail in the transaction of what it is about, and gives its `_id`; `wake` sends it once that is committed. */
  enqueue(tx: Tx, mail: NewMail): Promise<string> {
    return insertMail(tx, mail, this.#host)
  }

  /** Begins again with a mail that was not sent. */
  async restart(tx: Tx, _id: string, recipients: readonly string[]): Promise<void> {
    await restartMail(tx, _id, recipients)
  }

  /** The state of a stored mail: waits a moment for its first attempt, where this process can make one. */
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

  /** Has the workers look for due mails now. */
  wake(): void {
    this.#wakeUp.abort()
    this.#wakeUp = new AbortController()
  }

  /** Sends the mails that have recipients only now. */
  async addressSoon(): Promise<void> {
    if (this.#workers !== undefined) await this.#address()
  }

  /** Begins to send: what waits is tried immediately. `addressMails` finds recipients for mails that have none. Does not fail without the database. */
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
      // Taken before the look, so that a call of `wake` during it is not lost.
      const wakeUp = this.#wakeUp.signal
      let hasSent = false
      const isReachable = await this.#attempt(async () => {
        hasSent = await this.#sendNext()
      })
      if (!hasSent) await this.#sleep(isReachable ? POLL_MS : ERROR_PAUSE_MS, isReachable ? wakeUp : undefined)
    }
  }

  /** Whether the work succeeded; the log has why it did not. */
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
   * One attempt at the next due mail; false where none is due. The row stays locked until the result is written, so that no other process sends it
   * in the meantime. A process that dies gives the row back with its connection, and the mail is sent again under its own Message-ID.
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

  /** Stops in order: a mail being sent is finished, or given back and sent again later under its own Message-ID. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.race([this.#workers, pause(STOP_MS, undefined, { ref: false })])
  }
}
