import { can } from '../../../contract/capabilities.ts'
import { buildPagePath } from '../../../contract/pages.ts'
import { RECORD_NOUNS, type RecordHit } from '../../../contract/records.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { recordAffairPartsRead } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { toVisitor } from '../../operations/page-views/mutations.server.ts'
import { type ActionHit, type PageHit, type SearchResponse, listFailedSearches, search } from './contract.ts'
import { countFailedSearch } from './mutations.server.ts'
import { findDeadlinePages, findPages, findVacancyPages, type PartPage, SITE_PARTS, splitWords } from './pages.ts'
import { type ScoredGroup, getFailedSearches, searchRecords } from './queries.server.ts'

const MAX_HITS_OF_GROUP = 5
const MAX_HITS_OF_KIND = 50
/** Above any record, because a query for vacancies does not look for a person. */
const VACANCY = 1000
/** Below a record that has all words. */
const DEADLINES = 10

type Group = SearchResponse['groups'][number]
type Scored = { group: Group; score: number }
type ScoredPage = { hit: PageHit | ActionHit; score: number }

const toScoredGroups = (groups: readonly ScoredGroup[]): Scored[] =>
  groups.flatMap(({ kind, total, more, hits }) => {
    const [best] = hits
    return best ? [{ group: { kind: RECORD_NOUNS[kind][1], total, more, hits: hits.map(({ hit }) => hit) }, score: best.score }] : []
  })

const toPartHit = (site: RecordHit, { name, page }: PartPage): PageHit => ({
  kind: 'page',
  name: `${site.name} - ${name}`,
  detail: 'Page',
  to: buildPagePath(page, site.slug),
})

/** Finds 'lodi staff': removes the word for the page, and finds the site by the rest. */
const findSitePartHits = async (context: AppContext, typed: string, withAffairs: boolean): Promise<ScoredPage[]> => {
  const words = splitWords(typed)
  const findPart = (word: string) => SITE_PARTS.find((one) => one.words.includes(word))
  const partWord = words.find((word) => findPart(word) !== undefined)
  const part = partWord === undefined ? undefined : findPart(partWord)
  const rest = words.filter((word) => word !== partWord)
  if (!part || rest.length === 0) return []
  const { groups } = await searchRecords(context, rest.join(' '), { only: 'site', maxPerKind: 3, withAffairs })
  return groups
    .flatMap(({ hits }) => hits)
    .filter(({ hit }) => hit.match !== 'close')
    .map(({ hit, score }) => ({ hit: toPartHit(hit, part), score: score + 5 }))
}

/** The pages of the best site. */
const getPartsOfBestSite = (groups: readonly Scored[]): ScoredPage[] => {
  const best = groups.toSorted((a, b) => b.score - a.score)[0]?.group
  const [site] = best?.kind === 'sites' ? best.hits : []
  return site === undefined || site.match === 'close'
    ? []
    : SITE_PARTS.filter(({ isOffered }) => isOffered).map((part) => ({ hit: toPartHit(site, part), score: 1 }))
}

const toPagesGroup = (pages: readonly ScoredPage[]): Scored[] => {
  const best = pages[0]
  if (!best) return []
  const hits = pages.slice(0, MAX_HITS_OF_GROUP).map(({ hit }) => hit)
  return [{ group: { kind: 'pages', total: hits.length, more: false, hits }, score: best.score }]
}

const isClose = (groups: readonly Scored[]): boolean =>
  groups.length > 0 && groups.every(({ group }) => group.kind !== 'pages' && group.hits.every(({ match }) => match === 'close'))

export const searchRoutes: Route[] = [
  handle(search, async ({ query: { q, kind }, user, context, request }) => {
    const typed = q.trim()
    if (typed === '') return { query: q, groups: [], marks: [], close: false }
    const withAffairs = can(user.accessLevel, 'read a charter affair')
    const maxPerKind = kind ? MAX_HITS_OF_KIND : MAX_HITS_OF_GROUP
    const found = await searchRecords(context, typed, { only: kind, maxPerKind, withAffairs })
    await recordAffairPartsRead(context, request, 'search by a number', found.ofAffairs)
    const records = toScoredGroups(found.groups)
    const partWord = kind ? [] : await findSitePartHits(context, typed, withAffairs)
    const vacancies = kind ? [] : findVacancyPages(typed).map((hit) => ({ hit, score: VACANCY }))
    const deadlines = kind ? [] : findDeadlinePages(typed, user.accessLevel).map((hit) => ({ hit, score: DEADLINES }))
    const pages = kind
      ? []
      : [
          ...vacancies,
          ...partWord,
          ...deadlines,
          ...findPages(typed, user.accessLevel),
          ...(partWord.length > 0 ? [] : getPartsOfBestSite(records)),
        ]
    const groups = [...records, ...toPagesGroup(pages.toSorted((a, b) => b.score - a.score))]
    if (groups.length === 0 && typed.length > 1 && !context.before) {
      // A failed count does not fail the search.
      await toVisitor(context, user.account)
        .then((visitor) => countFailedSearch(context.db, visitor, typed.toLowerCase()))
        .catch((error: unknown) => context.log.warn({ err: error }, 'A search without results could not be counted'))
    }
    return {
      query: q,
      groups: groups.toSorted((a, b) => b.score - a.score).map(({ group }) => group),
      marks: [...found.marks],
      close: isClose(groups),
    }
  }),
  handle(listFailedSearches, async ({ context }) => getFailedSearches(context.db)),
]
