import { normalizeText } from '../../contract/text-match.ts'

/** What a list understands in plain words: a filter of its address, what that filter becomes, and the ways to say so. */
export interface Phrase {
  readonly filter: string
  /** Undefined where the address says nothing of it, as of a list's first state. */
  readonly value: string | undefined
  readonly said: readonly string[]
}

/** What typed words came to. */
export interface Understood {
  readonly filters: Readonly<Record<string, string | undefined>>
  /** What stays in the search field. */
  readonly left: string
  /** The words that became filters, as they were meant: 'closed', 'ohio'. */
  readonly heard: readonly string[]
}

/** The two filters every list with a status has (section 4); these lists start on active, of which their address says nothing. */
export const GROUP_PHRASES: readonly Phrase[] = [
  { filter: 'status', value: undefined, said: ['active', 'open'] },
  { filter: 'status', value: 'closed', said: ['closed', 'shut'] },
]

/** Words that only join others, such as 'closed sites in Ohio'. They go with what they join, and never alone. */
const JOINING = new Set(
  'a all and are at for from in is of our that the which who with brand brands center centers charter charters location locations people region school schools site sites staff state'.split(
    ' ',
  ),
)
/** Shorter words are too close to others for a typo to be forgiven. */
const FORGIVEN_FROM = 5

const wordsOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
/** A word as it is compared: without what stands around it. */
const bare = (word: string): string => /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(normalizeText(word))?.[0] ?? ''

/** One letter wrong, missing or too many, or two neighbours swapped. */
const isOneApart = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const [x, y] = [a.slice(at), b.slice(at)]
  if (a.length !== b.length) return a.length > b.length ? x.slice(1) === y : x === y.slice(1)
  return x.slice(1) === y.slice(1) || (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2))
}

const isMeant = (typed: string, word: string): boolean =>
  typed === word || (typed.length >= FORGIVEN_FROM && word.length >= FORGIVEN_FROM && isOneApart(typed, word))

interface Known {
  readonly phrase: Phrase
  readonly words: readonly string[]
}

/** Every way to say a phrase, several of a thing as well, longest first: 'South Carolina' before 'Carolina', 'Lead Counselor' before 'Counselor'. */
const knownOf = (phrases: readonly Phrase[]): Known[] =>
  phrases
    .flatMap((phrase) =>
      phrase.said.flatMap((said) => {
        const words = wordsOf(said).map(bare)
        return [words, [...words.slice(0, -1), `${words.at(-1)}s`]].map((spelt) => ({ phrase, words: spelt }))
      }),
    )
    .toSorted((a, b) => b.words.length - a.words.length)

const standsAt = (
  words: readonly string[],
  at: number,
  known: readonly string[],
  same: (typed: string, word: string) => boolean,
): boolean => at + known.length <= words.length && known.every((word, offset) => same(words[at + offset] ?? '', word))

/** The phrase at a place: among those of the same length one spelt rightly goes before one with a typo. */
const findAt = (known: readonly Known[], words: readonly string[], at: number): Known | undefined => {
  const meant = known.filter((one) => standsAt(words, at, one.words, isMeant))
  const longest = meant.filter((one) => one.words.length === meant[0]?.words.length)
  return longest.find((one) => standsAt(words, at, one.words, (typed, word) => typed === word)) ?? longest[0]
}

/** The word may be going on: it begins a longer one, or has a typo that the next letter could mend. */
const mayGoOn = (known: readonly Known[], word: string): boolean => {
  const all = known.flatMap((one) => one.words)
  return (
    all.some((longer) => longer !== word && longer !== `${word}s` && longer.startsWith(word)) ||
    (!all.includes(word) && all.some((one) => isMeant(word, one)))
  )
}

/** What stands last begins a longer phrase: 'recently', before 'updated'. */
const phraseGoesOn = (known: readonly Known[], words: readonly string[]): boolean =>
  known.some((one) =>
    one.words.some((_, at) => at > 0 && at <= words.length && standsAt(words, words.length - at, one.words.slice(0, at), isMeant)),
  )

/**
 * 'closed ohio online' as filters, and what is left as text; null where nothing in it is a filter. While the last word may not be
 * finished, or could begin a longer name, the text is left alone. A second word for the same filter stays text.
 */
export const readPlainWords = (text: string, phrases: readonly Phrase[], finished: boolean): Understood | null => {
  const typed = wordsOf(text)
  const words = typed.map(bare)
  const known = knownOf(phrases)
  const last = words.at(-1)
  if (last === undefined) return null
  if (!finished && ((!/[\s,;]$/.test(text) && mayGoOn(known, last)) || phraseGoesOn(known, words))) return null

  const filters: Record<string, string | undefined> = {}
  const heard: string[] = []
  const taken = words.map(() => false)
  for (let at = 0; at < words.length;) {
    const found = findAt(known, words, at)
    const { filter, value } = found?.phrase ?? { filter: '', value: undefined }
    if (found && (!(filter in filters) || filters[filter] === value)) {
      filters[filter] = value
      heard.push(found.words.join(' '))
      taken.fill(true, at, at + found.words.length)
    }
    at += found?.words.length ?? 1
  }
  if (heard.length === 0) return null

  const joins = (at: number) => JOINING.has(words[at] ?? '')
  const goes = (at: number): boolean => {
    if (taken[at]) return true
    if (!joins(at)) return false
    let [from, to] = [at, at]
    while (joins(from) && !taken[from]) from--
    while (joins(to) && !taken[to]) to++
    return taken[from] === true || taken[to] === true
  }
  return { filters, heard, left: typed.filter((_, at) => !goes(at)).join(' ') }
}
