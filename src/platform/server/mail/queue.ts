import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyBaseLogger } from 'fastify'

import type { MailState } from '../../../contract/mail.ts'
import type { Db, Tx } from '../../../database/connection.server.ts'
import type { Configuration } from '../configuration.ts'
import { type Job, type RunningJob, startJob } from '../jobs.ts'
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
  type RetryPolicy,
} from './store.ts'
import { createMailTransport, type MailTransport } from './transport.ts'

const WORKERS = 2
/** How often the queue is checked for mails that other processes stored or could not send; and the pause after a database error. */
const PAUSES = { everyMs: 20_000, retryMs: 10_000 } as const
const FAILURE = 'Emails are saved, but cannot be sent right now'

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
  /** The workers, once they are started. */
  #workers: readonly RunningJob[] = []
  #addressing: RunningJob | undefined

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

  /** The state of a stored mail; waits a moment for its first attempt if this process can make one. */
  async waitForState(_id: string, timeoutMs = 1500): Promise<MailState> {
    const attempted = new Promise<MailState>((resolve) => this.#stateListeners.set(_id, resolve))
    try {
      const state = await readMailState(this.#db, _id)
      if (state !== 'waiting' || this.#workers.length === 0) return state
      this.wake()
      return await Promise.race([attempted, pause(timeoutMs, 'waiting' as const, { ref: false })])
    } finally {
      this.#stateListeners.delete(_id)
    }
  }

  /** Makes the workers check for due mails now. */
  wake(): void {
    for (const worker of this.#workers) worker.wake()
  }

  /** Sends the mails that have just received recipients. */
  addressSoon(): void {
    this.#addressing?.wake()
  }

  /**
   * Starts sending; waiting mails are sent immediately. `addressMails` finds recipients for mails that have none. Works without the database, too.
   */
  start(addressMails: () => Promise<unknown>): void {
    if (this.#addressing) return
    const start = (run: Job['run']): RunningJob => startJob(this.#log, { ...PAUSES, run, failure: FAILURE })
    this.#workers = Array.from({ length: WORKERS }, () => start((stopping) => this.#sendDue(stopping)))
    let isFirst = true
    this.#addressing = start(async () => {
      if (isFirst) await makeAllMailsDue(this.#db)
      isFirst = false
      await addressMails()
      this.wake()
    })
  }

  async #sendDue(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.#sendNext()));
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
      setTimeout(() => this.wake(), Math.max(mail.nextTryAt.getTime() - Date.now() + 20, 0)).unref()
    }
    return true
  }

  /** Stops in order: a mail being sent is finished, or released and sent again later with the same Message-ID. */
  async stop(): Promise<void> {
    await Promise.all([this.#addressing?.stop(), ...this.#workers.map((worker) => worker.stop())])
  }
}
