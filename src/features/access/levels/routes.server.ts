import { notFound } from '../../../contract/problem.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { readPersonAccess } from './contract.ts'
import { findPersonAccess } from './person-access.server.ts'

export const levelRoutes: Route[] = [
  handle(readPersonAccess, async ({ params, context: { db, configuration } }) => {
    const access = await findPersonAccess(db, configuration, params.id)
    if (!access) throw notFound('This person')
    return access
  }),
]
