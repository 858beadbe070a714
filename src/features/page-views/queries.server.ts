import { createHmac, randomBytes } from 'node:crypto'

import type { Db } from '../../database/connection.server.ts'
import { dayOf } from '../../platform/contract/dates.ts'
import type { House } from '../../platform/server/house.ts'

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

/** A pseudonym of somebody for today (D27): the same all day on every server, and nobody's tomorrow. */
export const visitorOf = async ({ db, configuration }: House, account: string): Promise<string> =>
  createHmac('sha256', await visitorKey(db))
    .update(`${dayOf(new Date(), configuration.timeZone)} ${account}`)
    .digest('base64url')
    .slice(0, 22)
