import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db as BossDb, PgBoss } from 'pg-boss'

import type { Db, Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import type { MailState } from '../../contract/mail.ts'
import type { Configuration } from '../configuration.ts'
import {
  insertMail,
  readMailState,
  type NewMail,
  recordAttempt,
  findOverdueMails,
  DEFAULT_RETRY_POLICY,
  type RetryPolicy,
  restartMail,
  getMailState,
  lockDueMail,
} from './store.ts'
import { type MailTransport, createMailTransport } from './transport.ts'

const QUEUE = 'mail'
const SWEEP_MS = 20_000
const OPEN_AGAIN_MS = 10_000
/** Longer than any try takes. */
const MAX_ATTEMPT_SECONDS = 300
const AT_ONCE = 2
/** Whoever keeps a mail wakes the queue; the rest of the time it is looked at now and then, for mails kept by other processes. */
const PACE = { batchSize: 1, pollingIntervalSeconds: 30 }
const STOP_MS = 30_000

/** The transaction, as the queue writes through it. */
const through = (tx: Tx): BossDb => ({
  executeSql: async (text, values = []) => {
    const { rows } = await tx.executeQuery<object>({
      sql: text,
      parameters: values,
      query: { kind: 'RawNode', sqlFragments: [text], parameters: [] },
      queryId: { queryId: QUEUE },
    })
    return { rows: [...rows] }
  },
})

/** Our own pool, as the queue uses it: the queue needs no connections of its own. */
const throughPool = (pool: Pool): BossDb => ({
  executeSql: async (text, values) => pool.query(text, values as unknown[]),
})

interface MailQueueOptions {
  readonly db: Db
  readonly pool: Pool
  readonly configuration: Configuration
  readonly log: FastifyBaseLogger
}

/**
 * Where mails are kept and sent from, at least once each. The row in `mail` is the truth; a job of the queue (pg-boss) only says that a mail's
 * time has come. Without a started queue mails are kept, and sent by whichever server starts one.
 */
export class MailQueue {
  readonly #db: Db
  readonly #pool: Pool
  readonly #log: FastifyBaseLogger
  readonly #host: string
  readonly #carrier: MailTransport
  readonly #patience: RetryPolicy
  readonly #told = new Map<string, (state: MailState) => void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #addressMails: () => Promise<unknown> = async () => undefined
  #boss: PgBoss | undefined
  #workers: readonly string[] = []
  #opening: Promise<void> | undefined
  #sweeping: NodeJS.Timeout | undefined
  #isSwept = false
  /** A sweep under way, beside which no other begins. */
  #round: Promise<void> | undefined
  #isStopped = false

  constructor({ db, pool, configuration, log }: MailQueueOptions, patience: RetryPolicy = DEFAULT_RETRY_POLICY) {
    this.#db = db
    this.#pool = pool
    this.#log = log
    this.#host = new URL(configuration.publicUrl).hostname
    this.#carrier = createMailTransport(configuration)
    this.#patience = patience
  }

  /** Keeps a mail and makes a job for it, both in the transaction of what it is about. */
  async enqueue(tx: Tx, mail: NewMail): Promise<string> {
    const _id = await insertMail(tx, mail, this.#host)
    if (mail.recipients.length > 0) await this.#appoint(tx, [_id])
    return _id
  }

  /** Begins anew with a mail that was not sent. */
  async restart(tx: Tx, _id: string, recipients: readonly string[]): Promise<void> {
    if ((await restartMail(tx, _id, recipients)) && recipients.length > 0) await this.#appoint(tx, [_id])
  }

  /** How it stands with a mail just kept: waits a moment for its first try, where this process can make one. */
  async waitForState(_id: string, withinMs = 1500): Promise<MailState> {
    const tried = new Promise<MailState>((resolve) => this.#told.set(_id, resolve))
    try {
      const now = await readMailState(this.#db, _id)
      if (now !== 'waiting' || this.#workers.length === 0) return now
      this.wake()
      return await Promise.race([tried, this.#after(withinMs).then((): MailState => 'waiting')])
    } finally {
      this.#told.delete(_id)
    }
  }

  /** Has the queue looked at now, and not when it is next due. */
  wake(): void {
    for (const worker of this.#workers) this.#boss?.notifyWorker(worker)
  }

  /** Looks at once for mails that somebody is set to get now. */
  async sweepSoon(): Promise<void> {
    if (this.#workers.length > 0) await this.#sweep()
  }

  /**
   * Begins to send, here and in every other process that has begun: what waits is tried at once. `addressMails` finds recipients for mails that
   * have none. It does not fail: without its queue this goes on trying to begin.
   */
  start(assignRecipients: () => Promise<unknown>): Promise<void> {
    this.#addressMails = assignRecipients
    return (this.#opening ??= this.#open())
  }

  async #open(): Promise<void> {
    try {
      const { PgBoss: Boss } = await import('pg-boss')
      const boss = new Boss({
        db: throughPool(this.#pool),
        schedule: false,
        // An idle server asks little: it sweeps for itself, and what is asked here only tidies up.
        superviseIntervalSeconds: 900,
        monitorIntervalSeconds: 900,
        queueCacheIntervalSeconds: 3600,
        flowIntervalSeconds: 3600,
        bamIntervalSeconds: 900,
      })
      boss.on('error', (error) => this.#log.warn({ err: error }, 'The queue of mails'))
      this.#boss = boss
      await this.#alone(async () => {
        await boss.start()
        // Tries are counted in `mail`; a job is never run again by the queue itself.
        await boss.createQueue(QUEUE, { retryLimit: 0, expireInSeconds: MAX_ATTEMPT_SECONDS, deleteAfterSeconds: 3600 })
      })
      if (this.#isStopped) return
      this.#workers = await Promise.all(Array.from({ length: AT_ONCE }, () => boss.work<{ mail: string }>(QUEUE, PACE, this.#work)))
      this.#isSwept = false
      await this.#sweep()
      this.#sweeping = setInterval(() => {
        this.#round ??= this.#sweep().finally(() => {
          this.#round = undefined
        })
      }, SWEEP_MS).unref()
    } catch (error) {
      if (this.#isStopped) return
      this.#log.warn({ err: error }, 'Emails are saved, but cannot be sent right now')
      await this.#boss?.stop({ graceful: false }).catch(() => undefined)
      this.#boss = undefined
      this.#later(OPEN_AGAIN_MS, () => {
        this.#opening = this.#open()
      })
    }
  }

  readonly #work = async ([job]: { data: { mail: string } }[]): Promise<void> => {
    if (job) {
      await this.#try(job.data.mail).catch((error: unknown) => {
        if (this.#isStopped) return
        // The job is used up; the mail is not.
        this.#log.warn({ err: error, mail: job.data.mail }, 'A mail could not be tried right now')
        this.#later(OPEN_AGAIN_MS, () => void this.#work([job]))
      })
    }
    // The next one at once, and not when the queue is next looked at.
    this.wake()
  }

  /** Installs the queue while no other server does. */
  #alone(work: () => Promise<void>): Promise<void> {
    return this.#db.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(${LOCKS.mailQueue})`.execute(connection)
      try {
        await work()
      } finally {
        await sql`select pg_advisory_unlock(${LOCKS.mailQueue})`.execute(connection)
      }
    })
  }

  /** Ends in order: a mail in flight is finished, or given back and sent again later under its own Message-ID. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeping)
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#opening
    await this.#round
    this.#workers = []
    await this.#boss?.stop({ close: false, timeout: STOP_MS })
  }

  /** Makes jobs. Where the queue cannot take them, nothing else is lost: the sweep finds the mails. */
  async #appoint(tx: Tx, mails: readonly string[], at?: Date): Promise<void> {
    const boss = this.#boss
    if (boss === undefined || this.#workers.length === 0) return
    await sql`savepoint appointing`.execute(tx)
    try {
      const jobs = mails.map((mail) => ({ data: { mail }, ...(at ? { startAfter: at } : {}) }))
      await boss.insert(QUEUE, jobs, { db: through(tx) })
    } catch (error) {
      await sql`rollback to savepoint appointing`.execute(tx)
      this.#log.warn({ err: error }, 'An email is saved and waits for the next run: the queue did not accept it')
    }
  }

  /** The first sweep that succeeds takes everything that waits, all others what is overdue. */
  async #sweep(): Promise<void> {
    try {
      await this.#addressMails()
      await this.#db.transaction().execute(async (tx) => {
        const mails = await findOverdueMails(tx, !this.#isSwept)
        if (mails.length > 0) await this.#appoint(tx, mails)
      })
      this.#isSwept = true
      this.wake()
    } catch (error) {
      if (!this.#isStopped) this.#log.warn({ err: error }, 'The mails that wait cannot be looked for right now')
    }
  }

  /**
   * One try. The row stays locked until what came of it is written, so that no other process sends it meanwhile; one that dies on the way gives
   * the row back with its connection, and the mail is sent again as the same mail.
   */
  async #try(_id: string): Promise<void> {
    const tried = await this.#db.transaction().execute(async (tx) => {
      const mail = await lockDueMail(tx, _id)
      if (!mail) return undefined
      const carried = await this.#carrier.send(mail)
      const after = await recordAttempt(tx, mail, carried, this.#carrier.kind, this.#patience)
      if (getMailState(after) === 'waiting') await this.#appoint(tx, [_id], after.nextTryAt)
      return after
    })
    if (!tried) return
    const state = getMailState(tried)
    this.#told.get(_id)?.(state)
    if (state !== 'waiting') return
    this.#log.info({ mail: _id, problem: tried.problem }, 'An email was not accepted and will be tried again')
    this.#later(tried.nextTryAt.getTime() - Date.now() + 20, () => this.wake())
  }

  #later(ms: number, work: () => void): void {
    if (this.#isStopped) return
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        work()
      },
      Math.max(ms, 0),
    ).unref()
    this.#timers.add(timer)
  }

  #after(ms: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, ms).unref()
    })
  }
}
