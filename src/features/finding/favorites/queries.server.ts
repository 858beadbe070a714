import type { RecordHit, RecordKind } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { listRecordHits } from '../../../platform/server/read-model/record-hits.ts'

/** How many recently viewed records are returned and stored: more are stored, because some may be deleted. */
const MAX_RECENT = 12
export const MAX_STORED = 50

/** Resolves the record in a URL; throws 404 if there is none. */
export const findNamedRecord = async (db: Queryable, { kind, id }: { kind: RecordKind; id: string }) => ({
  kind,
  record: await findRecordId(db, kind, id),
})

export type NamedRecord = Awaited<ReturnType<typeof findNamedRecord>>

export const listFavoriteHits = async ({ db, readModel }: AppContext, account: string): Promise<RecordHit[]> =>
  listRecordHits(
    readModel,
    await db
      .selectFrom('favorite')
      .select(['kind', 'record'])
      .where('account', '=', account)
      .orderBy('createdAt', 'desc')
      .orderBy('record')
      .execute(),
  )

export const listRecentHits = async ({ db, readModel }: AppContext, account: string): Promise<RecordHit[]> => {
  const opened = await db
    .selectFrom('recently_viewed')
    .select(['kind', 'record'])
    .where('account', '=', account)
    .orderBy('viewedAt', 'desc')
    .orderBy('record')
    .limit(MAX_STORED)
    .execute()
  return (await listRecordHits(readModel, opened)).slice(0, MAX_RECENT)
}
