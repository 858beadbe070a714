import { can } from '../../../platform/contract/capabilities.ts'
import type { RecordHit, RecordKind } from '../../../platform/contract/records.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { toVisitor } from '../../operations/page-views/queries.server.ts'
import type { ActionHit, PageHit, SearchAnswer } from './contract.ts'
import { listMisses, search } from './contract.ts'
import { pagesFor, SITE_PARTS, vacanciesFor, wordsOf } from './pages.ts'
import { countMiss, type Found, missList, searchRecords } from './queries.server.ts'

const A_FEW = 5
const MANY = 50
/** Above any record: who asks where nobody is does not look for somebody. */
const VACANCY = 1000
const GROUPS = { person: 'people', site: 'sites', charter: 'charters', brand: 'brands', region: 'regions' } as const
const KINDS = Object.keys(GROUPS) as RecordKind[]

type Group = SearchAnswer['groups'][number]
type Scored = { group: Group; score: number }
type ScoredPage = { hit: PageHit | ActionHit; score: number }

const groupsOf = (found: readonly Found[]): Scored[] =>
  KINDS.flatMap((kind) => {
    const own = found.filter(({ hit }) => hit.kind === kind)
    const [best] = own
    if (!best) return []
    return [{ group: { kind: GROUPS[kind], total: best.total, more: best.more, hits: own.map(({ hit }) => hit) }, score: best.score }]
  })

const partOf = (site: RecordHit, { name, to }: (typeof SITE_PARTS)[string] & object): PageHit => ({
  kind: 'page',
  name: `${site.name} - ${name}`,
  detail: 'Page',
  to: to(encodeURIComponent(site.slug)),
})

/** 'lodi enrollment' asks for a page of a site: the word for the page is taken out, and the rest finds the site. */
const askedParts = async (context: AppContext, typed: string, withAffairs: boolean): Promise<ScoredPage[]> => {
  const words = wordsOf(typed)
  const asked = words.find((word) => Object.hasOwn(SITE_PARTS, word))
  const part = asked === undefined ? undefined : SITE_PARTS[asked]
  const rest = words.filter((word) => word !== asked)
  if (!part || rest.length === 0) return []
  const sites = await searchRecords(context.pool, rest.join(' '), { only: 'site', most: 3, withAffairs })
  return sites.filter(({ hit }) => hit.match !== 'close').map(({ hit, score }) => ({ hit: partOf(hit, part), score: score + 5 }))
}

/** The pages of the site that answers best. */
const partsOfBest = (groups: readonly Scored[]): ScoredPage[] => {
  const best = groups.toSorted((a, b) => b.score - a.score)[0]?.group
  const [site] = best?.kind === 'sites' ? best.hits : []
  return site === undefined || site.match === 'close'
    ? []
    : ['staff', 'enrollment'].flatMap((name) => {
        const part = SITE_PARTS[name]
        return part ? [{ hit: partOf(site, part), score: 1 }] : []
      })
}

const pagesGroup = (pages: readonly ScoredPage[]): Scored[] => {
  const best = pages[0]
  if (!best) return []
  const hits = pages.slice(0, A_FEW).map(({ hit }) => hit)
  return [{ group: { kind: 'pages', total: hits.length, more: false, hits }, score: best.score }]
}

const isClose = (groups: readonly Scored[]): boolean =>
  groups.length > 0 && groups.every(({ group }) => group.kind !== 'pages' && group.hits.every(({ match }) => match === 'close'))

export const searchRoutes: Route[] = [
  handle(search, async ({ query: { q, kind }, user, context }) => {
    const typed = q.trim()
    if (typed === '') return { query: q, groups: [], marks: [], close: false }
    const withAffairs = can(user.accessLevel, 'read a charter affair')
    const found = await searchRecords(context.pool, typed, { only: kind, most: kind ? MANY : A_FEW, withAffairs })
    const records = groupsOf(found)
    const asked = kind ? [] : await askedParts(context, typed, withAffairs)
    const vacancies = kind ? [] : vacanciesFor(typed).map((hit) => ({ hit, score: VACANCY }))
    const pages = kind
      ? []
      : [...vacancies, ...asked, ...pagesFor(typed, user.accessLevel), ...(asked.length > 0 ? [] : partsOfBest(records))]
    const groups = [...records, ...pagesGroup(pages.toSorted((a, b) => b.score - a.score))]
    if (groups.length === 0 && typed.length > 1) {
      // A search is answered whether or not its vain end can be counted.
      await toVisitor(context, user.account)
        .then((visitor) => countMiss(context.db, visitor, typed.toLowerCase()))
        .catch((error: unknown) => context.log.warn({ err: error }, 'A search without results could not be counted'))
    }
    return {
      query: q,
      groups: groups.toSorted((a, b) => b.score - a.score).map(({ group }) => group),
      marks: [...new Set(found[0]?.marks ?? [])],
      close: isClose(groups),
    }
  }),
  handle(listMisses, async ({ context }) => missList(context.db)),
]
