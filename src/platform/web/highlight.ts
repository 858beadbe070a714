import { normalizeText } from '../../contract/text-match.ts'

/** A part of a text that matched a search or did not. */
export interface TextSegment {
  readonly text: string
  readonly isHighlighted: boolean
}

const MIN_LENGTH = 2
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const getDigits = (text: string): string => text.replace(/\D/g, '')

const append = (segments: TextSegment[], text: string, isHighlighted: boolean): void => {
  if (text !== '') segments.push({ text, isHighlighted })
}

/** The letters of a word that match the query, so that 'lodi' marks four letters of 'Elodie' and 'nino' all of 'Niño'. */
const findTyped = (word: string, typed: string): [from: number, until: number] | undefined => {
  const letters = [...word].map(normalizeText)
  for (let from = 0; from < letters.length; from++) {
    let together = ''
    let until = from
    // A combining accent belongs to the letter before it.
    while (until < letters.length && (together.length < typed.length || letters[until] === '')) together += letters[until++] ?? ''
    if (together === typed) return [from, until]
  }
  return undefined
}

/**
 * Splits a search result's text into highlighted and other parts: only the matching part of a word that contains the query, and the whole of a word
 * that the search found instead (`close`, plain words: a nickname, a corrected typo).
 */
export const highlightText = (text: string, typed: string, close: readonly string[]): TextSegment[] => {
  const searchWords = (normalizeText(typed).match(WORD) ?? []).filter((word) => word.length >= MIN_LENGTH)
  const segments: TextSegment[] = []
  let done = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    append(segments, text.slice(done, index), false)
    done = index + word.length
    const part = searchWords.map((one) => findTyped(word, one)).find((found) => found !== undefined)
    const letters = [...word]
    const [from, until] = part ?? (close.includes(normalizeText(word)) ? [0, letters.length] : [0, 0])
    append(segments, letters.slice(0, from).join(''), false)
    append(segments, letters.slice(from, until).join(''), true)
    append(segments, letters.slice(until).join(''), false)
  }
  append(segments, text.slice(done), false)
  return segments
}

/** A phone number with the typed digits highlighted, ignoring the characters between them. */
export const highlightPhone = (number: string, typed: string): TextSegment[] => {
  const typedDigits = getDigits(typed)
  // '+1 209 …' is the number without its country code.
  const searchDigits = typedDigits.length === 11 ? typedDigits.replace(/^1/, '') : typedDigits
  const found = searchDigits.length > MIN_LENGTH ? getDigits(number).indexOf(searchDigits) : -1
  if (found === -1) return [{ text: number, isHighlighted: false }]
  const digits = [...number].flatMap((letter, at) => (/\d/.test(letter) ? [at] : []))
  const from = digits[found] ?? 0
  const until = (digits[found + searchDigits.length - 1] ?? number.length) + 1
  const segments: TextSegment[] = []
  append(segments, number.slice(0, from), false)
  append(segments, number.slice(from, until), true)
  append(segments, number.slice(until), false)
  return segments
}
