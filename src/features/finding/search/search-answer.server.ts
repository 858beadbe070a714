import { buildPagePath } from '../../../contract/pages.ts'
import { RECORD_NOUNS, type RecordHit, type RecordKind } from '../../../contract/records.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { type HitSource, toRecordHit } from '../../../platform/server/read-model/record-hits.ts'
import type { ActionHit, FoundRecord, PageHit, SearchResponse } from './contract.ts'
import { SEARCHED_TABLES } from './engine/records.ts'
import { type EngineResult, SearchEngine } from './engine/search-engine.ts'
import type { SearchedChange } from './engine/search-index.ts'
import { normalize } from './engine/words.ts'
import { findDeadlinePages, findPages, findVacancyPages, type PartPage, SITE_PARTS, splitWords } from './pages.ts'

// What a search answers, on the server and in a browser that keeps the directory.

/** An engine of the records of a model. */
export const buildEngine = (model: ReadModel): SearchEngine => {
  const engine = new SearchEngine()
  for (const table of SEARCHED_TABLES)
    for (const after of model.table(table).all()) engine.change({ table, before: undefined, after } as unknown as SearchedChange)
  return engine
}

/** A hit of a search, and how well it matches. */
interface ScoredHit {
  readonly hit: FoundRecord
  readonly score: number
}

/** The hits of one kind, best first; `more` if there are more than were counted. */
export interface ScoredGroup {
  readonly kind: RecordKind
  readonly total: number
  readonly more: boolean
  readonly hits: readonly ScoredHit[]
}

/** Finds records for a typed text, of one kind or of all. */
export type FindRecords = (
  typed: string,
  only: RecordKind | undefined,
  maxPerKind: number,
) => Promise<{ readonly groups: readonly ScoredGroup[]; readonly marks: readonly string[] }>

/** The records that the engine found, each as one line. */
export const describeGroups = (source: HitSource, typed: string, groups: EngineResult['groups']): ScoredGroup[] => {
  const words = normalize(typed)
    .split(' ')
    .filter((word) => word.length > 1)
  const isSearchedSite = (nameAndCity: string): boolean => {
    const text = ` ${normalize(nameAndCity)}`
    return words.some((word) => text.includes(` ${word}`))
  }
  return groups.map(({ hits, ...group }) => ({
    ...group,
    hits: hits.flatMap(({ kind, _id, role, score, match }) => {
      const hit = toRecordHit(source, kind, _id, { role, isSearchedSite })
      return hit ? [{ hit: { ...hit, match }, score }] : []
    }),
  }))
}

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
const findSitePartHits = async (find: FindRecords, typed: string): Promise<ScoredPage[]> => {
  const words = splitWords(typed)
  const findPart = (word: string) => SITE_PARTS.find((one) => one.words.includes(word))
  const partWord = words.find((word) => findPart(word) !== undefined)
  const part = partWord === undefined ? undefined : findPart(partWord)
  const rest = words.filter((word) => word !== partWord)
  if (!part || rest.length === 0) return []
  const { groups } = await find(rest.join(' '), 'site', 3)
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

/** Finds sections of the guides for a level; only the server has them. */
type FindHelp = (typed: string, level: number) => readonly { title: string; guide: string; to: string; score: number }[]

const toHelpHits = (found: ReturnType<FindHelp>): ScoredPage[] =>
  found.map(({ title, guide, to, score }) => ({ hit: { kind: 'page', name: title, detail: `Help: ${guide}`, to }, score }))

/** The groups of a search, best first, with the pages that it means. */
export const answerSearch = async (
  find: FindRecords,
  { q, kind }: { readonly q: string; readonly kind?: RecordKind | undefined },
  level: number,
  findHelp: FindHelp = () => [],
): Promise<SearchResponse> => {
  const typed = q.trim()
  if (typed === '') return { query: q, groups: [], marks: [], close: false, on: null }
  const found = await find(typed, kind, kind ? MAX_HITS_OF_KIND : MAX_HITS_OF_GROUP)
  const records = toScoredGroups(found.groups)
  const partWord = kind ? [] : await findSitePartHits(find, typed)
  const vacancies = kind ? [] : findVacancyPages(typed).map((hit) => ({ hit, score: VACANCY }))
  const deadlines = kind ? [] : findDeadlinePages(typed, level).map((hit) => ({ hit, score: DEADLINES }))
  const pages = kind
    ? []
    : [
        ...vacancies,
        ...partWord,
        ...deadlines,
        ...findPages(typed, level),
        ...toHelpHits(findHelp(typed, level)),
        ...(partWord.length > 0 ? [] : getPartsOfBestSite(records)),
      ]
  const groups = [...records, ...toPagesGroup(pages.toSorted((a, b) => b.score - a.score))]
  return {
    query: q,
    groups: groups.toSorted((a, b) => b.score - a.score).map(({ group }) => group),
    marks: [...found.marks],
    close: isClose(groups),
    on: null,
  }
}
