import { normalizeText } from '../../../contract/text-match.ts'
import type { HelpGuide } from './contract.ts'
import { getGuides, type Guide, type Section } from './guides.server.ts'

/** The guides that a level may read, with their sections for it. */
export const getGuidesOf = (level: number): Guide[] =>
  getGuides()
    .map((guide) => ({ ...guide, sections: guide.sections.filter((section) => level <= section.level) }))
    .filter(({ sections }) => sections.length > 0)

export const toContents = ({ id, title, sections }: Guide): HelpGuide => ({
  id,
  title,
  sections: sections.map(({ id, title, pages }) => ({ id, title, pages: [...pages] })),
})

/** Words that say that someone asks how something is done; 'who' and 'where' ask for people and sites. */
const QUESTION = /^(how|why|what|can i|do i|is there)\b|\?$/
const STOP_WORDS = new Set(['a', 'about', 'all', 'an', 'and', 'are', 'at', 'by', 'can', 'do', 'does', 'for', 'from', 'get', 'how', 'i', 'in', 'is', 'it', 'make', 'me', 'mean', 'my', 'of', 'on', 'one', 'or', 'our', 'some', 'someone', 'that', 'the', 'there', 'this', 'to', 'we', 'what', 'when', 'which', 'who', 'why', 'with', 'you']) // prettier-ignore

/** A word without its ending: 'changing', 'changes' and 'change' are one. */
const toStem = (word: string): string => (word.length > 3 ? word.replace(/(ing|ed|es|s|e)$/, '') : word)

const toStems = (text: string): string[] =>
  normalizeText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .map(toStem)

const SCORES = { title: 8, word: 6, text: 2 } as const
/** A question is not for a record: its answer comes first. */
const QUESTION_SCORE = 500
const MAX_FOUND = 5

interface IndexedSection {
  readonly guide: Guide
  readonly section: Section
  readonly title: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  readonly text: ReadonlySet<string>
}

let index: readonly IndexedSection[] | undefined
const getIndex = (): readonly IndexedSection[] =>
  (index ??= getGuides().flatMap((guide) =>
    guide.sections.map((section) => ({
      guide,
      section,
      title: new Set(toStems(section.title)),
      words: new Set(toStems(`${guide.title} ${section.words}`)),
      text: new Set(toStems(section.source)),
    })),
  ))

const scoreWord = (stem: string, { title, words, text }: IndexedSection, isQuestion: boolean): number => {
  if (title.has(stem)) return SCORES.title
  if (words.has(stem)) return SCORES.word
  return isQuestion && text.has(stem) ? SCORES.text : 0
}

export interface FoundSection {
  readonly title: string
  readonly guide: string
  readonly to: string
  readonly score: number
}

/** The sections that say how to do what was typed, for a level, best first. A long question may have one word that a section lacks. */
export const findHelp = (typed: string, level: number): FoundSection[] => {
  const isQuestion = QUESTION.test(typed.trim().toLowerCase())
  const stems = [...new Set(toStems(typed))]
  if (stems.length === 0) return []
  const maxMissing = isQuestion && stems.length > 2 ? 1 : 0
  const found = getIndex()
    .filter(({ section }) => level <= section.level)
    .flatMap((one) => {
      const scores = stems.map((stem) => scoreWord(stem, one, isQuestion))
      if (scores.filter((score) => score === 0).length > maxMissing) return []
      const { guide, section } = one
      const to = `/help/${guide.id}?section=${section.id}`
      return [{ title: section.title, guide: guide.title, to, score: scores.reduce((sum, score) => sum + score, 0) }]
    })
  const least = Math.max(...found.map(({ score }) => score)) / 2
  return found
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map((one) => ({ ...one, score: one.score + (isQuestion ? QUESTION_SCORE : 0) }))
}
