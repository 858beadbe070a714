import { createHmac, randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import { toIsoDay } from '../../../contract/dates.ts'
import type { Db, Queryable } from '../../../database/connection.server.ts'
import { deleteAllButLatest, deleteInBatches } from '../../../database/delete-rows.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'

/** The key of the daily pseudonyms: created once, shared by all servers of a database. */
const getVisitorKey = async (db: Db): Promise<Buffer> => {
  const find = () => db.selectFrom('secret').select('value').where('name', '=', 'visitor').executeTakeFirst()
  const found = await find()
  if (found) return found.value
  await db
    .insertInto('secret')
    .values({ name: 'visitor', value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await find())?.value ?? randomBytes(32)
}

/** The pseudonym of an account for today: the same on every server, and different tomorrow. */
export const toVisitor = async ({ db, configuration }: AppContext, account: string): Promise<string> =>
  createHmac('sha256', await getVisitorKey(db))
    .update(`${toIsoDay(new Date(), configuration.timeZone)} ${account}`)
    .digest('base64url')
    .slice(0, 22)

/** The maximum views of a page counted per visitor and day: more than anyone makes. */
export const MAX_VIEWS_PER_VISITOR = 1000
/** The maximum number of rows in total. */
const MAX_STORED_VIEWS = 5_000_000

/** Counts a page view, in one row per visitor, page and day. */
export const insertPageView = async (db: Queryable, visitor: string, page: string): Promise<void> => {
  await sql`
    with again as (
      update page_view set views = least(views + 1, ${MAX_VIEWS_PER_VISITOR})
      where _id = (select _id from page_view where visitor = ${visitor} and page = ${page} limit 1) returning 1)
    insert into page_view (page, visitor) select ${page}, ${visitor} where not exists (select from again)`.execute(db)
}

/** Deletes views at the end of their retention period, and the oldest beyond `most`. */
export const deleteOldViews = async (db: Queryable, months: number, most: number = MAX_STORED_VIEWS): Promise<void> => {
  await deleteInBatches(db, 'page_view', sql<boolean>`at < now() - make_interval(months => ${months})`)
  await deleteAllButLatest(db, 'page_view', most)
}
