import { invalidFields } from '../../contract/problem.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { findKnownStaff, MIN_QUERY_LENGTH, MAX_QUERY_LENGTH, searchStaff } from './contract.ts'
import { findEmployees, findKnownEmployees } from './queries.server.ts'

export const hrRoutes: Route[] = [
  handle(searchStaff, async ({ params, query, context }) => {
    const typed = params.query.trim()
    if (typed.length < MIN_QUERY_LENGTH) throw invalidFields([{ path: 'query', message: `At least ${MIN_QUERY_LENGTH} letters` }])
    if (typed.length > MAX_QUERY_LENGTH) throw invalidFields([{ path: 'query', message: `At most ${MAX_QUERY_LENGTH} characters` }])
    return { recordset: await findEmployees(context, typed, query.withEmails === 'true') }
  }),
  handle(findKnownStaff, async ({ body, context }) => findKnownEmployees(context.db, body)),
]
