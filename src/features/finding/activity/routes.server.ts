import type { FastifyRequest } from 'fastify'

import type { AppContext } from '../../../platform/server/app-context.ts'
import { recordAffairPartsRead } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { type ActivityEntry, countActivity, countNewActivity, readActivity, readActivityEntry } from './contract.ts'
import { countByDay } from './count-entries.server.ts'
import { countNew, getEntry, listActivity, listAffairCharters } from './queries.server.ts'

const recordEntries = async (context: AppContext, request: FastifyRequest, ...entries: ActivityEntry[]): Promise<void> =>
  recordAffairPartsRead(context, request, 'activity', await listAffairCharters(context, entries))

export const activityRoutes: Route[] = [
  handle(readActivity, async ({ query, user, context, request }) => {
    const activity = await listActivity(context, user, query)
    await recordEntries(context, request, ...activity.entries)
    return activity
  }),
  handle(countNewActivity, async ({ query: { since, ...filter }, user, context }) => ({
    entries: await countNew(context, user, filter, Number(since)),
  })),
  handle(countActivity, async ({ query, user, context }) => countByDay(context, user, query)),
  handle(readActivityEntry, async ({ params, query, user, context, request }) => {
    const entry = await getEntry(context, user, Number(params.id), query)
    await recordEntries(context, request, entry)
    return entry
  }),
]
