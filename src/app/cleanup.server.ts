import type { FastifyInstance } from 'fastify'

import { createDailyBackup } from '../backup/daily.server.ts'
import { DAY_MS } from '../contract/dates.ts'
import { recordInterruptedDownloads } from '../features/exchange/exports/mutations.server.ts'
import { deleteOldFailedSearches } from '../features/finding/search/mutations.server.ts'
import { deleteOldErrors } from '../features/operations/error-log/mutations.server.ts'
import { deleteOldViews } from '../features/operations/page-views/mutations.server.ts'
import { resealSecrets, deleteOldDeliveries } from '../features/operations/webhooks/mutations.server.ts'
import type { AppContext } from '../platform/server/app-context.ts'
import { deleteOldAuditEvents } from '../platform/server/audit-chain.ts'

/** Runs soon after startup, since a server may never run for a whole day. */
const FIRST_RUN_MS = 60_000
const BACKUP_INTERVAL_MS = 60_000
const BACKUP_RETRY_MS = 3_600_000

/** Deletes logs that are older than the configured retention. */
export const deleteExpiredLogs = async ({ db, configuration: { retention } }: AppContext): Promise<void> => {
  await deleteOldErrors(db, retention.errorsDays)
  await deleteOldFailedSearches(db, retention.searchesDays)
  await deleteOldViews(db, retention.pageViewsMonths)
  await recordInterruptedDownloads(db)
  await deleteOldAuditEvents(db, retention.auditDays)
  await deleteOldDeliveries(db)
}

/** Makes the daily backup if it is due, unless the server makes none. */
const runBackup = async ({ db, configuration, log }: AppContext): Promise<void> => {
  if (!configuration.isBackupEnabled) return
  const path = await createDailyBackup(db, configuration)
  if (path) log.info({ path }, 'A backup was made')
}

/** Deletes expired logs once a day and makes backups while the server runs. A failed backup is retried an hour later. */
export const scheduleCleanup = (app: FastifyInstance, context: AppContext): void => {
  if (!context.configuration.serve.has('app')) return
  let deleting: Promise<void> = Promise.resolve()
  const deleteExpired = (): void => {
    deleting = deleteExpiredLogs(context)
      .catch((error: unknown) => context.log.warn({ err: error }, 'Expired logs could not be deleted'))
      // A minute after startup, servers that were restarted before this one have the new key too.
      .then(() => resealSecrets(context.db, context.configuration))
      .catch((error: unknown) => context.log.warn({ err: error }, 'Secrets of webhooks could not be encrypted with the new SECRET_KEY'))
  }
  let backup: Promise<void> | undefined
  let retryAt = 0
  const lookForBackup = (): void => {
    if (backup !== undefined || Date.now() < retryAt) return
    backup = runBackup(context)
      .catch((error: unknown) => {
        retryAt = Date.now() + BACKUP_RETRY_MS
        context.log.error({ err: error }, 'The daily backup could not be made')
      })
      .finally(() => (backup = undefined))
  }
  const timers = [
    setTimeout(deleteExpired, FIRST_RUN_MS),
    setInterval(deleteExpired, DAY_MS),
    setInterval(lookForBackup, BACKUP_INTERVAL_MS),
  ]
  for (const timer of timers) timer.unref()
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
    await Promise.all([deleting, backup])
  })
}
