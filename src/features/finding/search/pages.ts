import { type Capability, can } from '../../../contract/capabilities.ts'
import { DEADLINE_KINDS, type DeadlineKind } from '../../../contract/deadlines.ts'
import { PAGE_LIST, type PagePath } from '../../../contract/pages.ts'
import { LEADING_ROLES, getRoleNames } from '../../../contract/roles.ts'
import { normalizeText } from '../../../contract/text-match.ts'
import type { ActionHit, PageHit } from './contract.ts'

interface FindablePage {
  readonly hit: PageHit | ActionHit
  /** Other words by which it is found. */
  readonly keywords: string
  /** The required capability; none for everyone. */
  readonly capability?: Capability
}

interface IndexedPage extends FindablePage {
  readonly nameWords: readonly string[]
  readonly otherWords: readonly string[]
}

/** The normalized words of a query. */
export const splitWords = (typed: string): string[] =>
  normalizeText(typed)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

const toIndexedPage = (page: FindablePage): IndexedPage => ({
  ...page,
  nameWords: splitWords(page.hit.name),
  otherWords: splitWords(page.keywords),
})

/** Pages that do not belong to a record, and actions that are possible on every page. */
const FINDABLE_PAGES: readonly FindablePage[] = [
  ...PAGE_LIST.flatMap(([to, { name, searchName = name, searchWords, isAction = false, partName, capability }]): FindablePage[] =>
    searchWords === undefined || partName !== undefined
      ? []
      : [
          {
            hit: { kind: 'page', name: searchName, detail: isAction ? 'Action' : 'Page', to },
            keywords: searchWords,
            ...(capability ? { capability } : {}),
          },
        ],
  ),
  { hit: { kind: 'page', name: 'API documentation', detail: 'Page', to: '/docs' }, keywords: 'openapi developers' },
  {
    hit: { kind: 'action', name: 'Request Information Services support', detail: 'Action', action: 'support' },
    keywords: 'support request it help desk problem',
  },
  { hit: { kind: 'action', name: 'Sign Out', detail: 'Action', action: 'sign-out' }, keywords: 'log out logout signout leave' },
]

const INDEXED_PAGES = FINDABLE_PAGES.map(toIndexedPage)

/** A page with a part of a site. */
export interface PartPage {
  readonly name: string
  readonly page: PagePath
  readonly words: readonly string[]
  /** Whether the best site is found with it. */
  readonly isOffered: boolean
}

/** The pages of a site. */
export const SITE_PARTS = PAGE_LIST.flatMap(([page, { partName: name, searchWords = '', isOffered = false }]): PartPage[] =>
  name === undefined ? [] : [{ name, page, words: splitWords(searchWords), isOffered }],
)

/** Words for vacancies, and words that are ignored. */
const VACANCY_WORDS = new Set(['no', 'without', 'missing', 'vacant', 'vacancy', 'vacancies', 'empty', 'unfilled', 'open', 'lacking'])
const STOP_WORDS = new Set(['a', 'an', 'any', 'as', 'at', 'have', 'has', 'of', 'position', 'positions', 'place', 'places', 'site', 'sites', 'that', 'the', 'which', 'with', 'who']) // prettier-ignore

/** How each leading role is written, in normalized words. */
const ROLE_SPELLINGS = LEADING_ROLES.map((role) => ({ role, spellings: getRoleNames(role).map((name) => splitWords(name).join(' ')) }))

/** Finds 'sites without a Regional SRM' or 'no principal': the coverage board filtered by vacancies of the role. */
export const findVacancyPages = (typed: string): PageHit[] => {
  const words = splitWords(typed)
  if (!words.some((word) => VACANCY_WORDS.has(word))) return []
  const matching = words.filter((word) => !VACANCY_WORDS.has(word) && !STOP_WORDS.has(word)).join(' ')
  return ROLE_SPELLINGS.filter(({ spellings }) => spellings.includes(matching) || spellings.includes(matching.replace(/s$/, ''))).map(
    ({ role }): PageHit => ({
      kind: 'page',
      name: `Sites with no ${role}`,
      detail: 'Coverage',
      to: `/coverage?${new URLSearchParams({ role, empty: '1' }).toString()}`,
    }),
  )
}

/** Words for each kind of deadline, words about dates, and words that are ignored beside them. */
const DEADLINE_WORDS: Readonly<Record<DeadlineKind, readonly string[]>> = {
  charter_term: ['charter', 'charters', 'mou'],
  petition: ['petition', 'petitions'],
  oversight: ['oversight'],
  accreditation: ['accreditation', 'wasc', 'fol'],
  funding: ['funding', 'audit', 'audits'],
  dass: ['dass'],
  board_meeting: ['board'],
  lease: ['lease', 'leases'],
}
const DUE_WORDS = /^(deadlines?|due|overdue|dates?|meetings?|terms?|ends?|ending|expir(e|es|ed|ing|ations?)|renew(s|ed|ing|als?)?|20\d\d)$/
const DEADLINE_STOP_WORDS = new Set([...STOP_WORDS, 'by', 'for', 'in', 'is', 'on', 'school', 'schools', 'submission', 'visit', 'when'])

/** Finds 'lease expires 2027' or 'charter renewal': the deadlines of that kind. Those of charter affairs require the access to read them. */
export const findDeadlinePages = (typed: string, level: number): PageHit[] => {
  const words = splitWords(typed).filter((word) => !DEADLINE_STOP_WORDS.has(word))
  const rest = words.filter((word) => !DUE_WORDS.test(word))
  if (rest.length === 0 || rest.length === words.length) return []
  const kinds = Object.entries(DEADLINE_WORDS) as [DeadlineKind, readonly string[]][]
  const matching = kinds.filter(([, own]) => rest.some((word) => own.includes(word)))
  if (!rest.every((word) => matching.some(([, own]) => own.includes(word)))) return []
  // 'Charter petition' means a petition.
  const [kind] = (matching.find(([name]) => name !== 'charter_term') ?? matching[0]) as (typeof kinds)[number]
  if (kind !== 'lease' && !can(level, 'read a charter affair')) return []
  return [{ kind: 'page', name: `Deadlines: ${DEADLINE_KINDS[kind].name}`, detail: 'Deadlines', to: `/deadlines?kind=${kind}` }]
}

const SCORE_WORD = 10
const SCORE_PREFIX = 6
const SCORE_FULL_NAME = 4

/** The score of a page, on the scale of record scores; 0 if a word does not match. */
const getScore = (typed: readonly string[], { nameWords: name, otherWords: others }: IndexedPage): number => {
  let score = typed.join(' ') === name.join(' ') ? SCORE_FULL_NAME : 0
  for (const word of typed) {
    if (name.includes(word)) score += SCORE_WORD
    else if (word.length > 1 && name.some((one) => one.startsWith(word))) score += SCORE_PREFIX
    else if (others.includes(word)) score += SCORE_PREFIX
    else if (word.length > 2 && others.some((one) => one.startsWith(word))) score += SCORE_PREFIX / 2
    else return 0
  }
  return score
}

/** Pages and actions that match and that the level may use, best first. */
export const findPages = (typed: string, level: number): { hit: PageHit | ActionHit; score: number }[] => {
  const words = splitWords(typed)
  if (words.length === 0) return []
  return INDEXED_PAGES.filter(({ capability }) => capability === undefined || can(level, capability))
    .map((known) => ({ hit: known.hit, score: getScore(words, known) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
}
