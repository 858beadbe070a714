import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { listRecordHits } from '../../../database/record-hits.server.ts'
import type { RecordHit, RecordKind } from '../../../platform/contract/records.ts'

/** How many records opened last are answered, and how many are kept: some of them may be deleted meanwhile. */
const RECENT = 12
const KEPT = 50

/** A record as an address names it; throws 404 where there is none. */
export const namedRecord = async (db: Queryable, { kind, id }: { kind: RecordKind; id: string }) => ({
  kind,
  record: await idOf(db, kind, id),
})

type Named = Awaited<ReturnType<typeof namedRecord>>

export const favouritesOf = async (db: Queryable, account: string): Promise<RecordHit[]> =>
  listRecordHits(
    db,
    await db
      .selectFrom('favourite')
      .select(['kind', 'record'])
      .where('account', '=', account)
      .orderBy('createdAt', 'desc')
      .orderBy('record')
      .execute(),
  )

export const keepFavourite = async (db: Queryable, account: string, named: Named): Promise<void> => {
  await db
    .insertInto('favourite')
    .values({ account, ...named })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const dropFavourite = async (db: Queryable, account: string, { kind, record }: Named): Promise<void> => {
  await db.deleteFrom('favourite').where('account', '=', account).where('kind', '=', kind).where('record', '=', record).execute()
}

export const recentOf = async (db: Queryable, account: string): Promise<RecordHit[]> => {
  const opened = await db
    .selectFrom('recently_viewed')
    .select(['kind', 'record'])
    .where('account', '=', account)
    .orderBy('viewedAt', 'desc')
    .orderBy('record')
    .limit(KEPT)
    .execute()
  return (await listRecordHits(db, opened)).slice(0, RECENT)
}

/** Notes that a record was opened just now, and forgets what was opened long before. */
export const noteOpened = async (db: Queryable, account: string, { kind, record }: Named): Promise<void> => {
  await sql`
    with noted as (
      insert into recently_viewed (account, kind, record) values (${account}, ${kind}, ${record})
      on conflict (account, kind, record) do update set "viewedAt" = clock_timestamp())
    delete from recently_viewed
    where account = ${account} and "viewedAt" < (
      select "viewedAt" from recently_viewed where account = ${account} order by "viewedAt" desc offset ${KEPT - 1} limit 1)`.execute(db)
}
