import { handle, type Route } from '../../platform/server/handler.ts'
import { deleteKeptInsight, keepInsight, listInsights, listKeptInsights, readInsight } from './contract.ts'
import { listKept } from './kept.server.ts'
import { deleteKept, insertKept } from './mutations.server.ts'
import { listReadableInsights, readInsightOf } from './queries.server.ts'

export const insightRoutes: Route[] = [
  handle(listInsights, async ({ query, user, context }) => listReadableInsights(context, user.accessLevel, query)),
  handle(readInsight, async ({ params, query, user, context }) => readInsightOf(context, user.accessLevel, params.name, query)),
  handle(listKeptInsights, async ({ user, context }) => listKept(context.db, user.account)),
  handle(keepInsight, async ({ body, user, edit }) => edit((tx) => insertKept(tx, user.account, body))),
  handle(deleteKeptInsight, async ({ params, user, context }) => deleteKept(context.db, user.account, params.id)),
]
