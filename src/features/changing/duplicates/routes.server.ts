import { handle, type Route } from '../../../platform/server/handler.ts'
import { dismissDuplicate, findDuplicates, listDuplicates } from './contract.ts'
import { insertDismissed } from './mutations.server.ts'
import { findFor, listPairs } from './queries.server.ts'

export const duplicateRoutes: Route[] = [
  handle(listDuplicates, async ({ query, context }) => listPairs(context, query.kind)),
  handle(findDuplicates, async ({ body: { kind, values }, context }) => findFor(context, kind, values)),
  handle(dismissDuplicate, async ({ body, user, context }) => insertDismissed(context, user, body)),
]
