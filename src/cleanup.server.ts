import type { FastifyInstance } from 'fastify'

import { createDailyBackup } from './backup/daily.server.ts'
import { recordInterruptedDownloads } from './features/exchange/exports/queries.server.ts'
import { deleteOldFailedSearches } from './features/finding/search/queries.server.ts'
import { deleteOldErrors } from './features/operations/error-log/mutations.server.ts'
import { deleteOldViews } from './features/operations/page-views/queries.server.ts'
import { deleteOldDeliveries } from './features/operations/webhooks/queries.server.ts'
import type { AppContext } from './platform/server/app-context.ts'
import { deleteOldAuditEvents } from './platform/server/audit-chain.ts'

const DAY_MS = 86_400_000
/** The first time comes soon, since a server may never run for a whole day. */
const FIRST_RUN_MS = 60_000

/** Deletes logs that are older than the configured retention. */
export const deleteExpiredLogs = async ({ db, configuration: { retention } }: AppContext): Promise<void> => {
  await deleteOldErrors(db, retention.errorsDays)
  await deleteOldFailedSearches(db, retention.searchesDays)
  await deleteOldViews(db, retention.pageViewsMonths)
  await recordInterruptedDownloads(db)
  await deleteOldAuditEvents(db, retention.auditDays)
  await deleteOldDeliveries(db)
}

/** A backup a day, where the server makes them itself. */
const runDailyBackup = async ({ db, configuration: { isBackupEnabled, backupDir }, log }: AppContext): Promise<void> => {
  if (!isBackupEnabled) return
  const path = await createDailyBackup(db, backupDir)
  if (path) log.info({ path }, 'A backup was made')
}

const runDailyTasks = async (context: AppContext): Promise<void> => {
  await runDailyBackup(context).catch((error: unknown) => context.log.error({ err: error }, 'The daily backup could not be made'))
  await deleteExpiredLogs(context)
}

/** Runs the daily tasks while the server runs; after a failure they are tried again the next day. */
export const scheduleCleanup = (app: FastifyInstance, context: AppContext): void => {
  if (!context.configuration.serve.has('app')) return
  let running: Promise<void> = Promise.resolve()
  const round = (): void => {
    running = runDailyTasks(context).catch((error: unknown) => context.log.warn({ err: error }, 'Old notes of use could not be deleted'))
  }
  const timers = [setTimeout(round, FIRST_RUN_MS), setInterval(round, DAY_MS)]
  for (const timer of timers) timer.unref()
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
    await running
  })
}
