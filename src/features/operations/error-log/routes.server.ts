import { notFound } from '../../../contract/problem.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { listErrors, logError, dismissErrors, readErrors } from './contract.ts'
import { updateUngroupedErrors, insertBrowserReport, dismissGroup } from './mutations.server.ts'
import { listErrorGroups, listErrorsOfGroup } from './queries.server.ts'
import { isWorthLogging } from './rules.ts'

export const errorLogRoutes: Route[] = [
  handle(logError, async ({ body, user, context, request }) => {
    if (isWorthLogging(body)) await insertBrowserReport(context, body, user, request.ip)
  }),

  handle(listErrors, async ({ query: { days, q }, context }) => {
    await updateUngroupedErrors(context.db)
    return listErrorGroups(context, days, q)
  }),

  handle(readErrors, async ({ params: { fingerprint }, context }) => {
    const errors = await listErrorsOfGroup(context.db, fingerprint)
    if (errors.length === 0) throw notFound('Error')
    return errors
  }),

  handle(dismissErrors, async ({ params: { fingerprint }, user, context }) => {
    if (!(await dismissGroup(context.db, fingerprint, user.account))) throw notFound('Error')
  }),
]
