import { RECORD_KINDS, RECORD_NOUNS } from '../../../contract/records.ts'
import { normalizeText, isOneTypoApart } from '../../../contract/text-match.ts'

/** A filter that a list recognizes in plain words: its parameter, the value it is set to, and the phrases for it. */
export interface Phrase {
  readonly filter: string
  /** Undefined if the parameter is removed, as in a list's initial state. */
  readonly value: string | undefined
  readonly synonyms: readonly string[]
}

/** The result of parsing typed words. */
export interface ParsedWords {
  readonly filters: Readonly<Record<string, string | undefined>>
  /** The text that stays in the search field. */
  readonly remainingText: string
  /** The words that became filters, in their corrected spelling: 'closed', 'ohio'. */
  readonly matchedWords: readonly string[]
}

/** The two filters of every list with a status; these lists start with active records, which the URL does not mention. */
export const GROUP_PHRASES: readonly Phrase[] = [
  { filter: 'status', value: undefined, synonyms: ['active', 'open'] },
  { filter: 'status', value: 'closed', synonyms: ['closed', 'shut'] },
]

/** Words that only join others, such as 'closed sites in Ohio'. They are dropped only together with the words that they join. */
const JOINING_WORDS = new Set([
  ...'a all and are at for from in is of our that the which who with center centers location locations school schools staff state'.split(
    ' ',
  ),
  ...RECORD_KINDS.flatMap((kind) => RECORD_NOUNS[kind]),
])
/** Shorter words are too similar to others for typos to be corrected. */
const MIN_TYPO_LENGTH = 5

const splitWords = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
/** A word normalized for comparison: without surrounding punctuation. */
const normalizeWord = (word: string): string => /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(normalizeText(word))?.[0] ?? ''

const isSameOrTypo = (typed: string, word: string): boolean =>
  typed === word || (typed.length >= MIN_TYPO_LENGTH && word.length >= MIN_TYPO_LENGTH && isOneTypoApart(typed, word))

interface PhraseWords {
  readonly phrase: Phrase
  readonly words: readonly string[]
}

/** All wordings of a phrase, plurals included, longest first: 'South Carolina' before 'Carolina', 'Lead Counselor' before 'Counselor'. */
const listPhraseWords = (phrases: readonly Phrase[]): PhraseWords[] =>
  phrases
    .flatMap((phrase) =>
      phrase.synonyms.flatMap((wording) => {
        const words = splitWords(wording).map(normalizeWord)
        return [words, [...words.slice(0, -1), `${words.at(-1)}s`]].map((variant) => ({ phrase, words: variant }))
      }),
    )
    .toSorted((a, b) => b.words.length - a.words.length)

const matchesAt = (
  words: readonly string[],
  at: number,
  known: readonly string[],
  same: (typed: string, word: string) => boolean,
): boolean => at + known.length <= words.length && known.every((word, offset) => same(words[at + offset] ?? '', word))

/** The phrase at a position: of equally long ones, an exact match comes before one with a typo. */
const findPhraseAt = (known: readonly PhraseWords[], words: readonly string[], at: number): PhraseWords | undefined => {
  const matching = known.filter((one) => matchesAt(words, at, one.words, isSameOrTypo))
  const longest = matching.filter((one) => one.words.length === matching[0]?.words.length)
  return longest.find((one) => matchesAt(words, at, one.words, (typed, word) => typed === word)) ?? longest[0]
}

/** The word may be incomplete: it is the start of a longer one, or has a typo that the next letter could fix. */
const mayContinueWord = (known: readonly PhraseWords[], word: string): boolean => {
  const all = known.flatMap((one) => one.words)
  return (
    all.some((longer) => longer !== word && longer !== `${word}s` && longer.startsWith(word)) ||
    (!all.includes(word) && all.some((one) => isSameOrTypo(word, one)))
  )
}

/** The last words may start a longer phrase: 'recently', before 'updated'. */
const mayContinuePhrase = (known: readonly PhraseWords[], words: readonly string[]): boolean =>
  known.some((one) =>
    one.words.some((_, at) => at > 0 && at <= words.length && matchesAt(words, words.length - at, one.words.slice(0, at), isSameOrTypo)),
  )

/**
 * Parses 'closed ohio online' into filters and remaining text; null if no filter is found. While the last word may be incomplete, or could start a
 * longer name, the text is left alone. A second word for the same filter stays text.
 */
export const parsePlainWords = (text: string, phrases: readonly Phrase[], finished: boolean): ParsedWords | null => {
  const typed = splitWords(text)
  const words = typed.map(normalizeWord)
  const known = listPhraseWords(phrases)
  const last = words.at(-1)
  if (last === undefined) return null
  if (!finished && ((!/[\s,;]$/.test(text) && mayContinueWord(known, last)) || mayContinuePhrase(known, words))) return null

  const filters: Record<string, string | undefined> = {}
  const matchedWords: string[] = []
  const isUsed = words.map(() => false)
  for (let at = 0; at < words.length;) {
    const found = findPhraseAt(known, words, at)
    const { filter, value } = found?.phrase ?? { filter: '', value: undefined }
    if (found && (!(filter in filters) || filters[filter] === value)) {
      filters[filter] = value
      matchedWords.push(found.words.join(' '))
      isUsed.fill(true, at, at + found.words.length)
    }
    at += found?.words.length ?? 1
  }
  if (matchedWords.length === 0) return null

  const joins = (at: number) => JOINING_WORDS.has(words[at] ?? '')
  const isRemoved = (at: number): boolean => {
    if (isUsed[at]) return true
    if (!joins(at)) return false
    let [from, to] = [at, at]
    while (joins(from) && !isUsed[from]) from--
    while (joins(to) && !isUsed[to]) to++
    return isUsed[from] === true || isUsed[to] === true
  }
  return { filters, matchedWords, remainingText: typed.filter((_, at) => !isRemoved(at)).join(' ') }
}
