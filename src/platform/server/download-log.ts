import { sql } from 'kysely'

import type { DownloadOutcome } from '../../contract/downloads.ts'
import type { Db, Queryable } from '../../database/connection.server.ts'
import type { AppContext, SignedIn } from './app-context.ts'
import { type AuditActor, recordAudit, recordAuditOrLog } from './audit.ts'

/** Inserts a download before its first byte is sent. Its end is recorded in the audit trail. */
export const insertDownload = async (
  db: Queryable,
  { account, name, azureID }: SignedIn,
  kind: string,
): Promise<{ readonly _id: number; readonly at: Date }> =>
  db.insertInto('download').values({ account, name, azureID, kind }).returning(['_id', 'at']).executeTakeFirstOrThrow()

const toDownloadEvent = ({ _id, at, kind }: { readonly _id: number; readonly at: Date; readonly kind: string }, ended: DownloadEnd) => ({
  kind: 'download.finished' as const,
  record: String(_id),
  after: { what: kind, ...ended, startedAt: at.toISOString() },
})

interface DownloadEnd {
  readonly outcome: DownloadOutcome
  readonly rows: number | null
  readonly bytes: number | null
}

/** Records the end of a download in the audit trail, and deletes its row. */
export const recordDownloadEnd = (
  context: AppContext,
  by: AuditActor,
  download: Parameters<typeof toDownloadEvent>[0],
  ended: DownloadEnd,
): Promise<void> => {
  const event = toDownloadEvent(download, ended)
  return recordAuditOrLog(context, by, event, (db) =>
    db.transaction().execute(async (tx) => {
      await recordAudit(tx, by, event)
      await tx.deleteFrom('download').where('_id', '=', download._id).execute()
    }),
  )
}

/** Records downloads of servers that have stopped, without a number of rows. */
export const recordInterruptedDownloads = async (db: Db): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    const interrupted = await tx
      .deleteFrom('download')
      .where('at', '<', sql<Date>`now() - interval '1 hour'`)
      .returningAll()
      .execute()
    for (const { account, name, azureID, ...download } of interrupted) {
      const by = { account, actor: azureID, name, token: null, address: null, request: null }
      await recordAudit(tx, by, toDownloadEvent(download, { outcome: 'broken off', rows: null, bytes: null }))
    }
  })
}
