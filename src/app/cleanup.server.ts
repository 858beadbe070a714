import { deleteOldBookStates } from '../features/exchange/address-books/mutations.server.ts'
import { deleteExpiredAssistants } from '../features/exchange/assistants/mutations.server.ts'
import { deleteOldDeliveries } from '../features/exchange/webhooks/mutations.server.ts'
import { deleteOldFailedSearches } from '../features/finding/search/mutations.server.ts'
import { deleteOldErrors } from '../features/operations/error-log/mutations.server.ts'
import { deleteOldViews } from '../features/operations/page-views/mutations.server.ts'
import type { AppContext } from '../platform/server/app-context.ts'
import { deleteOldAuditEvents } from '../platform/server/audit-chain.ts'
import { recordInterruptedDownloads } from '../platform/server/download-log.ts'
import { deleteOldDossiers } from './dossier/mutations.server.ts'

/** Deletes logs that are older than the configured retention, what address books no longer need, and the files of old dossiers. */
export const deleteExpiredLogs = async ({ db, configuration: { retention } }: AppContext): Promise<void> => {
  await deleteOldErrors(db, retention.errorsDays)
  await deleteOldFailedSearches(db, retention.searchesDays)
  await deleteOldViews(db, retention.pageViewsMonths)
  await recordInterruptedDownloads(db)
  await deleteOldAuditEvents(db, retention.auditDays)
  await deleteOldDeliveries(db)
  await deleteOldBookStates(db)
  await deleteExpiredAssistants(db)
  await deleteOldDossiers(db)
}
