import { createHmac, randomBytes } from 'node:crypto'

import type { Db } from '../../database/connection.server.ts'
import { dayOf } from '../../platform/contract/dates.ts'
import { on, type Route } from '../../platform/server/handler.ts'
import { recordPageView } from './contract.ts'

/** The key behind the daily pseudonyms: made once, shared by all servers of one database. */
const visitorKey = async (db: Db): Promise<Buffer> => {
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

/** Hands a page view on to the external service; one that is slow or away breaks nothing (D27). */
const passOn = (url: string, view: object): Promise<unknown> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(view),
    signal: AbortSignal.timeout(5000),
  }).catch(() => undefined)

export const pageViewRoutes: Route[] = [
  on(recordPageView, async ({ body, user, house }) => {
    const { db, configuration } = house
    const day = dayOf(new Date(), configuration.timeZone)
    const visitor = createHmac('sha256', await visitorKey(db))
      .update(`${day} ${user.account}`)
      .digest('base64url')
      .slice(0, 22)
    await db.insertInto('page_view').values({ page: body.page, visitor }).execute()
    if (configuration.analyticsUrl !== undefined)
      void passOn(configuration.analyticsUrl, { page: body.page, visitor, at: new Date().toISOString() })
  }),
]
