import { notFound } from '../../../platform/contract/problem.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import { listErrors, logError, markSeen, readErrors } from './contract.ts'
import { groupOldErrors, keepBrowserReport } from './keeping.server.ts'
import { errorGroups, errorsOfGroup, markGroupSeen } from './queries.server.ts'
import { isWorthLogging } from './rules.ts'

export const errorLogRoutes: Route[] = [
  on(logError, async ({ body, user, house, request }) => {
    if (isWorthLogging(body)) await keepBrowserReport(house, body, user, request.ip)
  }),

  on(listErrors, async ({ query: { days, q }, house }) => {
    await groupOldErrors(house.db)
    return errorGroups(house, days, q)
  }),

  on(readErrors, async ({ params: { fingerprint }, house }) => {
    const errors = await errorsOfGroup(house.db, fingerprint)
    if (errors.length === 0) throw notFound('Error')
    return errors
  }),

  on(markSeen, async ({ params: { fingerprint }, user, house }) => {
    if (!(await markGroupSeen(house.db, fingerprint, user.account))) throw notFound('Error')
  }),
]
