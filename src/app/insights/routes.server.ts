import { recordAffairRead } from '../../platform/server/audit.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { deleteKeptInsight, downloadInsight, keepInsight, listInsights, listKeptInsights, readInsight } from './contract.ts'
import { listKept } from './kept.server.ts'
import { deleteKept, insertKept } from './mutations.server.ts'
import { isOfAffairs, listFindings, listReadableInsights, readInsightOf } from './queries.server.ts'
import { sendInsightWorkbook } from './send-workbook.server.ts'

export const insightRoutes: Route[] = [
  handle(listInsights, async ({ query: { titles, ...filter }, user, context }) =>
    titles === 'no' ? listReadableInsights(user.accessLevel) : listFindings(context, user.accessLevel, filter),
  ),
  handle(readInsight, async ({ params: { name }, query, user, context, request }) => {
    const insight = await readInsightOf(context, user.accessLevel, name, query)
    if (isOfAffairs(name)) await recordAffairRead(context, request, `insight ${insight.label}`)
    return insight
  }),
  handle(downloadInsight, async ({ params: { name }, query, ...caller }) => {
    const { context, user, request } = caller
    const insight = await readInsightOf(context, user.accessLevel, name, query)
    if (isOfAffairs(name)) await recordAffairRead(context, request, `workbook of the insight ${insight.label}`)
    return sendInsightWorkbook(insight, query, caller)
  }),
  handle(listKeptInsights, async ({ user, context }) => listKept(context.db, user.account)),
  handle(keepInsight, async ({ body, user, edit }) => edit((tx) => insertKept(tx, user.account, body))),
  handle(deleteKeptInsight, async ({ params, user, context }) => deleteKept(context.db, user.account, params.id)),
]
