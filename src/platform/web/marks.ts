import { normalizeText } from '../contract/text-match.ts'

/** A stretch of a text. */
export interface Stretch {
  readonly text: string
  readonly marked: boolean
}

const LEAST = 2
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const digitsOf = (text: string): string => text.replace(/\D/g, '')

const append = (stretches: Stretch[], text: string, marked: boolean): void => {
  if (text !== '') stretches.push({ text, marked })
}

/** Where in a word what was typed stands, letter by letter, so that 'lodi' marks four letters of 'Elodie' and 'nino' all of 'Niño'. */
const placeIn = (word: string, typed: string): [from: number, until: number] | undefined => {
  const letters = [...word].map(normalizeText)
  for (let from = 0; from < letters.length; from++) {
    let together = ''
    let until = from
    // An accent that is a letter of its own goes with the one before it.
    while (until < letters.length && (together.length < typed.length || letters[until] === '')) together += letters[until++] ?? ''
    if (together === typed) return [from, until]
  }
  return undefined
}

/**
 * A hit's text with what matched marked: of a word that contains what was typed just that part, and the whole of a word that the search
 * says it found instead (`close`, plain words: a nickname, a typo mended).
 */
export const markedText = (text: string, typed: string, close: readonly string[]): Stretch[] => {
  const wanted = (normalizeText(typed).match(WORD) ?? []).filter((word) => word.length >= LEAST)
  const stretches: Stretch[] = []
  let done = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    append(stretches, text.slice(done, index), false)
    done = index + word.length
    const part = wanted.map((one) => placeIn(word, one)).find((place) => place !== undefined)
    const letters = [...word]
    const [from, until] = part ?? (close.includes(normalizeText(word)) ? [0, letters.length] : [0, 0])
    append(stretches, letters.slice(0, from).join(''), false)
    append(stretches, letters.slice(from, until).join(''), true)
    append(stretches, letters.slice(until).join(''), false)
  }
  append(stretches, text.slice(done), false)
  return stretches
}

/** A phone number with the digits marked that were typed, whatever stands between them. */
export const markedNumber = (number: string, typed: string): Stretch[] => {
  const typedDigits = digitsOf(typed)
  // '+1 209 …' is the number without its country.
  const wanted = typedDigits.length === 11 ? typedDigits.replace(/^1/, '') : typedDigits
  const found = wanted.length > LEAST ? digitsOf(number).indexOf(wanted) : -1
  if (found === -1) return [{ text: number, marked: false }]
  const places = [...number].flatMap((letter, at) => (/\d/.test(letter) ? [at] : []))
  const from = places[found] ?? 0
  const until = (places[found + wanted.length - 1] ?? number.length) + 1
  const stretches: Stretch[] = []
  append(stretches, number.slice(0, from), false)
  append(stretches, number.slice(from, until), true)
  append(stretches, number.slice(until), false)
  return stretches
}
