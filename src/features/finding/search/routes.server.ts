import { can } from '../../../contract/capabilities.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import { recordAffairPartsRead } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { findHelp } from '../../operations/help/queries.server.ts'
import { toVisitor } from '../../operations/page-views/mutations.server.ts'
import { listFailedSearches, search } from './contract.ts'
import { countFailedSearch } from './mutations.server.ts'
import { getFailedSearches, searchRecords } from './queries.server.ts'
import { readSearchDay } from './read-search-day.ts'
import { answerSearch } from './search-answer.server.ts'

export const searchRoutes: Route[] = [
  handle(search, async ({ query, user, context: asked, request }) => {
    const withAffairs = can(user.accessLevel, 'read a charter affair')
    const ofDay = asked.before ? undefined : readSearchDay(query.q, () => toIsoDay(asked.now(), asked.configuration.timeZone))
    const context = ofDay ? await asked.asOf(ofDay.on) : asked
    const typed = ofDay?.text ?? query.q.trim()
    const find = async (text: string, only: typeof query.kind, maxPerKind: number) => {
      const found = await searchRecords(context, text, { only, maxPerKind, withAffairs })
      if (text === typed) await recordAffairPartsRead(context, request, 'search by a number', found.ofAffairs)
      return found
    }
    const answer = await answerSearch(find, { ...query, q: typed }, user.accessLevel, findHelp)
    if (answer.groups.length === 0 && typed.length > 1 && !context.before) {
      // A failed count does not fail the search.
      await toVisitor(context, user.account)
        .then((visitor) => countFailedSearch(context.db, visitor, typed.toLowerCase()))
        .catch((error: unknown) => context.log.warn({ err: error }, 'A search without results could not be counted'))
    }
    return { ...answer, query: query.q, on: ofDay?.on ?? null }
  }),
  handle(listFailedSearches, async ({ context }) => getFailedSearches(context.db)),
]
