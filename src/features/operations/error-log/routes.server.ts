import { notFound } from '../../../platform/contract/problem.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { listErrors, logError, markSeen, readErrors } from './contract.ts'
import { groupOldErrors, keepBrowserReport } from './keeping.server.ts'
import { errorGroups, errorsOfGroup, markGroupSeen } from './queries.server.ts'
import { isWorthLogging } from './rules.ts'

export const errorLogRoutes: Route[] = [
  handle(logError, async ({ body, user, context, request }) => {
    if (isWorthLogging(body)) await keepBrowserReport(context, body, user, request.ip)
  }),

  handle(listErrors, async ({ query: { days, q }, context }) => {
    await groupOldErrors(context.db)
    return errorGroups(context, days, q)
  }),

  handle(readErrors, async ({ params: { fingerprint }, context }) => {
    const errors = await errorsOfGroup(context.db, fingerprint)
    if (errors.length === 0) throw notFound('Error')
    return errors
  }),

  handle(markSeen, async ({ params: { fingerprint }, user, context }) => {
    if (!(await markGroupSeen(context.db, fingerprint, user.account))) throw notFound('Error')
  }),
]
