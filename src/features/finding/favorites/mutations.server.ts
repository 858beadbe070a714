import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { MAX_STORED, type NamedRecord } from './queries.server.ts'

export const insertFavorite = async (db: Queryable, account: string, named: NamedRecord): Promise<void> => {
  await db
    .insertInto('favorite')
    .values({ account, ...named })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const deleteFavorite = async (db: Queryable, account: string, { kind, record }: NamedRecord): Promise<void> => {
  await db.deleteFrom('favorite').where('account', '=', account).where('kind', '=', kind).where('record', '=', record).execute()
}

/** Records that a record was viewed, and deletes the oldest views beyond the limit. */
export const recordView = async (db: Queryable, account: string, { kind, record }: NamedRecord): Promise<void> => {
  await sql`
    with inserted as (
      insert into recently_viewed (account, kind, record) values (${account}, ${kind}, ${record})
      on conflict (account, kind, record) do update set "viewedAt" = clock_timestamp())
    delete from recently_viewed
    where account = ${account} and "viewedAt" < (
      select "viewedAt" from recently_viewed where account = ${account} order by "viewedAt" desc offset ${MAX_STORED - 1} limit 1)`.execute(
    db,
  )
}
