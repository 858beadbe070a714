import { countWaiting, listProposalCharters } from '../../features/changing/requests/queries.server.ts'
import { listAffairCharters } from '../../features/finding/activity/queries.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { recordAffairPartsRead } from '../../platform/server/audit.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { countWaitingRequests, readCounts, readHome } from './contract.ts'
import { countAll } from './counts.server.ts'
import { getHome } from './queries.server.ts'
import type { Home } from './response.ts'

/** The charters whose affairs appear on a home page. */
const listChartersOfAffairs = async (context: AppContext, { deadlines, suggestions, changes }: Home) => [
  ...[...deadlines.first, deadlines.next].map((deadline) => deadline?.charter?._id),
  ...listProposalCharters(context, suggestions.first),
  ...(await listAffairCharters(context, changes.entries)),
]

export const homeRoutes: Route[] = [
  handle(readHome, async ({ user, context, request }) => {
    const { home, commentedCharters } = await getHome(context, user)
    await recordAffairPartsRead(context, request, 'home', [...(await listChartersOfAffairs(context, home)), ...commentedCharters])
    return home
  }),
  handle(countWaitingRequests, async ({ user, context }) => {
    const { requests, suggestions } = await countWaiting(context, user)
    return { requests: requests + suggestions }
  }),
  handle(readCounts, async ({ context: { readModel } }) => {
    await readModel.ready()
    return countAll(readModel)
  }),
]
