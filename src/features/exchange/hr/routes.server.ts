import { invalidFields } from '../../../platform/contract/problem.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { findKnownStaff, LEAST_LETTERS, MOST_LETTERS, searchStaff } from './contract.ts'
import { findEmployees, knownAmong } from './queries.server.ts'

export const hrRoutes: Route[] = [
  handle(searchStaff, async ({ params, query, context }) => {
    const typed = params.query.trim()
    if (typed.length < LEAST_LETTERS) throw invalidFields([{ path: 'query', message: `At least ${LEAST_LETTERS} letters` }])
    if (typed.length > MOST_LETTERS) throw invalidFields([{ path: 'query', message: `At most ${MOST_LETTERS} characters` }])
    return { recordset: await findEmployees(context, typed, query.withEmails === 'true') }
  }),
  handle(findKnownStaff, async ({ body, context }) => knownAmong(context.db, body)),
]
