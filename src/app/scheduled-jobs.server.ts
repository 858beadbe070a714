import { createDailyBackup } from '../backup/daily.server.ts'
import { DAY_MS } from '../contract/dates.ts'
import { finishErasures } from '../features/access/erase/files.server.ts'
import { maintainSessions } from '../features/access/session/session.server.ts'
import { savePlannedChanges } from '../features/changing/changesets/planned.server.ts'
import { type ListFacts, sendCheckMails } from '../features/changing/checks/send-check-mails.server.ts'
import { sendReminders } from '../features/deadlines/reminders/send-reminders.server.ts'
import { insertDeadlineMessages, resealSecrets } from '../features/exchange/webhooks/mutations.server.ts'
import { WebhookSender } from '../features/exchange/webhooks/sender.server.ts'
import type { AppContext } from '../platform/server/app-context.ts'
import { startAuditChain } from '../platform/server/audit-chain.ts'
import { resealRedactions } from '../platform/server/audit-redaction.ts'
import { type Job, startJob } from '../platform/server/jobs.ts'
import { listCharterFacts } from '../records/charters/check-facts.server.ts'
import { listPersonFacts } from '../records/people/check-facts.server.ts'
import { listSiteFacts } from '../records/sites/check-facts.server.ts'
import { startMail } from './app.server.ts'
import { deleteExpiredLogs } from './cleanup.server.ts'
import { makeDossiers } from './dossier/queue.server.ts'
import { ACTIVITY_PARTS } from './exports/history.ts'
import { buildMonthlyMail } from './insights/mail.server.ts'
import { prepareInsights } from './insights/queries.server.ts'
import { sendMonthlyMails } from './insights/send-monthly.server.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The facts of each record kind that mails show. */
export const CHECK_FACTS: ListFacts = { site: listSiteFacts, person: listPersonFacts, charter: listCharterFacts }

/** Pauses of the jobs that look once a minute for what is due. */
const SOON = { firstMs: 10_000, everyMs: MINUTE_MS }
/** Soon after the first pages of a start are answered: questions wait less from then on. */
const HOURLY = { firstMs: 5000, everyMs: HOUR_MS }
const MINUTELY = { firstMs: MINUTE_MS, everyMs: MINUTE_MS }
/** Soon after startup, since a server may never run for a whole day. By then, servers that were restarted earlier have a new SECRET_KEY too. */
const DAILY = { firstMs: MINUTE_MS, everyMs: DAY_MS }

/** What a server with the part `app` repeats. */
const listAppJobs = (context: AppContext): Job[] => {
  const { db, configuration, log } = context
  const makeBackup = async (): Promise<void> => {
    const path = await createDailyBackup(db, configuration)
    if (path !== undefined) log.info({ path }, 'A backup was made')
  }
  return [
    { ...SOON, run: () => sendReminders(context), failure: 'Reminders of deadlines could not be sent' },
    { ...SOON, run: () => insertDeadlineMessages(context), failure: 'Messages about deadlines could not be sent to channels' },
    { ...SOON, run: () => sendCheckMails(context, CHECK_FACTS), failure: 'Emails about checks could not be sent' },
    { ...SOON, run: () => sendMonthlyMails(context, buildMonthlyMail), failure: 'Monthly emails of insights could not be sent' },
    { ...HOURLY, run: (stopping) => prepareInsights(context, stopping), failure: 'Figures of insights could not be counted in advance' },
    { ...SOON, run: () => savePlannedChanges(context), failure: 'Planned changes could not be saved' },
    { ...SOON, run: (stopping) => makeDossiers(context, stopping), failure: 'Dossiers could not be made' },
    { ...SOON, run: () => finishErasures(context), failure: 'An erasure could not be finished', failureLevel: 'error' },
    { ...MINUTELY, run: () => maintainSessions(context), failure: 'Session maintenance failed' },
    { ...DAILY, run: () => deleteExpiredLogs(context), failure: 'Expired logs could not be deleted' },
    {
      ...DAILY,
      run: () => resealSecrets(db, configuration),
      failure: 'Secrets of webhooks could not be encrypted with the new SECRET_KEY',
    },
    {
      ...DAILY,
      run: () => resealRedactions(db, configuration),
      failure: 'Redacted rows of the audit trail could not be sealed with the new SECRET_KEY',
    },
    ...(configuration.isBackupEnabled
      ? [{ ...MINUTELY, retryMs: HOUR_MS, run: makeBackup, failure: 'The daily backup could not be made', failureLevel: 'error' } as const]
      : []),
  ]
}

/**
 * Starts what this server repeats: jobs, the sending of mails and webhooks, and the chain of the audit trail. Returns a function that stops all of
 * it; the last events are chained when nothing else runs.
 */
export const startJobs = (context: AppContext): (() => Promise<void>) => {
  const { configuration, disk, log, mail } = context
  const isApp = configuration.serve.has('app')
  const jobs = [{ ...MINUTELY, run: () => disk.check() }, ...(isApp ? listAppJobs(context) : [])].map((job) => startJob(log, job))
  const webhooks = isApp ? new WebhookSender({ ...context, parts: ACTIVITY_PARTS }) : undefined
  webhooks?.start()
  startMail(context)
  const stopAuditChain = startAuditChain(context)
  return async () => {
    await Promise.all([mail.stop(), webhooks?.stop(), ...jobs.map((job) => job.stop())])
    await stopAuditChain()
  }
}
