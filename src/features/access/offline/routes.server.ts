import { notFound, Problem } from '../../../contract/problem.ts'
import { recordAuditOrLog } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { deleteCopy, readOffline } from './contract.ts'
import { markCopied, unmarkCopied } from './mutations.server.ts'
import { readChanges } from './queries.server.ts'

export const offlineRoutes: Route[] = [
  handle(readOffline, async ({ query, user, context, request }) => {
    const { configuration, db } = context
    if (configuration.offlineDays === 0) throw new Problem(403, 'This server does not let devices keep the directory')
    const changes = await readChanges(context, query.since)
    const isFirst = query.since === undefined
    if (user.session !== null) {
      await markCopied(db, user.session, user.accessLevel, isFirst)
      if (isFirst) await recordAuditOrLog(context, request, { kind: 'copy.created', record: user.session })
    }
    return { ...changes, accessLevel: user.accessLevel, days: configuration.offlineDays }
  }),
  handle(deleteCopy, async ({ user, context, request }) => {
    if (user.session === null || !(await unmarkCopied(context.db, user.session))) throw notFound('Copy of the directory')
    await recordAuditOrLog(context, request, { kind: 'copy.removed', record: user.session })
  }),
]
