import { handle, type Route } from '../../../platform/server/handler.ts'
import { readUsage, recordPageView } from './contract.ts'
import { insertPageView, toVisitor } from './mutations.server.ts'
import { getUsage } from './queries.server.ts'

/** Forwards a page view to the external analytics service. Failures are ignored. */
const forwardView = (url: string, view: object): Promise<unknown> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(view),
    signal: AbortSignal.timeout(5000),
  }).catch(() => undefined)

export const pageViewRoutes: Route[] = [
  handle(readUsage, async ({ query: { days }, context }) => getUsage(context, days)),

  handle(recordPageView, async ({ body, user, context }) => {
    const { db, configuration } = context
    const visitor = await toVisitor(context, user.account)
    await insertPageView(db, visitor, body.page)
    if (configuration.analyticsUrl !== undefined)
      void forwardView(configuration.analyticsUrl, { page: body.page, visitor, at: new Date().toISOString() })
  }),
]
