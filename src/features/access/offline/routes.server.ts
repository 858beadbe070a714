import { notFound, Problem } from '../../../contract/problem.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { deleteCopy, readOffline } from './contract.ts'
import { markCopied, unmarkCopied } from './mutations.server.ts'
import { readChanges } from './queries.server.ts'

export const offlineRoutes: Route[] = [
  handle(readOffline, async ({ query, user, context }) => {
    const { configuration, db } = context
    if (configuration.offlineDays === 0) throw new Problem(403, 'This server does not let devices keep the directory')
    const changes = await readChanges(context, query.since)
    if (user.session !== null) await markCopied(db, user.session, user.accessLevel, query.since === undefined)
    return { ...changes, accessLevel: user.accessLevel, days: configuration.offlineDays }
  }),
  handle(deleteCopy, async ({ user, context }) => {
    if (user.session === null || !(await unmarkCopied(context.db, user.session))) throw notFound('Copy of the directory')
  }),
]
