import type { Vocabulary } from './vocabulary.ts'

// Which spaces a name has is decided when someone searches, not in the index, which would have every pair of words of every name.

/** The words of a search with other spaces, and the words that stand beside each other in what it is to find. */
interface OtherSpacing {
  readonly words: readonly string[]
  readonly phrase: string
}

const MAX_SPACINGS = 6
/** The most words that are joined, or that one is split into: 'van der berg'. */
const MAX_PARTS = 3
const MIN_PART_LENGTH = 2
/** Shorter words are initials and parts of anything. */
const MIN_JOINED_LENGTH = 5

/** Ways to join words, or to split one, so that every result is a word of some record; the last may be the beginning of one. */
export const listOtherSpacings = (words: readonly string[], vocabulary: Vocabulary): OtherSpacing[] => {
  const spacings: OtherSpacing[] = []
  const add = (at: number, removed: number, parts: readonly string[]): void => {
    spacings.push({ words: words.toSpliced(at, removed, ...parts), phrase: parts.join(' ') })
  }
  for (let at = 0; at < words.length; at++) {
    for (let end = at + 2; end <= Math.min(words.length, at + MAX_PARTS); end++) {
      const joined = words.slice(at, end).join('')
      if (joined.length >= MIN_JOINED_LENGTH && isKnown(joined, end === words.length, vocabulary)) add(at, end - at, [joined])
    }
    const word = words[at] as string
    if (word.length < MIN_JOINED_LENGTH || /\d/.test(word)) continue
    for (const parts of splitWord(word, at === words.length - 1, vocabulary, MAX_PARTS)) add(at, 1, parts)
  }
  return spacings.slice(0, MAX_SPACINGS)
}

const isKnown = (word: string, mayBegin: boolean, vocabulary: Vocabulary): boolean =>
  vocabulary.getId(word) !== undefined || (mayBegin && vocabulary.hasBeginning(word))

const splitWord = (word: string, mayBegin: boolean, vocabulary: Vocabulary, maxParts: number): string[][] => {
  const found: string[][] = []
  for (let length = MIN_PART_LENGTH; length <= word.length - MIN_PART_LENGTH; length++) {
    const [first, rest] = [word.slice(0, length), word.slice(length)]
    if (vocabulary.getId(first) === undefined) continue
    if (isKnown(rest, mayBegin, vocabulary)) found.push([first, rest])
    if (maxParts > 2) for (const parts of splitWord(rest, mayBegin, vocabulary, maxParts - 1)) found.push([first, ...parts])
  }
  return found
}
