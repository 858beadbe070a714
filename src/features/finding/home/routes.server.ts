import { sql } from 'kysely'

import { notFound } from '../../../contract/problem.ts'
import { readJsonRow } from '../../../database/json.server.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { readCounts } from './contract.ts'

const holders = (group: string) =>
  sql<number>`(select count(distinct person)::int from site_person join role on role._id = site_person.role where role."group" = ${sql.lit(group)})`

export const homeRoutes: Route[] = [
  handle(readCounts, async ({ context: { db } }) => {
    const counts = await readJsonRow(
      db,
      db.selectNoFrom([
        sql<number>`(select count(*)::int from region)`.as('regions'),
        sql<number>`(select count(*)::int from brand)`.as('brands'),
        sql<number>`(select count(*)::int from charter)`.as('charters'),
        sql<number>`(select count(*)::int from site)`.as('sites'),
        holders('LEADERSHIP').as('leadership'),
        holders('STUDENT_SUPPORT').as('studentSupport'),
      ]),
    )
    if (!counts) throw notFound('Counts')
    return counts
  }),
]
