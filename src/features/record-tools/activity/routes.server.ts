import { handle, type Route } from '../../../platform/server/handler.ts'
import { countActivity, countNewActivity, readActivity, readActivityEntry } from './contract.ts'
import { countByDay } from './count-entries.server.ts'
import { countNew, getEntry, listActivity } from './queries.server.ts'

export const activityRoutes: Route[] = [
  handle(readActivity, async ({ query, user, context }) => listActivity(context, user, query)),
  handle(countNewActivity, async ({ query: { since, ...filter }, user, context }) => ({
    entries: await countNew(context, user, filter, Number(since)),
  })),
  handle(countActivity, async ({ query, user, context }) => countByDay(context, user, query)),
  handle(readActivityEntry, async ({ params, query, user, context }) => getEntry(context, user, Number(params.id), query)),
]
