import { sql } from 'kysely'

import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { SavedView } from './contract.ts'

export const MAX_VIEWS = 100

const selectViews = (db: Queryable, account: string) =>
  db
    .selectFrom('saved_view')
    .innerJoin('account', 'account._id', 'saved_view.account')
    .select((eb) => [
      'saved_view._id',
      'saved_view.name',
      'saved_view.page',
      'saved_view.search',
      'saved_view.shared',
      sql<boolean>`saved_view.account = ${account}`.as('mine'),
      'account.name as by',
      toIsoTimestamp(eb.ref('saved_view.createdAt')).as('createdAt'),
    ])

export const listViewsOf = (db: Queryable, account: string): Promise<SavedView[]> =>
  selectViews(db, account)
    .where(({ eb, or }) => or([eb('saved_view.account', '=', account), eb('saved_view.shared', '=', true)]))
    .orderBy(sql`lower(saved_view.name)`, inByteOrder)
    .orderBy('saved_view._id')
    .execute()

export const getView = (db: Queryable, account: string, _id: string): Promise<SavedView> =>
  selectViews(db, account).where('saved_view._id', '=', _id).executeTakeFirstOrThrow()

/** An invalid path parameter matches nothing. */
export const toUuid = (id: string) =>
  sql<string>`case when ${id}::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${id}::text::uuid end`
