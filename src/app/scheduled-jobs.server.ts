import { savePlannedChanges } from '../features/record-tools/changesets/planned.server.ts'
import { type ListFacts, sendCheckMails } from '../features/record-tools/checks/send-check-mails.server.ts'
import { sendReminders } from '../features/record-tools/reminders/send-reminders.server.ts'
import type { AppContext } from '../platform/server/app-context.ts'
import { listCharterFacts } from '../records/charters/check-facts.server.ts'
import { listPersonFacts } from '../records/people/check-facts.server.ts'
import { listSiteFacts } from '../records/sites/check-facts.server.ts'

const FIRST_RUN_MS = 10_000
const RUN_INTERVAL_MS = 60_000

/** The facts of each record kind that mails show. */
export const CHECK_FACTS: ListFacts = { site: listSiteFacts, person: listPersonFacts, charter: listCharterFacts }

const runJobs = async (context: AppContext): Promise<void> => {
  await sendReminders(context).catch((error: unknown) => context.log.warn({ err: error }, 'Reminders of deadlines could not be sent'))
  await sendCheckMails(context, CHECK_FACTS).catch((error: unknown) =>
    context.log.warn({ err: error }, 'Emails about checks could not be sent'),
  )
  await savePlannedChanges(context).catch((error: unknown) => context.log.warn({ err: error }, 'Planned changes could not be saved'))
}

/**
 * Sends reminders and check mails, and saves planned changes, once a minute. A job that failed runs again in the next run. Returns a function that
 * stops the jobs.
 */
export const startScheduledJobs = (context: AppContext): (() => Promise<void>) => {
  if (!context.configuration.serve.has('app')) return async () => undefined
  let running: Promise<unknown> = Promise.resolve()
  let isRunning = false
  const run = (): void => {
    if (isRunning) return
    isRunning = true
    running = runJobs(context).finally(() => {
      isRunning = false
    })
  }
  const timers = [setTimeout(run, FIRST_RUN_MS), setInterval(run, RUN_INTERVAL_MS)]
  for (const timer of timers) timer.unref()
  return async () => {
    for (const timer of timers) clearTimeout(timer)
    await running
  }
}
